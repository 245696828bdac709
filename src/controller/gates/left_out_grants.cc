#include "controller/gates/left_out_grants.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "controller/gates/engine_work.h"
#include "controller/gates/target_work.h"
#include "reconcilers/change_words.h"

namespace bindery::controller {
namespace {

/// "roles/viewer for user:ana@example.com, … and 2 more"
std::string GrantList(const std::vector<const LeftOutGrant*>& grants) {
  constexpr std::size_t kShown = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(grants.size(), kShown); ++i) {
    const Grant& grant = grants[i]->declared.grant;
    text += fmt::format("{}{} for {}", i == 0 ? "" : ", ", RoleText(grant), grant.principal);
  }
  if (grants.size() > kShown) text += fmt::format(" and {} more", grants.size() - kShown);
  return text;
}

/// "this alone is left out of writes", for the grants of a message, with `others` left out for
/// further reasons.
std::string LeftOutText(std::size_t named, std::size_t others) {
  if (others > 0) {
    return fmt::format(
        "{} left out of writes, with {} more grant{} of the manifest for other "
        "reasons",
        named == 1 ? "this is" : "these are", others, others == 1 ? "" : "s");
  }
  return named == 1 ? "this alone is left out of writes" : "these alone are left out of writes";
}

/// The status of a resource with grants left out for the same reason, and `others` for further
/// reasons.
ResourceStatus StatusOfLeftOut(const std::string& name,
                               const std::vector<const LeftOutGrant*>& grants, std::size_t others) {
  const LeftOutGrant& first = *grants.front();
  const std::string words = ToString(first.error);
  const std::string list = GrantList(grants);
  const std::string code(ToString(first.error.code));
  switch (first.as) {
    case LeftOutAs::kRefused:
      return {ResourceState::kStalled, code,
              fmt::format("{}; refused: {}; {}: correct the manifest, or create what is missing; "
                          "it is tried again when the manifest changes, at growing intervals, or "
                          "now: bindery reconcile --now \"{}\"",
                          words, list, LeftOutText(grants.size(), others), name)};
    case LeftOutAs::kSuspect:
      return {ResourceState::kStalled, code,
              fmt::format("{}; the service does not say which of several additions it refuses; "
                          "left out of writes until that is found out: {}",
                          words, list)};
    case LeftOutAs::kNew:
      return {ResourceState::kReconciling, std::string(reason::kProgressingWithRetry),
              fmt::format("{}; refused: {}; services learn of a new account or project within "
                          "minutes: bindery tries again, and takes the refusal as final after 10m",
                          words, list)};
    case LeftOutAs::kSearched:
      break;
  }
  return {ResourceState::kReconciling, std::string(reason::kProgressing),
          fmt::format("{}; which addition the service refuses is being found out; left out of "
                      "writes until then: {}",
                      words, list)};
}

}  // namespace

std::vector<DeclaredGrant> AsDeclaredBy(const CheckJob& job, const reconcilers::Desired& desired,
                                        const std::vector<Grant>& grants) {
  std::map<std::string, std::string> digests;
  for (const DeclaredClaim& one : job.declared) {
    if (one.manifest != nullptr) digests[one.manifest->name] = one.manifest->digest.Hex();
  }
  std::map<Grant, std::string> manifests;
  for (const Grant& grant : grants) manifests[grant];
  for (const reconcilers::Claim& claim : desired.claims) {
    const auto digest = digests.find(claim.resource);
    if (digest == digests.end()) continue;
    for (const Grant& grant : claim.declaration.grants) {
      if (const auto at = manifests.find(grant); at != manifests.end())
        at->second += digest->second;
    }
  }
  std::vector<DeclaredGrant> declared;
  for (const Grant& grant : grants) declared.push_back({grant, manifests.at(grant)});
  return declared;
}

std::size_t LeftOutIn(const reconcilers::TargetPlan& plan) {
  return static_cast<std::size_t>(
      std::ranges::count_if(plan.changes, [](const reconcilers::GrantChange& change) {
        return change.added() != nullptr && change.IsStoppedBy(reconcilers::Gate::kRefusedGrants);
      }));
}

std::vector<std::pair<std::string, ResourceStatus>> StatusesOfLeftOut(
    const CheckJob& job, const reconcilers::TargetPlan& plan) {
  std::vector<std::pair<std::string, ResourceStatus>> statuses;
  if (job.left_out == nullptr) return statuses;
  std::map<Grant, const LeftOutGrant*> known;
  for (const LeftOutGrant& one : *job.left_out) known.emplace(one.declared.grant, &one);
  std::map<std::string, std::vector<const LeftOutGrant*>> by_resource;
  std::map<const LeftOutGrant*, std::string> deleted;
  for (const reconcilers::GrantChange& change : plan.changes) {
    if (change.added() == nullptr || !change.IsStoppedBy(reconcilers::Gate::kRefusedGrants))
      continue;
    const auto why = known.find(*change.added());
    if (why == known.end()) continue;
    by_resource[change.resource].push_back(why->second);
    if (change.drift_class == DriftClass::kPrincipalDeleted)
      deleted.emplace(why->second, reconcilers::DeletedPrincipalText(change));
  }
  for (const auto& [name, all] : by_resource) {
    // A refusal by the service comes first, then a suspicion.
    const auto* const first =
        *std::ranges::min_element(all, [](const auto* a, const auto* b) { return a->as < b->as; });
    std::vector<const LeftOutGrant*> alike;
    std::ranges::copy_if(all, std::back_inserter(alike), [first](const auto* one) {
      return one->as == first->as && one->error.message == first->error.message;
    });
    ResourceStatus status = StatusOfLeftOut(name, alike, all.size() - alike.size());
    if (const auto told = deleted.find(first);
        told != deleted.end() && first->as == LeftOutAs::kRefused) {
      status.reason = reason::kPrincipalDeleted;
      status.message = told->second + "; " + status.message;
    }
    statuses.emplace_back(name, std::move(status));
  }
  return statuses;
}

}  // namespace bindery::controller
