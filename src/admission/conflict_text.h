#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "admission/admission.h"

namespace bindery::admission {

/// A claimant: a manifest of the scan, or a manifest in force whose successor was kept out.
struct Holder {
  std::string name;
  manifests::SourceRef source;
  Placement placement;
};

/// Some of a list of claimants. The list outlives the pointers.
using Holders = std::vector<const Holder*>;

/// "x" (a.yaml:1)
[[nodiscard]] std::string NameAndSource(const std::string& name,
                                        const manifests::SourceRef& source);

/// "x" (a.yaml:1) and "y" (b.yaml:2): all but one. Of many the first ones and the number of the
/// others, as in every list of names here.
[[nodiscard]] std::string ListNames(const std::vector<Holder>& holders, const std::string& except);

/// Files and lines of all holders but one, with "and" between the places.
[[nodiscard]] std::string ListPlaces(
    const std::vector<std::shared_ptr<const manifests::Manifest>>& manifests,
    const std::shared_ptr<const manifests::Manifest>& except);

/// The members of `all`, `holder` included, whose claims overlap with the claim of `holder`.
[[nodiscard]] Holders FindInTheWay(const Holder& holder, const std::vector<Holder>& all);

[[nodiscard]] std::string ClaimText(const Placement& placement);

/// The message for `holder` about the other holders of the same claim. `incumbent`: the former
/// holder of the claim, who keeps the claim and is named first; empty: none.
[[nodiscard]] std::string ConflictText(const Holders& holders, const Holder& holder,
                                       const std::string& incumbent);

/// The same message for a target that is declared through a second provider.
[[nodiscard]] std::string ProviderConflictText(const std::vector<Holder>& holders,
                                               const Holder& holder);

/// Why the claim of a protected, deleted manifest is blocked, and the remedy.
[[nodiscard]] std::string ProtectedText(const InForce& holder);

/// The same for a manifest that may come back in a moment.
[[nodiscard]] std::string MissedText(const InForce& holder);

/// The message for a file that declared `manifests` manifests.
[[nodiscard]] std::string EmptiedText(std::size_t manifests);

}  // namespace bindery::admission
