#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "manifests/contents.h"
#include "manifests/directory.h"
#include "manifests/directory_facts.h"
#include "manifests/git_work.h"
#include "manifests/listing.h"
#include "manifests/moved_files.h"
#include "manifests/unfinished_checkouts.h"

namespace bindery {

/// Collects what the scans of one directory tell besides its manifests (DirectoryFacts). Remembers
/// what one scan alone does not show: a known folder in whose place there is something else.
/// Belongs to one DirectorySource, and like it to one thread at a time.
class FactsKeeper {
 public:
  explicit FactsKeeper(const DirectorySettings& settings) : settings_(settings) {}

  /// Looks for what `known` lists and `listing` does not. kAborted when it is there after all: the
  /// listing omits names, so it says nothing about what is gone.
  [[nodiscard]] std::optional<Error> CheckOmitted(const OpenRoot& root, const Listing& known,
                                                  const Listing& listing);

  /// These files of `known` are gone, which the next look at everything would not notice.
  void NoteGone(const Listing& known, const std::vector<std::string>& paths);

  /// Which of the files in `read` were open for writing when they were read.
  void NoteWriters(const Listing& read, const std::vector<std::string>& gone);

  /// Of a look at everything; `problems` are those of what could not be read.
  [[nodiscard]] DirectoryFacts Facts(const OpenRoot& root, const Listing& listing,
                                     const Contents& contents,
                                     const std::vector<Problem>& problems);

  /// Of a look at some files, which are listed, after one at everything.
  [[nodiscard]] DirectoryFacts HintedFacts(const Listing& present, const Contents& contents);

 private:
  void CheckFolder(const OpenRoot& root, const ListedFolder& known, const Listing& listing);
  [[nodiscard]] std::optional<std::string> OmittedFile(const OpenRoot& root,
                                                       const ListedFolder& known,
                                                       const Listing& listing);
  void FindMoved(const OpenRoot& root, const Listing& listing);
  [[nodiscard]] std::vector<UnreadItem> Unreadable(const OpenRoot& root, const Listing& listing,
                                                   const std::vector<Problem>& problems) const;
  [[nodiscard]] Ground GroundOf(const OpenRoot& root, const Listing& listing);
  void FindRepositories(const OpenRoot& root, const Listing& listing);
  void NoteGone(std::string path, const FileStamp& stamp);
  void AddActivities(DirectoryFacts& facts) const;

  const DirectorySettings& settings_;
  std::set<std::string> writers_;   ///< Paths of files that were open for writing.
  std::set<std::string> replaced_;  ///< Paths of folders that are something else now.
  std::set<std::string> hidden_;    ///< Paths of hidden folders that had a name before.
  /// Files that are gone since the last look at everything.
  GoneFiles gone_;
  /// Known files and folders that are in a hidden folder now: their paths there, and inodes.
  std::map<std::string, std::uint64_t> moved_;
  std::optional<std::string> omitted_;
  std::vector<UnreadItem> unreadable_;  ///< Of the last look at everything.
  std::vector<GitWork> git_;
  UnfinishedCheckouts checkouts_;
  std::set<std::string> mounts_;  ///< Paths of mounts that held something that was read.
};

}  // namespace bindery
