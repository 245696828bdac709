#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "manifests/directory/contents.h"
#include "manifests/directory/directory.h"
#include "manifests/directory/listing.h"
#include "manifests/directory/moved_files.h"
#include "manifests/directory/unfinished_checkouts.h"
#include "manifests/files/directory_facts.h"
#include "manifests/files/git_work.h"

namespace bindery::manifests {

/// Collects the findings of a directory's scans besides the manifests (DirectoryFacts). Remembers
/// facts that a single scan does not show: a known folder that was replaced. Belongs to one
/// DirectorySource, and to a single thread at a time.
class FactsKeeper {
 public:
  explicit FactsKeeper(const DirectorySettings& settings) : settings_(settings) {}

  /// Looks for the members of `known` that `listing` lacks. kAborted when such a member exists
  /// after all: the listing omits names, so it does not prove deletions.
  [[nodiscard]] std::optional<Error> CheckOmitted(const OpenRoot& root, const Listing& known,
                                                  const Listing& listing);

  /// These files of `known` are gone, and the next full look would not notice.
  void NoteGone(const Listing& known, const std::vector<std::string>& paths);

  /// Records the files in `read` that were open for writing when read.
  void NoteWriters(const Listing& read, const std::vector<std::string>& gone);

  /// The facts of a full look; `problems` are the problems of unreadable items.
  [[nodiscard]] DirectoryFacts Facts(const OpenRoot& root, const Listing& listing,
                                     const Contents& contents,
                                     const std::vector<Problem>& problems);

  /// The facts of a look at some listed files, after a full look.
  [[nodiscard]] DirectoryFacts HintedFacts(const Listing& present, const Contents& contents);

 private:
  void CheckFolder(const OpenRoot& root, const ListedFolder& known, const Listing& listing);
  [[nodiscard]] std::optional<std::string> OmittedFile(const OpenRoot& root,
                                                       const ListedFolder& known,
                                                       const Listing& listing);
  void FindMoved(const OpenRoot& root, const Listing& listing);
  [[nodiscard]] std::vector<UnreadItem> Unreadable(const OpenRoot& root, const Listing& listing,
                                                   const std::vector<Problem>& problems) const;
  [[nodiscard]] Ground FindGroundFacts(const OpenRoot& root, const Listing& listing);
  void FindRepositories(const OpenRoot& root, const Listing& listing);
  void NoteGone(std::string path, const FileStamp& stamp);
  void AddActivities(DirectoryFacts& facts) const;

  const DirectorySettings& settings_;
  std::set<std::string> writers_;   ///< Paths of files that were open for writing.
  std::set<std::string> replaced_;  ///< Paths of folders that are something else now.
  std::set<std::string> hidden_;    ///< Paths of hidden folders that had a name before.
  /// Files that are gone since the last look at everything.
  GoneFiles gone_;
  /// Known files and folders that are now in a hidden folder: their paths in the folder, and
  /// inodes.
  std::map<std::string, std::uint64_t> moved_;
  std::optional<std::string> omitted_;
  std::vector<UnreadItem> unreadable_;  ///< Of the last look at everything.
  std::vector<GitWork> git_;
  std::vector<std::string> other_trees_;  ///< Work trees of other version control.
  UnfinishedCheckouts checkouts_;
  std::set<std::string> mounts_;  ///< Paths of mounts that held something that was read.
};

}  // namespace bindery::manifests
