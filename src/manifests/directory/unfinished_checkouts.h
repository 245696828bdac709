#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "manifests/directory/directory.h"
#include "manifests/directory/listing.h"
#include "manifests/files/directory_facts.h"
#include "manifests/files/git_index.h"
#include "manifests/files/git_work.h"
#include "manifests/files/seen_to_go.h"
#include "manifests/files/volume_kind.h"

namespace bindery::manifests {

/// Finds manifest files of git's index that are missing without having been seen to go, or that
/// have a different content although the author of the index entry did not write the file: a
/// checkout began and did not end. A checkout by a library like go-git or dulwich leaves no further
/// trace. Also finds submodules that are not checked out, and that lost files during the run.
/// Belongs to one FactsKeeper.
class UnfinishedCheckouts {
 public:
  /// A known file is gone: somebody deleted the file. `path`: relative to the directory.
  void NoteGone(std::string path);

  /// A look at everything found `listing`, in these work trees. Blocks: reads the index of each
  /// where it changed.
  void Look(const OpenRoot& root, const Listing& listing, const std::vector<GitWork>& repositories,
            const DirectorySettings& settings);

  /// Items of the last look. A file that was seen to go is harmless, and reported so that a later
  /// run knows the file.
  [[nodiscard]] const std::vector<UnreadItem>& items() const { return items_; }
  /// An index in the middle of a write, or damaged.
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
  [[nodiscard]] std::optional<UnreadItem> MakeItem(const OpenRoot& root, const Listing& listing,
                                                   const GitIndexFile& file);
  [[nodiscard]] bool IsOlder(const OpenRoot& root, const GitIndexFile& file);

  std::map<std::string, Index> known_;  ///< By the path of the index.
  StampTrust stamps_;
  /// By path and id: files with the content of the index, by the stamps.
  std::map<std::pair<std::string, std::string>, FileStamp> as_said_;
  SeenToGo gone_;
  std::set<std::string> left_;  ///< Folders from which files went.
  std::vector<UnreadItem> items_;
  std::vector<Disturbance> damaged_;
};

}  // namespace bindery::manifests
