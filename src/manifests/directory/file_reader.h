#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "manifests/directory/listing.h"

namespace bindery::manifests {

/// What reading added to a listing besides the contents.
struct ReadOutcome {
  std::vector<Problem> problems;  ///< Of files that could not be read; their content is null.
  std::size_t parsed = 0;         ///< Files the loader was called for.
  bool rewritten = false;         ///< A file changed without its stamp changing.
  /// A file where the system does not tell whether the file is open for writing.
  std::string writers_unknown{};

  /// No file had a new content.
  [[nodiscard]] bool FoundNothingNew() const {
    return parsed == 0 && !rewritten && problems.empty();
  }
};

/// Takes over the knowledge of a file from an earlier look at it.
void AdoptContent(const ListedFile& known, ListedFile& file);

/// Takes over the contents of files that are unchanged since `known`, proved by their stamps. Adds
/// to `orphans` the recorded paths that are not listed any more.
void AdoptContents(const Listing& known, Listing& listing, std::set<std::string>& orphans);

/// The same where both list the same, in the place of `known`: no name is looked up. Only what
/// SameListing does not compare is left unchanged in `listing`.
void KeepFiles(Listing&& known, Listing& listing);

/// Reads and decodes the files of `listing` without a content, or with a stamp that does not prove
/// the content, on several threads if many. kAborted when a file is not the listed file any more;
/// the remaining files have been read by then.
[[nodiscard]] Expected<ReadOutcome> ReadFiles(const OpenRoot& root,
                                              const DirectorySettings& settings,
                                              const FileLoader& loader, Listing& listing);

}  // namespace bindery::manifests
