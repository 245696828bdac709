#include "report/access/observed_access.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/settings/accepted_drift.h"
#include "providers/registry/kinds.h"
#include "reconcilers/bindings.h"
#include "report/text/json_fields.h"

namespace bindery::report {
namespace {

constexpr const char* kEveryRole = "*";

std::string GrantKey(const Target& target, const Grant& grant) {
  std::string key =
      target.Key() + "\n" + grant.role + "\n" + NormalizePrincipal(target, grant.principal);
  if (grant.condition) {
    key += "\n" + grant.condition->expression + "\n" + grant.condition->title + "\n" +
           grant.condition->description;
  }
  return key;
}

/// Each once: the report counts the notes.
std::vector<Grant> GrantsIn(const Json& bindings, const reconcilers::KindTraits& traits) {
  std::vector<Grant> grants = reconcilers::ListGrants(bindings, traits.binding_words);
  if (traits.principals == nullptr) return grants;
  return reconcilers::DistinctGrants(std::move(grants), traits.principals->normal);
}

/// The grants of the policy are in a stored text. A missing policy grants nothing, or restricts
/// nobody.
bool IsInStore(const ObservedPolicy& policy) {
  return policy.scanned == nullptr &&
         (policy.exists || providers::GetTraits(policy.target).opens_to != nullptr);
}

Expected<std::vector<Grant>> GrantsBesideStore(const ObservedPolicy& policy) {
  if (policy.scanned == nullptr) return std::vector<Grant>{};
  const auto bindings = ParseJson(*policy.scanned);
  if (!bindings) return Fail(bindings.error().Wrap(policy.target.name));
  return GrantsIn(*bindings, providers::GetTraits(policy.GetRules()));
}

Expected<std::vector<ObservedPolicy>> LastPolicies(const store::ReportReader& store) {
  std::vector<ObservedPolicy> policies;
  const auto read = store.ReadTargets([&](store::TargetRecord&& record) {
    if (!record.observed || record.policy_digest.empty()) return;
    policies.push_back({record.target, record.observed_at, record.policy_digest, 0, record.exists});
  });
  if (!read) return Fail(read.error());
  return policies;
}

Expected<std::vector<ObservedPolicy>> PoliciesAt(const store::ReportReader& store, WallTime at) {
  std::vector<ObservedPolicy> policies;
  const auto read = store.ReadRevisionsInForce(at, [&](store::RevisionRecord&& record) {
    policies.push_back(RecordPolicy(std::move(record)));
  });
  if (!read) return Fail(read.error());
  return policies;
}

}  // namespace

ObservedPolicy RecordPolicy(store::RevisionRecord&& revision) {
  const bool exists = !revision.digest.empty();
  return {std::move(revision.target), revision.time, std::move(revision.digest), revision.id,
          exists};
}

Expected<std::vector<ObservedPolicy>> ObservedPolicies(const store::ReportReader& store,
                                                       std::optional<WallTime> at) {
  auto policies = at ? PoliciesAt(store, *at) : LastPolicies(store);
  if (!policies) return policies;
  std::sort(policies->begin(), policies->end(),
            [](const ObservedPolicy& a, const ObservedPolicy& b) { return a.target < b.target; });
  return policies;
}

std::vector<Grant> GrantsOfPolicy(const Target& target, const std::string& body) {
  const reconcilers::KindTraits& traits = providers::GetTraits(target);
  const Json policy = ObjectFromText(body);
  const Json* holder = &policy;
  for (const std::string& member : traits.bindings_in) holder = &ObjectMember(*holder, member);
  std::vector<Grant> grants = GrantsIn(ArrayMember(*holder, "bindings"), traits);
  if (grants.empty() && traits.opens_to != nullptr) grants.push_back({kEveryRole, traits.opens_to});
  return grants;
}

bool StandsForEverybody(const Target& target, const Grant& grant) {
  const char* opens_to = providers::GetTraits(target).opens_to;
  return opens_to != nullptr && grant.role == kEveryRole && grant.principal == opens_to;
}

Expected<std::vector<Grant>> GrantsUnder(const store::HistoryReader& store,
                                         const ObservedPolicy& policy) {
  if (!IsInStore(policy)) return GrantsBesideStore(policy);
  const auto body = store.Policy(policy.digest);
  if (!body) return Fail(body.error());
  return GrantsOfPolicy(policy.target, *body);
}

Expected<std::vector<std::vector<Grant>>> GrantsUnderEach(
    const store::HistoryReader& store, const std::vector<const ObservedPolicy*>& policies) {
  std::vector<std::string> digests;
  for (const ObservedPolicy* policy : policies) {
    if (IsInStore(*policy)) digests.push_back(policy->digest);
  }
  const auto bodies =
      digests.empty() ? Expected<std::vector<std::string>>(digests) : store.Policies(digests);
  if (!bodies) return Fail(bodies.error());
  std::vector<std::vector<Grant>> all;
  all.reserve(policies.size());
  auto body = bodies->begin();
  for (const ObservedPolicy* policy : policies) {
    if (IsInStore(*policy)) {
      all.push_back(GrantsOfPolicy(policy->target, *body++));
      continue;
    }
    auto grants = GrantsBesideStore(*policy);
    if (!grants) return Fail(grants.error());
    all.push_back(*std::move(grants));
  }
  return all;
}

std::string NormalizePrincipal(const Target& target, const std::string& principal) {
  const reconcilers::PrincipalRules* rules = providers::GetTraits(target).principals;
  return rules == nullptr ? principal : rules->normal(principal);
}

bool SameHolder(const Target& target, const Grant& one, const Grant& other) {
  return one.role == other.role &&
         NormalizePrincipal(target, one.principal) == NormalizePrincipal(target, other.principal);
}

EqualGrantKey MakeGrantKey(const reconcilers::PrincipalRules* rules, const Grant& grant) {
  return {grant.role, rules == nullptr ? grant.principal : rules->normal(grant.principal),
          grant.condition};
}

EqualGrantKey MakeGrantKey(const Target& target, const Grant& grant) {
  return MakeGrantKey(providers::GetTraits(target).principals, grant);
}

DriftByGrant::DriftByGrant(const Target& target, const std::vector<store::DriftRecord>& drift)
    : target_(target) {
  for (const store::DriftRecord& record : drift) {
    EqualGrantKey key = MakeGrantKey(target, record.item.grant);
    first_.try_emplace(key, &record);
    if (record.item.drift_class != DriftClass::kConditionChanged) continue;
    std::get<std::optional<Condition>>(key).reset();
    changed_[std::move(key)] = &record;
  }
}

const store::DriftRecord* DriftByGrant::Find(const Grant& grant) const {
  EqualGrantKey key = MakeGrantKey(target_, grant);
  if (const auto found = first_.find(key); found != first_.end()) return found->second;
  std::get<std::optional<Condition>>(key).reset();
  const auto changed = changed_.find(key);
  return changed == changed_.end() ? nullptr : changed->second;
}

std::vector<Grant> DeclaredGrants(const store::ResourceRecord& resource) {
  const reconcilers::Kind* kind = providers::KnownKinds().Find(resource.token);
  if (kind == nullptr) return {};
  std::vector<Grant> grants = kind->GrantsIn(ObjectFromText(resource.spec));
  std::erase_if(grants, [](const Grant& grant) { return IsSetting(grant.role); });
  return grants;
}

Expected<std::vector<store::DriftRecord>> ListUnresolvedDrift(const store::ReportReader& store,
                                                              const Target& target) {
  store::DriftFilter filter;
  filter.unresolved_only = true;
  filter.limit = std::numeric_limits<std::int32_t>::max();
  filter.target = target;
  return store.Drift(filter);
}

void GrantSources::Take(const store::ResourceRecord& resource) {
  if (!resource.accepted) return;
  const DeclaringManifest source{resource.name, resource.source_file, resource.source_line};
  for (const Grant& grant : DeclaredGrants(resource)) {
    sources_[GrantKey(resource.target, grant)] = source;
  }
}

void GrantSources::TakeDrift(const store::DriftRecord& record) {
  if (record.item.drift_class != DriftClass::kJustInTime) return;
  on_request_[GrantKey(record.target, record.item.grant)] =
      "just-in-time access " + AcceptanceInWords(record.item.acceptance.value_or(Acceptance()));
}

GrantSources GrantSources::Among(const std::vector<store::ResourceRecord>& resources,
                                 const std::vector<store::DriftRecord>& drift) {
  GrantSources sources;
  for (const store::ResourceRecord& resource : resources) sources.Take(resource);
  for (const store::DriftRecord& record : drift) sources.TakeDrift(record);
  return sources;
}

Expected<GrantSources> GrantSources::OnRequest(const store::ReportReader& store) {
  GrantSources sources;
  const auto drift = store.SnapshotDrift();
  if (!drift) return Fail(drift.error());
  auto read = (*drift)->EachSince(std::nullopt, [&](const store::DriftEntry& entry) {
    if (!entry.record.resolved_at) sources.TakeDrift(entry.record);
  });
  if (!read) return Fail(read.error());
  return sources;
}

Expected<void> GrantSources::TurnTo(const store::ReportReader& store,
                                    const std::set<Target>& targets) {
  const auto resources = store.ResourcesOnEach({targets.begin(), targets.end()});
  if (!resources) return Fail(resources.error());
  sources_.clear();
  for (const store::ResourceRecord& resource : *resources) Take(resource);
  return {};
}

Expected<GrantSources> GrantSources::OnRequest(const store::ReportReader& store,
                                               const std::set<Target>& targets) {
  // One by one while that is less than to read all there are.
  constexpr std::size_t kFew = 200;
  if (targets.size() > kFew) return OnRequest(store);
  GrantSources sources;
  for (const Target& target : targets) {
    const auto drift = ListUnresolvedDrift(store, target);
    if (!drift) return Fail(drift.error());
    for (const store::DriftRecord& record : *drift) sources.TakeDrift(record);
  }
  return sources;
}

std::string GrantSources::AccessOnRequest(const Target& target, const Grant& grant) const {
  if (on_request_.empty()) return "";
  const auto found = on_request_.find(GrantKey(target, grant));
  return found == on_request_.end() ? "" : found->second;
}

std::optional<DeclaringManifest> GrantSources::Of(const Target& target, const Grant& grant) const {
  const auto found = sources_.find(GrantKey(target, grant));
  return found == sources_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace bindery::report
