#pragma once

#include <memory>

#include "reconcilers/kind.h"

namespace bindery {

// The parts of Google's provider that have files of their own.

[[nodiscard]] std::unique_ptr<Kind> MakeGetImportDataFile();

}  // namespace bindery
