#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "controller/claims/claims.h"
#include "controller/claims/links.h"
#include "controller/claims/scan_input.h"
#include "controller/claims/scan_state.h"
#include "controller/evidence/removal_evidence.h"
#include "controller/placing/placer.h"

namespace bindery::controller {

/// Decides which manifests of a scan come into force: the judgement of admission/, fed with as
/// little as it takes. Changes nothing.
///
/// Invariant: where OfEdit gives a result, OfAll accepts the same manifests of the files that
/// changed, misses the same, and rejects, freezes and contests none. Requires: the links and the
/// project names have seen the scan. Lives for one scan.
class Admitter {
 public:
  /// Inputs.
  struct Sources {
    const Claims& claims;
    const Links& links;
    const RemovalEvidence& evidence;
    const ScanState& state;
    Placer placer;
  };
  explicit Admitter(const Sources& sources) : from_(sources) {}

  /// By the edit where that is enough, else all manifests.
  [[nodiscard]] admission::AdmissionResult Admit(const ScanInput& scan) const;
  /// By all manifests of the scan.
  [[nodiscard]] admission::AdmissionResult OfAll(const ScanInput& scan) const;
  /// From the changed files alone. Nothing if the scan or the scan before has an error, or if two
  /// manifests may conflict: a full admission is needed.
  [[nodiscard]] std::optional<admission::AdmissionResult> OfEdit(const ScanInput& scan) const;

 private:
  using Newcomers = std::map<std::string, admission::Admitted>;
  [[nodiscard]] std::optional<Newcomers> PlaceAll(const ScanEdit& edit) const;
  [[nodiscard]] std::set<std::string> MissingAfter(const ScanEdit& edit,
                                                   const Newcomers& newcomers) const;
  [[nodiscard]] bool AreFree(const Newcomers& newcomers,
                             const std::set<std::string>& missing) const;
  [[nodiscard]] bool IsFree(const admission::Placement& placement, const Newcomers& newcomers,
                            const std::set<std::string>& missing) const;
  [[nodiscard]] admission::AdmissionInput MakeInput(const ScanInput& scan) const;
  [[nodiscard]] std::set<std::string> WaitedBefore(
      const std::vector<std::shared_ptr<const manifests::Manifest>>& manifests) const;
  [[nodiscard]] tl::expected<admission::Resolved, admission::Unplaced> ResolveOrRefuse(
      const std::shared_ptr<const manifests::Manifest>& manifest) const;
  [[nodiscard]] Expected<admission::Placement> PlaceOrRefuse(
      const manifests::Manifest& manifest) const;

  Sources from_;
};

}  // namespace bindery::controller
