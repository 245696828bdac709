#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/access/target_key.h"
#include "manifests/directory/directory.h"
#include "store/ports/change.h"

namespace bindery::controller {

/// The differences of a scan from the scan in force before.
struct ScanEdit {
  std::vector<std::shared_ptr<const manifests::FileContent>>
      now;  ///< Files that are new or different.
  std::vector<std::shared_ptr<const manifests::FileContent>>
      before;  ///< What these, and those gone, held.
};

/// The findings of a finished scan, for the catalog.
struct ScanInput {
  manifests::FileList files;                 ///< All there are.
  std::size_t manifests = 0;                 ///< In all of them.
  std::optional<ScanEdit> edit;              ///< Nothing: not known, look at all of them.
  std::vector<manifests::Problem> problems;  ///< All there are, those within files included.
  std::set<std::string> broken_files;        ///< Could not be read or decoded at all.
  std::string digest;                        ///< Of everything: for people and the record.
  manifests::DirectoryFacts facts = {};  ///< How far it can be believed when something is missing.

  /// The last scan once more: outputs that manifests refer to have changed, the directory has not.
  bool again = false;

  std::vector<manifests::DirectoryScan::Remembered> remember =
      {};                                    ///< Files to be known at the next start.
  std::vector<std::string> unremember = {};  ///< Files to be read then.

  [[nodiscard]] std::vector<std::shared_ptr<const manifests::Manifest>> Manifests() const;
};

/// The changes by a scan of the directory.
struct ScanOutcome {
  store::StoreChange change;
  std::vector<TargetKey> changed_targets;  ///< To be checked now.
  std::vector<manifests::Problem> conflicts;
  std::int64_t declared_before = 0;   ///< As Claims::DeclaredGrants, before this scan.
  bool confirm = false;               ///< Manifests are missing: one more scan must confirm it.
  std::vector<std::string> previews;  ///< Packages in preview that are used for the first time.
};

}  // namespace bindery::controller
