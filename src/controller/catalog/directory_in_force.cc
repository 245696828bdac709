#include "controller/catalog/directory_in_force.h"

#include <algorithm>
#include <string>
#include <utility>

#include "controller/catalog/manifest_holder.h"
#include "controller/catalog/scan_transaction.h"
#include "controller/claims/claim_status.h"
#include "controller/claims/held_back.h"
#include "controller/placing/project_mentions.h"

namespace bindery::controller {

ScanOutcome DirectoryInForce::Apply(const ScanInput& scan, const Now& now, bool all_wait) {
  auto& [kinds, settings, claims, links, ages, evidence, project_names, state] = parts_;
  const Placer placer = MakePlacer();
  ScanTransaction transaction({claims, links, ages, evidence, state, placer}, scan, now);
  links.NoteTemplates(scan);
  // While nothing waits, what did not change needs no second look.
  const bool news_only = state.sound && !scan.again && !state.placed_otherwise;
  NoteProjects(scan, news_only, placer, settings, project_names);
  NoteClaims(claims, project_names);
  transaction.TakeFormerNames();
  admission::AdmissionResult result =
      Admitter({claims, links, evidence, state, placer}).Admit(scan);
  transaction.BringIntoForce(result);
  ScanOutcome outcome = transaction.Finish(all_wait);
  files_.Remember(scan, outcome.change);
  for (const admission::Rejected& rejected : result.rejected) {
    outcome.change.forget_files.push_back(rejected.source.file);
  }
  outcome.conflicts = std::move(result.problems);
  files_.RecordScan(scan, now, outcome);
  return outcome;
}

std::optional<Error> DirectoryInForce::WouldEmpty(const ScanInput& scan) const {
  if (scan.manifests > 0) return std::nullopt;
  const Admitter admitter(
      {parts_.claims, parts_.links, parts_.evidence, parts_.state, MakePlacer()});
  if (admitter.OfAll(scan).missing.empty()) return std::nullopt;
  return Error{Code::kFailedPrecondition,
               "the manifests directory holds files, but no manifest any more" +
                   std::string(manifests::kNothingDeleted)};
}

void DirectoryInForce::NoteUnreadable(ResourceEntry& entry, const std::string& why) {
  MarkUnreadable(entry, why);
  parts_.state.sound = false;
}

bool DirectoryInForce::AwaitsOthers() const {
  return parts_.links.has_templates() || awaits_forget() || parts_.project_names.waits() ||
         !parts_.state.missing_once.empty();
}

std::vector<std::string> DirectoryInForce::HeldByItems() const {
  std::vector<std::string> names;
  if (parts_.state.sound) return names;
  for (const auto& [name, entry] : parts_.claims.resources()) {
    const bool frozen = entry.evidence.age.absent && entry.evidence.missing_scans == 0;
    if (!entry.accepted || !entry.standing.rejected || !(frozen || IsHeldBack(entry))) continue;
    if (GetHolder(entry, parts_.evidence) != nullptr) names.push_back(name);
  }
  return names;
}

bool DirectoryInForce::HasLostHolder(const std::vector<std::string>& names) const {
  return std::ranges::any_of(names, [this](const std::string& name) {
    const ResourceEntry* const entry = parts_.claims.FindResource(name);
    return entry != nullptr && GetHolder(*entry, parts_.evidence) == nullptr;
  });
}

bool DirectoryInForce::awaits_forget() const {
  const bool unclear = parts_.project_names.HasGivenUp() && !parts_.state.sound;
  return parts_.state.awaits_forget || unclear;
}

}  // namespace bindery::controller
