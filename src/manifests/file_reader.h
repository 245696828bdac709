#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "core/expected.h"
#include "manifests/listing.h"

namespace bindery {

/// What reading added to a listing besides the contents.
struct ReadOutcome {
  std::vector<Problem> problems;  ///< Of files that could not be read; their content is null.
  std::size_t parsed = 0;         ///< Files the loader was called for.
  bool rewritten = false;         ///< A file changed without its stamp changing.
  /// A file of which the system does not tell whether somebody has it open for writing.
  std::string writers_unknown{};

  /// Everything holds what it was known to hold.
  [[nodiscard]] bool FoundNothingNew() const {
    return parsed == 0 && !rewritten && problems.empty();
  }
};

/// Takes over the knowledge of a file from an earlier look at it.
void AdoptContent(const ListedFile& known, ListedFile& file);

/// Takes over the contents of what is unchanged since `known`, whose stamps vouch for it. Adds to
/// `orphans` the paths that are not listed any more but are on record.
void AdoptContents(const Listing& known, Listing& listing, std::set<std::string>& orphans);

/// The same where both list the same, in the place of `known`: no name is looked up. Only what
/// SameListing does not compare is left unchanged in `listing`.
void KeepFiles(Listing&& known, Listing& listing);

/// Reads and decodes the files of `listing` without a content, or whose stamp does not vouch for
/// it, on several threads when there is much to read. kAborted when one is not what was listed any
/// more; the others have been read by then.
[[nodiscard]] Expected<ReadOutcome> ReadFiles(const OpenRoot& root,
                                              const DirectorySettings& settings,
                                              const FileLoader& loader, Listing& listing);

}  // namespace bindery
