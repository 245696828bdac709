#include "controller/catalog/kept_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "controller/claims/former_claims.h"
#include "controller/claims/status_code.h"

namespace bindery::controller {
namespace {

/// The statuses of resources that still have undeclared grants.
bool Keeps(const ResourceEntry& entry) {
  constexpr std::array kKeeping = {StatusCode::kGuardHeld, StatusCode::kRemovalBlocked,
                                   StatusCode::kRemovalPending};
  const StatusCode code = GetCode(*entry.standing.status);
  if (std::ranges::find(kKeeping, code) != kKeeping.end()) return true;
  return entry.leaving() && code != StatusCode::kDeleting;
}

std::string WhyOneIsKept(const ResourceEntry& entry) {
  std::string why = WhyInForce(entry);
  return why.empty() && entry.accepted && Keeps(entry) ? entry.standing.status->message : why;
}

}  // namespace

std::string WhyInForce(const ResourceEntry& entry) {
  if (!entry.accepted || entry.leaving()) return "";
  if (entry.standing.rejected != nullptr) return (*entry.standing.rejected)->message;
  if (entry.evidence.missing_scans == 0) return "";
  return "the last scan did not find its manifest (" + entry.source().Text() +
         "): it is gone when the next scan does not find it either";
}

std::string WhyKept(const Catalog& catalog, const ResourceEntry& entry, const Now& now) {
  if (!entry.accepted) return "";
  const RemovalEvidence& evidence = catalog.evidence();
  if (!evidence.rest().looked()) {
    return "the manifests directory has not been read since the start";
  }
  std::string why = WhyOneIsKept(entry);
  for (const std::string& former : catalog.claims().former().Of(entry.name)) {
    const ResourceEntry* before = catalog.claims().FindResource(former);
    if (why.empty() && before != nullptr) why = WhyOneIsKept(*before);
  }
  if (!why.empty()) return why;
  const EvidenceVerdict rest = evidence.rest().Judge(evidence.look(), now);
  return rest.answer == EvidenceAnswer::kBlocked ? rest.why : "";
}

std::string KeptSummary(const Catalog& catalog) {
  std::size_t count = 0;
  std::string first;
  for (const auto& [name, entry] : catalog.claims().resources()) {
    const std::string why = WhyInForce(entry);
    if (!why.empty() && count++ == 0) first = fmt::format("{}: {}", name, why);
  }
  if (count == 0) return "";
  return fmt::format("{} resource{} kept as before: {}", count, count == 1 ? " is" : "s are",
                     first);
}

}  // namespace bindery::controller
