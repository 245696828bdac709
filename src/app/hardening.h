#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/config.h"

namespace bindery {

/// What the process gave up, and what it could not and why.
struct Hardened {
  std::vector<std::string> in_force;  ///< Keys: "noNewPrivileges", "seccomp", "landlock", …
  std::vector<std::string> missing;   ///< "landlock: the kernel has none", …
  bool writes_are_confined = false;
};

/// Gives up what a daemon never needs: gaining privileges, running programs, tracing, mounting,
/// writing outside of `writable`, core files. Holds for the calling thread and those it starts: to
/// be called before there are others. It cannot be taken back; a second call changes nothing.
/// Folders that are missing are made; temporary files go to the first one.
[[nodiscard]] Hardened Harden(const HardeningConfig& config,
                              const std::vector<std::filesystem::path>& writable);

/// The folders a daemon with the configuration writes to; the store's is the first.
[[nodiscard]] std::vector<std::filesystem::path> WritableFolders(const Config& config);

}  // namespace bindery
