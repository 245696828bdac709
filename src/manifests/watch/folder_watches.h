#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "manifests/files/descriptor.h"

namespace bindery::manifests {

/// A watched folder.
struct FolderWatch {
  std::string path;             ///< Its real path.
  bool folder = false;          ///< Of the tree.
  std::set<std::string> names;  ///< Of links and directories on the way to the tree.
  std::size_t depth = 0;
  std::uint64_t round = 0;
};

/// The folders that one inotify instance watches. Between BeginRound() and EndRound() all folders
/// to watch are added: no event of an already watched folder is lost.
class FolderWatches {
 public:
  /// `inotify` must outlive the object, and be valid where anything else is called.
  explicit FolderWatches(const Descriptor& inotify) : inotify_(inotify) {}

  void BeginRound() { ++round_; }
  /// Watches a folder for `events` too. A new watch of the round has only its path and the round.
  /// Null, with errno, when the folder cannot be watched.
  FolderWatch* Add(const std::string& path, std::uint32_t events);
  /// Ends the watches that were not added in the round.
  void EndRound();

  /// By the descriptor in an event; null: the watch was ended.
  [[nodiscard]] FolderWatch* Find(int id);
  /// The kernel has ended the watch.
  void Forget(int id) { watches_.erase(id); }
  /// Ends the watches of the tree's folders at and below `path`.
  void EndBeneath(const std::string& path);

 private:
  template <typename Ends>
  void EndIf(const Ends& ends);

  const Descriptor& inotify_;
  std::map<int, FolderWatch> watches_;  ///< By watch descriptor.
  std::uint64_t round_ = 0;
};

}  // namespace bindery::manifests
