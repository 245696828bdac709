#pragma once

#include <sched.h>
#include <sys/mount.h>

#include <algorithm>
#include <string>
#include <vector>

namespace bindery::testing {

/// Mounts that only this thread and the processes it starts see. All are undone when the test ends.
class OwnMounts {
 public:
  OwnMounts()
      : allowed_(::unshare(CLONE_NEWNS) == 0 &&
                 ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0) {}
  ~OwnMounts() {
    std::reverse(mounted_.begin(), mounted_.end());
    for (const std::string& path : mounted_) ::umount2(path.c_str(), MNT_DETACH);
  }
  OwnMounts(const OwnMounts&) = delete;
  OwnMounts& operator=(const OwnMounts&) = delete;

  /// Not so without CAP_SYS_ADMIN.
  [[nodiscard]] bool allowed() const { return allowed_; }

  [[nodiscard]] bool Empty(const std::string& path) {
    return Done(::mount("none", path.c_str(), "tmpfs", 0, nullptr), path);
  }
  /// What is at `source` is seen at `path`; both are folders or both are files.
  [[nodiscard]] bool Bind(const std::string& source, const std::string& path) {
    return Done(::mount(source.c_str(), path.c_str(), nullptr, MS_BIND, nullptr), path);
  }
  /// What `lower` holds is seen at `path`; what is written there goes to `upper`. Not so where the
  /// kernel has no overlayfs.
  [[nodiscard]] bool Overlay(const std::string& lower, const std::string& upper,
                             const std::string& work, const std::string& path) {
    const std::string options = "lowerdir=" + lower + ",upperdir=" + upper + ",workdir=" + work;
    return Done(::mount("none", path.c_str(), "overlay", 0, options.c_str()), path);
  }
  /// What was at `path` before is there again.
  void Undo(const std::string& path) { ::umount2(path.c_str(), MNT_DETACH); }

 private:
  bool Done(int result, const std::string& path) {
    if (result == 0) mounted_.push_back(path);
    return result == 0;
  }

  bool allowed_;
  std::vector<std::string> mounted_;
};

}  // namespace bindery::testing
