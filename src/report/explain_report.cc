#include "report/explain_report.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/accepted_drift.h"
#include "providers/kinds.h"
#include "report/attributions.h"
#include "report/condition_judge.h"
#include "report/drift_items.h"
#include "report/json_fields.h"
#include "report/observed_access.h"
#include "report/principal_match.h"
#include "report/problem_lines.h"
#include "report/reports.h"
#include "report/stored_names.h"

namespace bindery {
namespace {

using report::ConditionJudge;

constexpr std::size_t kEventsShown = 10;

/// What is on record of the resource and its target.
struct Evidence {
  ResourceRecord resource;
  std::optional<TargetRecord> target;  ///< Once it was read.
  std::vector<Grant> declared;
  std::vector<Grant> observed;  ///< Of what the resource claims there.
  std::size_t elsewhere = 0;    ///< Observed grants that it does not claim.
  std::vector<DriftRecord> drift;
  report::GrantSources others = {};  ///< What other manifests in force declare there.
};

bool Same(const Target& target, const Grant& one, const Grant& other) {
  return one.condition == other.condition && report::SameHolder(target, one, other);
}

template <typename Fits>
const Grant* FindGrant(const std::vector<Grant>& grants, const Fits& fits) {
  const auto found = std::find_if(grants.begin(), grants.end(), fits);
  return found == grants.end() ? nullptr : &*found;
}

/// A state, and why.
struct State {
  GrantState state = GrantState::kUnknown;
  std::string reason;
};

/// "payments-viewers (teams/payments.yaml:3)"
std::string Text(const DeclaringManifest& source) {
  return source.resource + " (" + source.file + ":" + std::to_string(source.line) + ")";
}

/// Of a grant in the manifest of a resource that is not in force.
State StateNotInForce(const Evidence& evidence, const Grant& grant, bool there) {
  const auto holder = evidence.others.Of(evidence.resource.target, grant);
  if (!there) return {GrantState::kNotInForce, "not in the policy: its manifest is not in force"};
  return {GrantState::kNotInForce,
          "in the policy, " + (holder ? "by " + Text(*holder)
                                      : std::string("and no manifest in force declares it"))};
}

/// Two scans missed its manifest: what it granted goes, or waits for that.
bool IsLeaving(const ResourceRecord& resource) {
  return resource.accepted && resource.missing_scans >= 2;
}

/// Of a grant of a manifest that is gone. What the status says of it is why it is still there.
State StateOfLeaving(const Evidence& evidence, const Grant& grant, bool there) {
  if (!there) {
    return evidence.target
               ? State{GrantState::kGone, "its manifest is gone, and it is not in the policy"}
               : State{GrantState::kUnknown, "its target was not read yet"};
  }
  const auto holder = evidence.others.Of(evidence.resource.target, grant);
  if (holder && holder->resource != evidence.resource.name) {
    return {GrantState::kDeclared, "declared by " + Text(*holder)};
  }
  const ResourceStatus& status = evidence.resource.status;
  const bool stays = status.reason == reason::kProtected || status.reason == "Retained" ||
                     status.reason == reason::kDriftObserved;
  const bool told = status.message.starts_with("its manifest");
  return {stays ? GrantState::kStays : GrantState::kLeaving,
          (told ? "" : "its manifest is gone; ") + status.message};
}

/// Of a grant that is in the policy as it is declared.
State StateInPolicy(const std::optional<report::TimeBounds>& bounds) {
  switch (bounds ? bounds->phase : cel::TimePhase::kWithin) {
    case cel::TimePhase::kBefore:
      return {GrantState::kNotYet,
              "in the policy; its condition starts " + report::TimeText(bounds->starts_at)};
    case cel::TimePhase::kAfter:
      return {GrantState::kExpired, "in the policy, grants nothing since " +
                                        report::TimeText(bounds->ends_at) +
                                        " (options.expired: remove takes it out)"};
    case cel::TimePhase::kNever:
      return {GrantState::kNever, "in the policy, but its condition holds at no time"};
    case cel::TimePhase::kWithin:
    case cel::TimePhase::kUnbounded:
      break;
  }
  return {GrantState::kInForce, "declared and in the policy"};
}

/// Of a grant that is not in the policy as it is declared.
State StateOfMissing(const Evidence& evidence, const Grant& grant,
                     const std::optional<report::TimeBounds>& bounds) {
  const Target& target = evidence.resource.target;
  if (!evidence.target) return {GrantState::kUnknown, "its target was not read yet"};
  if (!evidence.target->exists && evidence.observed.empty() && evidence.elsewhere == 0 &&
      evidence.resource.status.reason == "NOT_FOUND") {
    return {GrantState::kMissing, "there is no such target"};
  }
  const Json options = report::ObjectFromText(evidence.resource.options);
  const bool ended = bounds && bounds->phase == cel::TimePhase::kAfter;
  if (ended && StringMember(options, "expired") == "remove") {
    return {GrantState::kExpired,
            "taken out of the policy, as its condition ended " + report::TimeText(bounds->ends_at)};
  }
  const Grant* other = FindGrant(evidence.observed, [&](const Grant& observed) {
    return report::SameHolder(target, observed, grant);
  });
  if (other != nullptr) {
    return {GrantState::kConditionDiffers,
            other->condition ? "in the policy under the condition \"" + other->condition->title +
                                   "\": " + other->condition->expression
                             : std::string("in the policy without a condition")};
  }
  const std::string principal = report::NormalPrincipalOf(target, grant.principal);
  const bool deleted = FindGrant(evidence.observed, [&](const Grant& observed) {
                         const std::string plain = report::Undeleted(observed.principal);
                         return plain != observed.principal && plain == principal;
                       }) != nullptr;
  if (deleted) return {GrantState::kPrincipalDeleted, "the policy has it as a deleted principal"};
  if (const DriftRecord* note = report::StoredNameOf(target, grant, evidence.drift)) {
    return {GrantState::kInForce, "the service stores it as " + note->item.observed};
  }
  return {GrantState::kMissing, "declared, and not in the policy"};
}

/// Of a grant that this resource does not declare.
State StateOfUndeclared(const Evidence& evidence, const Grant& grant) {
  const Target& target = evidence.resource.target;
  const DriftRecord* record = report::DriftOf(target, grant, evidence.drift);
  if (record != nullptr && record->item.drift_class == DriftClass::kJustInTime &&
      record->item.grant.condition == grant.condition) {
    return {
        GrantState::kJustInTime,
        "access on request, " + AcceptanceInWords(record->item.acceptance.value_or(Acceptance()))};
  }
  const auto holder = evidence.others.Of(target, grant);
  if (holder) return {GrantState::kDeclared, "declared by " + Text(*holder)};
  if (const DriftRecord* note = report::DeclaredNameOf(target, grant, evidence.drift)) {
    return {GrantState::kDeclared, "the service's name for " + note->item.grant.principal};
  }
  const bool differs = FindGrant(evidence.declared, [&](const Grant& declared) {
                         return report::SameHolder(target, declared, grant);
                       }) != nullptr;
  return {GrantState::kUndeclared, differs ? "declared under another condition"
                                           : "in the policy, and no manifest declares it"};
}

/// What the rows are made with.
struct Rows {
  const Evidence& evidence;
  ConditionJudge& judge;
  report::Attributions& attributions;
};

ExplainedGrant RowOf(const Rows& rows, const Grant& grant, State state) {
  const Evidence& evidence = rows.evidence;
  ExplainedGrant row;
  row.grant = {grant, TraitsOf(evidence.resource.target).words};
  row.state = state.state;
  row.reason = std::move(state.reason);
  row.time_bounds = rows.judge.Judge(grant.condition).bounds;
  const bool differs = row.state != GrantState::kInForce && row.state != GrantState::kNotYet &&
                       row.state != GrantState::kDeclared && row.state != GrantState::kJustInTime;
  const DriftRecord* drift = report::DriftOf(evidence.resource.target, grant, evidence.drift);
  if (drift == nullptr || !differs) return row;
  row.since = drift->first_seen;
  if (drift->item.state == DriftState::kHeld) row.reason += "; the guard holds its removal";
  if (drift->item.state == DriftState::kAccepted && drift->item.acceptance) {
    row.reason += "; accepted " + AcceptanceInWords(*drift->item.acceptance);
  }
  row.attribution = rows.attributions.Find(*drift);
  return row;
}

/// Of a grant whose principal has the role under a wider condition, which the resource does not
/// claim: beside the declared grant, or in its place.
std::optional<State> StateOfWider(const Evidence& evidence, const Grant& grant, bool there) {
  for (const DriftRecord& record : evidence.drift) {
    const bool wider = record.item.drift_class == DriftClass::kConditionChanged &&
                       record.item.resource == evidence.resource.name &&
                       Same(evidence.resource.target, record.item.grant, grant);
    if (!wider) continue;
    return State{
        GrantState::kConditionDiffers,
        (there ? "in the policy, and beside it " : "in the policy as ") + record.item.observed};
  }
  return std::nullopt;
}

std::vector<ExplainedGrant> GrantRows(const Rows& made_with) {
  const Evidence& evidence = made_with.evidence;
  const Target& target = evidence.resource.target;
  std::vector<ExplainedGrant> rows;
  for (const Grant& grant : evidence.declared) {
    const auto& bounds = made_with.judge.Judge(grant.condition).bounds;
    const bool there = FindGrant(evidence.observed, [&](const Grant& observed) {
                         return Same(target, observed, grant);
                       }) != nullptr;
    State state = IsLeaving(evidence.resource)  ? StateOfLeaving(evidence, grant, there)
                  : !evidence.resource.accepted ? StateNotInForce(evidence, grant, there)
                  : there                       ? StateInPolicy(bounds)
                                                : StateOfMissing(evidence, grant, bounds);
    if (state.state == GrantState::kInForce || state.state == GrantState::kMissing) {
      state = StateOfWider(evidence, grant, there).value_or(std::move(state));
    }
    rows.push_back(RowOf(made_with, grant, std::move(state)));
  }
  for (const Grant& grant : evidence.observed) {
    const bool declared = FindGrant(evidence.declared, [&](const Grant& one) {
                            return Same(target, one, grant);
                          }) != nullptr;
    if (declared || report::StandsForEverybody(target, grant)) continue;
    rows.push_back(RowOf(made_with, grant, StateOfUndeclared(evidence, grant)));
  }
  return rows;
}

Expected<void> ReadTarget(const ReportReader& store, Evidence& evidence) {
  const auto targets = store.TargetsNamed(evidence.resource.target.name);
  if (!targets) return Fail(targets.error());
  for (const TargetRecord& record : *targets) {
    if (record.target == evidence.resource.target && record.observed) evidence.target = record;
  }
  if (!evidence.target || evidence.target->policy_digest.empty()) return {};
  const TargetRecord& target = *evidence.target;
  auto grants = report::GrantsUnder(
      store, {target.target, target.observed_at, target.policy_digest, 0, target.exists});
  if (!grants) return Fail(grants.error());
  const Kind* kind = KnownKinds().FindByTargets(target.target.kind.str());
  for (Grant& grant : *grants) {
    if (CoversOn(kind, evidence.resource.role, grant)) {
      evidence.observed.push_back(std::move(grant));
    } else {
      ++evidence.elsewhere;
    }
  }
  return {};
}

Expected<Evidence> ReadEvidence(const ReportReader& store, const std::string& name) {
  auto resource = FindResource(store, name);
  if (!resource) return Fail(resource.error());
  Evidence evidence;
  evidence.resource = std::move(*resource);
  evidence.declared = report::DeclaredGrants(evidence.resource);
  if (!IsLookup(evidence.resource.token)) {
    if (auto read = ReadTarget(store, evidence); !read) return Fail(read.error());
  }
  auto others = report::GrantSources::Read(store, {evidence.resource.target});
  if (!others) return Fail(others.error());
  evidence.others = std::move(*others);
  auto drift = report::UnresolvedDriftOf(store, evidence.resource.target);
  if (!drift) return Fail(drift.error());
  evidence.drift = std::move(*drift);
  return evidence;
}

std::vector<report::GrantLine> LinesOf(const Target& target, const std::vector<Grant>& grants) {
  const GrantWords& words = TraitsOf(target).words;
  std::vector<report::GrantLine> lines;
  for (const Grant& grant : grants) lines.push_back({grant, words});
  return lines;
}

std::optional<ObservedGrants> ObservedIn(const Evidence& evidence) {
  if (!evidence.target) return std::nullopt;
  const TargetRecord& target = *evidence.target;
  return ObservedGrants{target.observed_at, target.exists, target.etag,
                        LinesOf(evidence.resource.target, evidence.observed), evidence.elsewhere};
}

/// What is held back on the target.
Expected<std::vector<HoldLine>> HoldsOn(const ReportReader& store, const std::string& target) {
  auto report = GuardReport(store);
  if (!report) return Fail(report.error());
  std::erase_if(report->holds, [&](const HoldLine& hold) {
    return std::ranges::find(hold.targets, target, &HeldTarget::target) == hold.targets.end();
  });
  return std::move(report->holds);
}

/// What is wrong with the manifest of the resource, or with a part of its file that bears no name:
/// that may be what declares this resource.
Expected<std::vector<report::ProblemLine>> ProblemsOf(const ReportReader& store,
                                                      const ResourceRecord& resource) {
  auto all = report::ProblemsOnRecord(store);
  if (!all) return Fail(all.error());
  std::vector<report::ProblemLine> problems = report::ProblemsWith(*all, {resource.name});
  std::ranges::copy_if(*all, std::back_inserter(problems), [&](const report::ProblemLine& problem) {
    return problem.resource.empty() && problem.file == resource.source_file;
  });
  return problems;
}

}  // namespace

std::string_view ToString(GrantState state) {
  switch (state) {
    case GrantState::kInForce:
      return "in force";
    case GrantState::kNotYet:
      return "not yet";
    case GrantState::kExpired:
      return "expired";
    case GrantState::kNever:
      return "never";
    case GrantState::kMissing:
      return "missing";
    case GrantState::kConditionDiffers:
      return "condition differs";
    case GrantState::kPrincipalDeleted:
      return "principal deleted";
    case GrantState::kUndeclared:
      return "undeclared";
    case GrantState::kJustInTime:
      return "just-in-time";
    case GrantState::kDeclared:
      return "declared";
    case GrantState::kNotInForce:
      return "not in force";
    case GrantState::kLeaving:
      return "leaving";
    case GrantState::kStays:
      return "stays";
    case GrantState::kGone:
      return "gone";
    case GrantState::kUnknown:
      break;
  }
  return "unknown";
}

Expected<Explanation> ExplainReport(const ReportReader& store, const std::string& name,
                                    WallTime now, bool attribution) {
  const auto evidence = ReadEvidence(store, name);
  if (!evidence) return Fail(evidence.error());
  ResourceFilter only;
  only.name = name;
  auto resources = ResourcesReport(store, only, now);
  if (!resources) return Fail(resources.error());
  EventFilter filter;
  filter.resource = name;
  filter.limit = kEventsShown;
  auto events = EventsReport(store, filter);
  if (!events) return Fail(events.error());
  auto holds = HoldsOn(store, evidence->resource.target.name);
  if (!holds) return Fail(holds.error());
  auto problems = ProblemsOf(store, evidence->resource);
  if (!problems) return Fail(problems.error());
  report::Attributions attributions(store, attribution);
  ConditionJudge judge = ConditionJudge::At(now);
  Explanation explanation;
  explanation.name = name;
  // It may have gone since it was found.
  if (!resources->resources.empty()) {
    static_cast<ReportedResource&>(explanation) = std::move(resources->resources.front());
  }
  explanation.lookup = IsLookup(evidence->resource.token);
  explanation.manifest_gone = IsLeaving(evidence->resource);
  if (!explanation.manifest_gone) {
    explanation.desired = LinesOf(evidence->resource.target, evidence->declared);
  }
  explanation.observed = ObservedIn(*evidence);
  explanation.grants = GrantRows({*evidence, judge, attributions});
  explanation.holds = std::move(*holds);
  explanation.problems = std::move(*problems);
  explanation.events = std::move(events->events);
  return explanation;
}

}  // namespace bindery
