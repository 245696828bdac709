#include "report/explain/explain_report.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/settings/accepted_drift.h"
#include "providers/registry/kinds.h"
#include "report/access/condition_judge.h"
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
  return {};
}

Expected<ExplainedEvidence> ReadEvidence(const store::ReportReader& store,
                                         store::ResourceRecord resource,
                                         const std::optional<store::TargetRecord>& target) {
  ExplainedEvidence evidence;
  evidence.resource = std::move(resource);
  evidence.declared = DeclaredGrants(evidence.resource);
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
                              WallTime now, bool attribution) {
  const auto target = ObservedTarget(store, resource.target);
  if (!target) return Fail(target.error());
  const auto evidence = ReadEvidence(store, std::move(resource), *target);
  if (!evidence) return Fail(evidence.error());
  auto events = EventsReport(store, {.resource = evidence->resource.name, .limit = kEventsShown});
  if (!events) return Fail(events.error());
  auto holds = HoldsOn(store, evidence->resource.target.name);
  if (!holds) return Fail(holds.error());
  auto problems = ListProblems(store, evidence->resource);
  if (!problems) return Fail(problems.error());
  Attributions attributions(store, attribution);
  auto judge = ConditionJudge::At(now);
  Explanation explanation;
  static_cast<ReportedResource&>(explanation) =
      ResourceReport(evidence->resource, *target ? (*target)->observed_at : WallTime{}, judge);
  explanation.lookup = providers::IsLookup(evidence->resource.token);
  explanation.manifest_gone = IsLeaving(evidence->resource);
  if (!explanation.manifest_gone) {
    explanation.desired = MakeLines(evidence->resource.target, evidence->declared);
  }
  explanation.observed = ObservedIn(*evidence);
  explanation.grants = GrantRows({*evidence, judge, attributions});
  explanation.holds = std::move(*holds);
  explanation.problems = std::move(*problems);
  explanation.events = std::move(events->events);
  return explanation;
}

}  // namespace

Expected<Explanation> ExplainReport(const store::ReportReader& store, const std::string& name,
                                    WallTime now, bool attribution, std::size_t revisions) {
  return store::MakeTogether(store, [&]() -> Expected<Explanation> {
    auto resource = FindResource(store, name);
    if (!resource) return Fail(resource.error());
    const Target target = resource->target;
    auto explanation = Explain(store, *std::move(resource), now, attribution);
    if (!explanation || revisions == 0) return explanation;
    auto list = RevisionList(store, target, revisions);
    if (!list) return Fail(list.error());
    explanation->revisions = *std::move(list);
    return explanation;
  });
}

}  // namespace bindery::report
