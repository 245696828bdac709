#pragma once

#include <string>

#include "core/base/expected.h"

namespace bindery::cloud {

/// Checks a bundle of certificate authorities before it is relied on: a PEM file with at least one
/// certificate, and nothing in it that cannot be read. An empty name is no file, and fine.
/// kInvalidArgument with the file's name otherwise.
[[nodiscard]] Expected<void> CheckCaFile(const std::string& file);

}  // namespace bindery::cloud
