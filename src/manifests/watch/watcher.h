#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bindery::manifests {

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

  /// Adds the hints of a further call.
  void Add(Hints other);
};

/// Reports possible changes of a directory of manifests: its files, folders, links, and the
/// directory itself. Only a hint: rescan on an interval as well. (No hint comes for an edit in
/// place of a file outside the watched folders that a link of the tree leads to, for a moved folder
/// above, and for changes by a second machine on a network file system.)
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
  /// Why the watcher is polling; empty in kInotify.
  [[nodiscard]] std::string reason() const;

  /// Takes all pending events. Hints come from events about manifests: temporary files of editors,
  /// hidden files and further names give none. Follows a replaced directory. In kPoll every hint
  /// concerns everything.
  Hints Drain();

  /// Manifest files written to since they were closed last, relative to the directory, as far as
  /// Drain() has taken the events that tell.
  [[nodiscard]] std::vector<std::string> BeingWritten();

  /// Makes the watches match the present folders, and retries failed watches. Cheap without a
  /// change; call before every rescan. True when changes were missed: scan afterwards.
  bool Rearm();

 private:
  class Impl;
  explicit DirectoryWatcher(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace bindery::manifests
