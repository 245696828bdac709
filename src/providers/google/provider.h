#pragma once

#include <memory>

#include "reconcilers/kind.h"

namespace bindery {

// The parts of Google's provider in separate files.

[[nodiscard]] std::unique_ptr<Kind> MakeGetImportDataFile();

}  // namespace bindery
