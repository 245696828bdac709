#pragma once

// Private to src/manifests/files: the signs of work of version control systems.

#include <optional>
#include <span>
#include <string>

#include "manifests/files/directory_facts.h"

namespace bindery::manifests {

/// A file or folder that is there during a command, and after a command that was killed.
struct WorkSign {
  const char* name;
  const char* what;  ///< As Disturbance::what.
};

/// Something is there under the path; links are not followed.
[[nodiscard]] bool IsThere(const std::string& path);

/// The first of the signs that is in `folder`, by its path in `shown`; nothing if none is.
[[nodiscard]] std::optional<Disturbance> FindSign(std::span<const WorkSign> signs,
                                                  const std::string& folder,
                                                  const std::string& shown);

/// Makes an absolute path that of the folder above; empty above "/".
void Ascend(std::string& path);

}  // namespace bindery::manifests
