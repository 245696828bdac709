#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "admission/admission.h"

namespace bindery {

/// Who wants a claim: a manifest of the scan, or one in force whose successor was kept out.
struct Holder {
  std::string name;
  SourceRef source;
  Placement placement;
};

/// "x" (a.yaml:1)
[[nodiscard]] std::string NameAndSource(const std::string& name, const SourceRef& source);

/// "x" (a.yaml:1) and "y" (b.yaml:2): all but one.
[[nodiscard]] std::string NamesOf(const std::vector<Holder>& holders, const std::string& except);

/// Files and lines of all but one, with "and" between them.
[[nodiscard]] std::string PlacesOf(const std::vector<std::shared_ptr<const Manifest>>& manifests,
                                   const std::shared_ptr<const Manifest>& except);

/// Those of `all`, `holder` among them, whose claims overlap with its claim.
[[nodiscard]] std::vector<Holder> InTheWayOf(const Holder& holder, const std::vector<Holder>& all);

[[nodiscard]] std::string ClaimText(const Placement& placement);

/// What `holder` is told of the others who declare the same. `incumbent`: whose claim it was before
/// and stays; empty: none's.
[[nodiscard]] std::string ConflictText(const std::vector<Holder>& holders, const Holder& holder,
                                       const std::string& incumbent);

/// The same of a target that others declare through another provider.
[[nodiscard]] std::string ProviderConflictText(const std::vector<Holder>& holders,
                                               const Holder& holder);

/// What keeps others from the claim of a protected one whose manifest is gone, and what to do.
[[nodiscard]] std::string ProtectedText(const InForce& holder);

/// The same for one whose manifest may be back in a moment.
[[nodiscard]] std::string MissedText(const InForce& holder);

/// Of a file that declared that many manifests.
[[nodiscard]] std::string EmptiedText(std::size_t manifests);

}  // namespace bindery
