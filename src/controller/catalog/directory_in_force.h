#pragma once

#include <optional>
#include <string>
#include <vector>

#include "controller/catalog/admitter.h"
#include "controller/catalog/file_memory.h"
#include "controller/catalog/last_scan.h"
#include "controller/claims/catalog_settings.h"
#include "controller/claims/claims.h"
#include "controller/claims/links.h"
#include "controller/claims/scan_input.h"
#include "controller/claims/scan_state.h"
#include "controller/evidence/claim_ages.h"
#include "controller/placing/placer.h"

namespace bindery::controller {

/// The state of the manifests directory in force: brings scan after scan into force, and knows
/// whether the last scan would have a different result by now.
///
/// Invariants: a scan comes into force as a whole: admission (Admitter), then the claims
/// (ScanTransaction), then what the store is told of the files (FileMemory). The state is sound
/// only while all that the last scan found is in force. Belongs to the loop thread; all arguments
/// outlive the object. Reads no clock: callers pass the time.
class DirectoryInForce {
 public:
  /// The parts of the object.
  struct Parts {
    const providers::Kinds& kinds;
    const CatalogSettings& settings;
    Claims& claims;
    Links& links;
    ClaimAges& ages;
    RemovalEvidence& evidence;
    ProjectNames& project_names;
    ScanState& state;
  };
  explicit DirectoryInForce(const Parts& parts)
      : parts_(parts), files_(parts.claims, parts.settings) {}

  /// Takes over the last scan that `other` keeps.
  void CopyFrom(const DirectoryInForce& other) { last_scan_ = other.last_scan_; }

  /// Brings a consistent scan into force. A sound edit of a sound directory costs what was edited,
  /// however large the rest is. `all_wait`: as ScanTransaction::Finish.
  [[nodiscard]] ScanOutcome Apply(const ScanInput& scan, const Now& now, bool all_wait = false);
  /// Why the scan must not come into force: it holds no manifest, and some in force would be taken
  /// for deleted. More likely it was made by mistake, as an empty directory is.
  [[nodiscard]] std::optional<Error> WouldEmpty(const ScanInput& scan) const;
  /// The declaration of a resource is unreadable: nothing is done in its name.
  void NoteUnreadable(ResourceEntry& entry, const std::string& why);

  /// The last scan may come into force otherwise although the directory stays unchanged: a manifest
  /// depends on others, on what a protected one holds, or on an answer of a service.
  [[nodiscard]] bool AwaitsOthers() const;
  /// The names of resources that are kept because an unread item may hold the manifest. Visits all
  /// resources unless all that the last scan found is in force.
  [[nodiscard]] std::vector<std::string> HeldByItems() const;
  /// The last look did not find the item that was thought to hold one of the `names`: a scan has to
  /// decide about the manifest.
  [[nodiscard]] bool HasLostHolder(const std::vector<std::string>& names) const;
  /// A manifest of the last scan is blocked by a protected resource, or perhaps by a policy in
  /// force under a second name.
  [[nodiscard]] bool awaits_forget() const;
  [[nodiscard]] FileMemory& files() { return files_; }
  [[nodiscard]] LastScan& last_scan() { return last_scan_; }
  [[nodiscard]] const LastScan& last_scan() const { return last_scan_; }

 private:
  [[nodiscard]] Placer MakePlacer() const {
    return {parts_.kinds, parts_.settings, parts_.project_names};
  }

  Parts parts_;
  FileMemory files_;
  LastScan last_scan_;
};

}  // namespace bindery::controller
