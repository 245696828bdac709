#pragma once

#include <string>

#include "core/expected.h"

namespace bindery {

/// The text of a small file that holds secrets, without the white space around it.
/// kUnauthenticated, naming the file and nothing of what is in it, if none exists.
[[nodiscard]] Expected<std::string> ReadSecretText(const std::string& path);

}  // namespace bindery
