#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "manifests/directory.h"
#include "manifests/directory_facts.h"
#include "manifests/git_index.h"
#include "manifests/git_work.h"
#include "manifests/listing.h"
#include "manifests/seen_to_go.h"
#include "manifests/volume_kind.h"

namespace bindery {

/// Finds manifest files that git's index tells of, that are missing and were not seen to go, or
/// have other content and were put into the index by somebody who did not write them: a checkout
/// began and did not end. That of a library like go-git or dulwich leaves no other trace. Also
/// tells of submodules that are not checked out, and that files went from in the run. Belongs to
/// one FactsKeeper.
class UnfinishedCheckouts {
 public:
  /// A file that was there is gone: somebody deleted it. `path`: relative to the directory.
  void NoteGone(std::string path);

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
  [[nodiscard]] std::optional<UnreadItem> ItemOf(const OpenRoot& root, const Listing& listing,
                                                 const GitIndexFile& file);
  [[nodiscard]] bool IsOlder(const OpenRoot& root, const GitIndexFile& file);

  std::map<std::string, Index> known_;  ///< By the path of the index.
  StampTrust stamps_;
  /// By path and id: files that have the content that the index says, by the stamps.
  std::map<std::pair<std::string, std::string>, FileStamp> as_said_;
  SeenToGo gone_;
  std::set<std::string> left_;  ///< Folders from which files went.
  std::vector<UnreadItem> items_;
  std::vector<Disturbance> damaged_;
};

}  // namespace bindery
