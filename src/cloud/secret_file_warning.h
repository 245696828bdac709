#pragma once

#include <optional>
#include <string>

namespace bindery::cloud {

/// One line about a file that holds a secret (a key, a token) and that others than its owner can
/// change, or every user of the machine can read, with the remedy. Nothing when all is well, and
/// when the file cannot be looked at or is no regular file: its reader reports that. The group may
/// read: systemd and Kubernetes hand out secrets that way. A file that Kubernetes put into a volume
/// may be read by everybody, because only the pod sees it. Callable from any thread.
[[nodiscard]] std::optional<std::string> AccessWarning(const std::string& path);

}  // namespace bindery::cloud
