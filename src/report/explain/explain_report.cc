#include "report/explain/explain_report.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/access/claim_part.h"
#include "core/settings/accepted_drift.h"
#include "providers/registry/kinds.h"
#include "reconcilers/kind.h"
#include "report/access/condition_judge.h"
#include "report/access/grant_classes.h"
#include "report/access/observed_access.h"
#include "report/access/principal_match.h"
#include "report/access/stored_names.h"
#include "report/explain/explain_grants.h"
#include "report/reports/problem_lines.h"
#include "report/reports/reports.h"
#include "report/reports/revision_report.h"
#include "report/text/json_fields.h"
#include "report/values/attributions.h"

namespace bindery::report {
namespace {

constexpr std::size_t kEventsShown = 10;

/// The target of the resource, if it was read.
Expected<std::optional<store::TargetRecord>> ObservedTarget(const store::ReportReader& store,
                                                            const Target& target) {
  const auto targets = store.TargetsNamed(target.name);
  if (!targets) return Fail(targets.error());
  for (const store::TargetRecord& record : *targets) {
    if (record.target == target && record.observed) return record;
  }
  return std::nullopt;
}

/// The manifest declares settings of the policy.
bool ClaimsSettings(const store::ResourceRecord& resource) {
  return resource.role == kPolicyAndSettings || IsSetting(resource.role);
}

/// What the manifest declares, settings of the policy as grants.
std::vector<Grant> ListDeclared(const store::ResourceRecord& resource) {
  if (!ClaimsSettings(resource)) return DeclaredGrants(resource);
  const reconcilers::Kind* kind = providers::KnownKinds().Find(resource.token);
  if (kind == nullptr) return {};
  return kind->GrantsIn(ObjectFromText(resource.spec));
}

/// The settings of the policy as grants: a kind compares them so.
std::vector<Grant> ListSettings(const reconcilers::Kind& kind, const std::string& policy) {
  reconcilers::Desired all;
  all.restore = ObjectFromText(policy);
  std::vector<Grant> settings = kind.Plan(all, {}).adds();
  std::erase_if(settings, [](const Grant& grant) { return !IsSetting(grant.role); });
  return settings;
}

/// The grants of the target.
Expected<void> ReadGrants(const store::ReportReader& store, ExplainedEvidence& evidence) {
  if (!evidence.target || evidence.target->policy_digest.empty()) return {};
  const store::TargetRecord& target = *evidence.target;
  auto grants = GrantsUnder(
      store, {target.target, target.observed_at, target.policy_digest, 0, target.exists});
  if (!grants) return Fail(grants.error());
  const reconcilers::Kind* kind = providers::KnownKinds().FindByTargets(target.target.kind.str());
  for (Grant& grant : *grants) {
    if (reconcilers::CoversOn(kind, evidence.resource.role, grant)) {
      evidence.observed.push_back(std::move(grant));
    } else {
      ++evidence.elsewhere;
    }
  }
  if (kind == nullptr || !target.exists || !ClaimsSettings(evidence.resource)) return {};
  const auto policy = store.Policy(target.policy_digest);
  if (!policy) return Fail(policy.error());
  for (Grant& setting : ListSettings(*kind, *policy)) {
    if (reconcilers::CoversOn(kind, evidence.resource.role, setting))
      evidence.observed.push_back(std::move(setting));
  }
  return {};
}

/// Why grants stay that no manifest declares, as a coverage counts them.
Expected<std::map<Grant, std::string>> FindKept(const store::ReportReader& store,
                                                const ExplainedEvidence& evidence,
                                                const std::vector<store::ResourceRecord>& resources,
                                                const ExplainQuery& query) {
  const Target& target = evidence.resource.target;
  const auto accepted = ReadAcceptedDrift(store, query.rules.accepted.get());
  if (!accepted) return Fail(accepted.error());
  std::map<Grant, std::string> kept;
  TargetGrants grants = DescribeTarget(target, resources, evidence.drift);
  if (grants.kind == nullptr) return kept;
  grants.grants = evidence.observed;
  std::erase_if(grants.grants, [&](const Grant& grant) {
    return IsSetting(grant.role) || StandsForEverybody(target, grant);
  });
  for (const ClassedGrant& classed : ClassGrants(grants, {query.rules, *accepted, query.now})) {
    const bool stays = classed.grant_class == GrantClass::kAccepted ||
                       classed.grant_class == GrantClass::kServiceAgent;
    if (stays) kept.emplace(classed.grant, ExplainKept(classed));
  }
  return kept;
}

Expected<ExplainedEvidence> ReadEvidence(const store::ReportReader& store,
                                         store::ResourceRecord resource,
                                         const std::optional<store::TargetRecord>& target,
                                         const ExplainQuery& query) {
  ExplainedEvidence evidence;
  evidence.resource = std::move(resource);
  evidence.declared = ListDeclared(evidence.resource);
  if (!providers::IsLookup(evidence.resource.token)) {
    evidence.target = target;
    if (auto read = ReadGrants(store, evidence); !read) return Fail(read.error());
  }
  const auto resources = store.ResourcesOn(evidence.resource.target);
  if (!resources) return Fail(resources.error());
  auto drift = ListUnresolvedDrift(store, evidence.resource.target);
  if (!drift) return Fail(drift.error());
  evidence.drift = std::move(*drift);
  evidence.others = GrantSources::Among(*resources, evidence.drift);
  auto kept = FindKept(store, evidence, *resources, query);
  if (!kept) return Fail(kept.error());
  evidence.kept = *std::move(kept);
  return evidence;
}

std::vector<GrantLine> MakeLines(const Target& target, const std::vector<Grant>& grants) {
  const GrantWords& words = providers::GetTraits(target).words;
  std::vector<GrantLine> lines;
  for (const Grant& grant : grants) lines.push_back({grant, words});
  return lines;
}

std::optional<ObservedGrants> ObservedIn(const ExplainedEvidence& evidence) {
  if (!evidence.target) return std::nullopt;
  const store::TargetRecord& target = *evidence.target;
  return ObservedGrants{target.observed_at, target.exists, target.etag,
                        MakeLines(evidence.resource.target, evidence.observed), evidence.elsewhere};
}

/// The holds on the target.
Expected<std::vector<HoldLine>> HoldsOn(const store::ReportReader& store,
                                        const std::string& target) {
  auto report = GuardReport(store);
  if (!report) return Fail(report.error());
  std::erase_if(report->holds, [&](const HoldLine& hold) {
    return std::ranges::find(hold.targets, target, &HeldTarget::target) == hold.targets.end();
  });
  return std::move(report->holds);
}

/// The errors of the resource's manifest, or of a part of its file without a name: the part may
/// declare the resource.
Expected<std::vector<ProblemLine>> ListProblems(const store::ReportReader& store,
                                                const store::ResourceRecord& resource) {
  const auto records = store.ProblemsAbout(resource.name, resource.source_file);
  if (!records) return Fail(records.error());
  std::vector<ProblemLine> problems;
  for (const store::ManifestProblemRecord& record : *records) {
    problems.push_back(LineOfProblem(record));
  }
  return problems;
}

Expected<Explanation> Explain(const store::ReportReader& store, store::ResourceRecord resource,
                              const ExplainQuery& query) {
  const auto target = ObservedTarget(store, resource.target);
  if (!target) return Fail(target.error());
  auto evidence = ReadEvidence(store, std::move(resource), *target, query);
  if (!evidence) return Fail(evidence.error());
  auto events = EventsReport(store, {.resource = evidence->resource.name, .limit = kEventsShown});
  if (!events) return Fail(events.error());
  auto holds = HoldsOn(store, evidence->resource.target.name);
  if (!holds) return Fail(holds.error());
  auto problems = ListProblems(store, evidence->resource);
  if (!problems) return Fail(problems.error());
  Attributions attributions(store, query.attribution);
  auto judge = ConditionJudge::At(query.now);
  Explanation explanation;
  static_cast<ReportedResource&>(explanation) =
      ResourceReport(evidence->resource, *target ? (*target)->observed_at : WallTime{}, judge);
  explanation.claim = evidence->resource.role;
  explanation.policy = evidence->resource.target.kind.str();
  explanation.lookup = providers::IsLookup(evidence->resource.token);
  explanation.manifest_gone = IsLeaving(evidence->resource);
  if (!explanation.manifest_gone) {
    explanation.desired = MakeLines(evidence->resource.target, evidence->declared);
  }
  explanation.observed = ObservedIn(*evidence);
  const DriftByGrant by_grant(evidence->resource.target, evidence->drift);
  explanation.grants = GrantRows({*evidence, by_grant, judge, attributions});
  explanation.holds = std::move(*holds);
  explanation.problems = std::move(*problems);
  explanation.events = std::move(events->events);
  return explanation;
}

}  // namespace

Expected<Explanation> ExplainReport(const store::ReportReader& store, const ExplainQuery& query) {
  return store::MakeTogether(store, [&]() -> Expected<Explanation> {
    auto resource = FindResource(store, query.name);
    if (!resource) return Fail(resource.error());
    const Target target = resource->target;
    auto explanation = Explain(store, *std::move(resource), query);
    if (!explanation || query.revisions == 0) return explanation;
    auto list = RevisionList(store, target, query.revisions);
    if (!list) return Fail(list.error());
    explanation->revisions = *std::move(list);
    return explanation;
  });
}

}  // namespace bindery::report
