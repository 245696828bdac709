#pragma once

#include <optional>

namespace bindery::manifests {

/// Somebody else has the file open for writing: no read lease is given then. Nothing where leases
/// are not to be had: for a file of another user without CAP_LEASE, on a network file system.
[[nodiscard]] std::optional<bool> IsOpenForWriting(int fd);

}  // namespace bindery::manifests
