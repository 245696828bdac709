#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/config.h"

namespace bindery::app {

/// The rights that the process gave up, and the failures with reasons.
struct Hardened {
  std::vector<std::string> in_force;  ///< Keys: "noNewPrivileges", "seccomp", "landlock", …
  std::vector<std::string> missing;   ///< "landlock: the kernel has none", …
  bool writes_are_confined = false;
};

/// Gives up rights that a daemon never needs: gaining privileges, running programs, tracing,
/// mounting, writing outside of `writable`, core files. Holds for the calling thread and its later
/// threads: call before other threads exist. Permanent; a second call changes nothing. Missing
/// folders are made; temporary files go to the first folder.
[[nodiscard]] Hardened Harden(const config::HardeningConfig& config,
                              const std::vector<std::filesystem::path>& writable);

/// The folders a daemon with the configuration writes to; the store's is the first.
[[nodiscard]] std::vector<std::filesystem::path> WritableFolders(const config::Config& config);

}  // namespace bindery::app
