#pragma once

#include <memory>

#include "reconcilers/kind.h"

namespace bindery::google {

// The parts of Google's provider in separate files.

[[nodiscard]] std::unique_ptr<reconcilers::Kind> MakeGetImportDataFile();

}  // namespace bindery::google
