#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bindery {

struct WatcherSettings {
  std::filesystem::path directory;  ///< May be a link, lie behind one, or not exist yet.
  bool recursive = true;
  bool force_polling = false;
  std::size_t max_depth = 32;  ///< Folders within folders.
};

/// How changes are noticed.
enum class WatchMode {
  kInotify,
  kPoll,  ///< Only rescans tell for sure.
};

/// `inotify` or `poll`.
[[nodiscard]] std::string_view ToString(WatchMode mode);

/// What may have changed since hints were taken last.
struct Hints {
  bool any = false;
  /// More than `files` names: a folder, a link, the directory itself, or unknown changes.
  bool everything = false;
  std::vector<std::string> files;  ///< Relative to the directory; some may be there twice.

  /// Adds what another taking gave.
  void Add(Hints other);
};

/// Says that a directory of manifests may have changed: its files, its folders, the links that lead
/// to it, its own going and coming. Only a hint: rescan on an interval as well. (An edit in place
/// of a file outside the watched folders, which a link of the tree leads to, gives no hint; nor
/// does a folder above that is moved, nor what another machine does on a network file system.)
///
/// Starts no threads, never blocks, never throws. Thread-safe.
class DirectoryWatcher {
 public:
  /// Always gives a watcher. Where watching is not possible it is in kPoll and reason() says why.
  [[nodiscard]] static DirectoryWatcher Open(const WatcherSettings& settings);

  ~DirectoryWatcher();
  DirectoryWatcher(const DirectoryWatcher&) = delete;
  DirectoryWatcher& operator=(const DirectoryWatcher&) = delete;
  DirectoryWatcher(DirectoryWatcher&&) noexcept;
  DirectoryWatcher& operator=(DirectoryWatcher&&) noexcept;

  /// Readable when Drain() has something to take. The same for the watcher's whole life, so it can
  /// be duplicated or registered once; -1 if none exists (polling was asked for, or no inotify
  /// instance was to be had). In kPoll for another reason it stays and may still give hints.
  [[nodiscard]] int fd() const;

  [[nodiscard]] WatchMode mode() const;
  /// Why it is polling; empty in kInotify.
  [[nodiscard]] std::string reason() const;

  /// Takes all pending events. There are hints when one of them concerns the manifests: those of
  /// editors' temporary files, hidden files and other names do not. Follows a directory that was
  /// replaced. In kPoll every hint is of everything.
  Hints Drain();

  /// Manifest files written to since they were closed last, relative to the directory, as far as
  /// Drain() has taken the events that tell.
  [[nodiscard]] std::vector<std::string> BeingWritten();

  /// Makes sure that what is watched is what is there now, and retries what failed. Cheap when
  /// nothing changed; call it before every rescan. True when it missed changes: scan after it.
  bool Rearm();

 private:
  class Impl;
  explicit DirectoryWatcher(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace bindery
