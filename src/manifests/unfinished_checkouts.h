#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "manifests/directory.h"
#include "manifests/directory_facts.h"
#include "manifests/git_index.h"
#include "manifests/git_work.h"
#include "manifests/listing.h"

namespace bindery {

/// Finds manifest files that git's index tells of, that are not there and were not seen to go: a
/// checkout began and did not end. That of a library like go-git or dulwich leaves no other trace.
/// Belongs to one FactsKeeper.
class UnfinishedCheckouts {
 public:
  /// A file that was there is gone: somebody deleted it. `path`: relative to the directory.
  void NoteGone(std::string path) { seen_to_go_.insert(std::move(path)); }

  /// A look at everything found `listing`, in these work trees. Blocks: reads the index of each
  /// where it changed.
  void Look(const OpenRoot& root, const Listing& listing, const std::vector<GitWork>& repositories,
            const DirectorySettings& settings);

  /// Of the last look. What was seen to go is harmless, and told so that a later run knows it.
  [[nodiscard]] const std::vector<UnreadItem>& items() const { return items_; }
  /// An index that is being written, or damaged.
  [[nodiscard]] const std::vector<Disturbance>& damaged() const { return damaged_; }

 private:
  struct Index {
    FileStamp stamp;
    bool lasting = false;  ///< It was read long enough after it changed.
    bool damaged = false;
    std::vector<GitIndexFile> files{};  ///< Manifests; paths relative to the directory.
  };

  [[nodiscard]] const Index* Read(const OpenRoot& root, const GitWork& repository,
                                  const DirectorySettings& settings);

  std::map<std::string, Index> known_;  ///< By the path of the index.
  std::set<std::string> seen_to_go_;
  std::vector<UnreadItem> items_;
  std::vector<Disturbance> damaged_;
};

}  // namespace bindery
