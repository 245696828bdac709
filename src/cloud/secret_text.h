#pragma once

#include <string>

#include "core/base/expected.h"

namespace bindery::cloud {

/// The text of a small file with secrets, without surrounding white space. kUnauthenticated, naming
/// the file but no content, if empty.
[[nodiscard]] Expected<std::string> ReadSecretText(const std::string& path);

}  // namespace bindery::cloud
