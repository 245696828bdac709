#include "report/explain_report.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/accepted_drift.h"
#include "providers/kinds.h"
#include "report/attributions.h"
#include "report/condition_judge.h"
#include "report/json_fields.h"
#include "report/observed_access.h"
#include "report/principal_match.h"
#include "report/problem_lines.h"
#include "report/reports.h"

namespace bindery {
namespace {

using report::ConditionJudge;

constexpr std::size_t kEventsShown = 10;
constexpr std::size_t kDriftOfTargets = 1'000'000;

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

struct State {
  std::string state;
  std::string reason;
};

/// "payments-viewers (teams/payments.yaml:3)"
std::string Text(const DeclaringManifest& source) {
  return source.resource + " (" + source.file + ":" + std::to_string(source.line) + ")";
}

/// Of a grant in the manifest of a resource that is not in force.
State StateNotInForce(const Evidence& evidence, const Grant& grant, bool there) {
  const auto holder = evidence.others.Of(evidence.resource.target, grant);
  if (!there) return {"not in force", "not in the policy: its manifest is not in force"};
  return {"not in force",
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
    return evidence.target ? State{"gone", "its manifest is gone, and it is not in the policy"}
                           : State{"unknown", "its target was not read yet"};
  }
  const auto holder = evidence.others.Of(evidence.resource.target, grant);
  if (holder && holder->resource != evidence.resource.name) {
    return {"declared", "declared by " + Text(*holder)};
  }
  const ResourceStatus& status = evidence.resource.status;
  const bool stays = status.reason == reason::kProtected || status.reason == "Retained" ||
                     status.reason == reason::kDriftObserved;
  const bool told = status.message.starts_with("its manifest");
  return {stays ? "stays" : "leaving", (told ? "" : "its manifest is gone; ") + status.message};
}

/// Of a grant that is in the policy as it is declared.
State StateInPolicy(const Json& bounds) {
  const std::string phase = StringMember(bounds, "state");
  if (phase == "pending") {
    return {"not yet", "in the policy; its condition starts " + StringMember(bounds, "startsAt")};
  }
  if (phase == "expired") {
    return {"expired", "in the policy, grants nothing since " + StringMember(bounds, "endsAt") +
                           " (options.expired: remove takes it out)"};
  }
  if (phase == "never") {
    return {"never", "in the policy, but its condition holds at no time"};
  }
  return {"in force", "declared and in the policy"};
}

/// Of a grant that is not in the policy as it is declared.
State StateOfMissing(const Evidence& evidence, const Grant& grant, const Json& bounds) {
  const Target& target = evidence.resource.target;
  if (!evidence.target) return {"unknown", "its target was not read yet"};
  if (!evidence.target->exists && evidence.observed.empty() && evidence.elsewhere == 0 &&
      evidence.resource.status.reason == "NOT_FOUND") {
    return {"missing", "there is no such target"};
  }
  const Json options = report::ObjectFromText(evidence.resource.options);
  if (StringMember(options, "expired") == "remove" && StringMember(bounds, "state") == "expired") {
    return {"expired",
            "taken out of the policy, as its condition ended " + StringMember(bounds, "endsAt")};
  }
  const Grant* other = FindGrant(evidence.observed, [&](const Grant& observed) {
    return report::SameHolder(target, observed, grant);
  });
  if (other != nullptr) {
    return {"condition differs",
            other->condition ? "in the policy under the condition \"" + other->condition->title +
                                   "\": " + other->condition->expression
                             : std::string("in the policy without a condition")};
  }
  const std::string principal = report::NormalPrincipalOf(target, grant.principal);
  const bool deleted = FindGrant(evidence.observed, [&](const Grant& observed) {
                         const std::string plain = report::Undeleted(observed.principal);
                         return plain != observed.principal && plain == principal;
                       }) != nullptr;
  if (deleted) return {"principal deleted", "the policy has it as a deleted principal"};
  return {"missing", "declared, and not in the policy"};
}

/// Of a grant that this resource does not declare.
State StateOfUndeclared(const Evidence& evidence, const Grant& grant) {
  const auto holder = evidence.others.Of(evidence.resource.target, grant);
  if (holder) return {"declared", "declared by " + Text(*holder)};
  const bool differs = FindGrant(evidence.declared, [&](const Grant& declared) {
                         return report::SameHolder(evidence.resource.target, declared, grant);
                       }) != nullptr;
  return {"undeclared", differs ? "declared under another condition"
                                : "in the policy, and no manifest declares it"};
}

/// What the rows are made with.
struct Rows {
  const Evidence& evidence;
  ConditionJudge& judge;
  report::Attributions& attributions;
};

Json GrantRow(const Rows& rows, const Grant& grant, State state, const Json& bounds) {
  const Evidence& evidence = rows.evidence;
  const DriftRecord* drift = report::DriftOf(evidence.resource.target, grant, evidence.drift);
  const bool differs =
      state.state != "in force" && state.state != "not yet" && state.state != "declared";
  Json since = nullptr;
  if (drift != nullptr && differs) {
    since = report::TimeOrNull(drift->first_seen);
    if (drift->item.state == DriftState::kHeld) state.reason += "; the guard holds its removal";
    if (drift->item.state == DriftState::kAccepted && drift->item.acceptance) {
      state.reason += "; accepted " + AcceptanceInWords(*drift->item.acceptance);
    }
  }
  Json row = {{"grant", ToJson(grant, TraitsOf(evidence.resource.target).words)},
              {"state", std::move(state.state)},
              {"reason", std::move(state.reason)},
              {"since", std::move(since)},
              {"timeBounds", bounds}};
  if (drift != nullptr && differs) rows.attributions.AddTo(row, *drift);
  return row;
}

Json GrantRows(const Rows& made_with) {
  const Evidence& evidence = made_with.evidence;
  ConditionJudge& judge = made_with.judge;
  const Target& target = evidence.resource.target;
  Json rows = Json::array();
  for (const Grant& grant : evidence.declared) {
    const Json& bounds = judge.Judge(grant.condition).time_bounds;
    const bool there = FindGrant(evidence.observed, [&](const Grant& observed) {
                         return Same(target, observed, grant);
                       }) != nullptr;
    State state = IsLeaving(evidence.resource)  ? StateOfLeaving(evidence, grant, there)
                  : !evidence.resource.accepted ? StateNotInForce(evidence, grant, there)
                  : there                       ? StateInPolicy(bounds)
                                                : StateOfMissing(evidence, grant, bounds);
    rows.push_back(GrantRow(made_with, grant, std::move(state), bounds));
  }
  for (const Grant& grant : evidence.observed) {
    const bool declared = FindGrant(evidence.declared, [&](const Grant& one) {
                            return Same(target, one, grant);
                          }) != nullptr;
    if (declared || report::StandsForEverybody(target, grant)) continue;
    rows.push_back(GrantRow(made_with, grant, StateOfUndeclared(evidence, grant),
                            judge.Judge(grant.condition).time_bounds));
  }
  return rows;
}

Expected<void> ReadTarget(const ReportReader& store, Evidence& evidence) {
  const auto targets = store.Targets();
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
  DriftFilter filter;
  filter.unresolved_only = true;
  filter.limit = kDriftOfTargets;
  auto drift = store.Drift(filter);
  if (!drift) return Fail(drift.error());
  for (DriftRecord& record : *drift) {
    if (record.target == evidence.resource.target) evidence.drift.push_back(std::move(record));
  }
  return evidence;
}

Json ObservedJson(const Evidence& evidence) {
  if (!evidence.target) return nullptr;
  const GrantWords& words = TraitsOf(evidence.resource.target).words;
  return {{"observedAt", report::TimeOrNull(evidence.target->observed_at)},
          {"exists", evidence.target->exists},
          {"etag", evidence.target->etag},
          {"grants", report::GrantsJson(evidence.observed, words)},
          {"otherGrants", evidence.elsewhere}};
}

/// What is held back on the target.
Expected<Json> HoldsOn(const ReportReader& store, const std::string& target) {
  const auto report = GuardReport(store);
  if (!report) return Fail(report.error());
  Json holds = Json::array();
  for (const HoldLine& hold : report->holds) {
    const bool here = std::any_of(hold.targets.begin(), hold.targets.end(),
                                  [&](const HeldTarget& held) { return held.target == target; });
    if (here) holds.push_back(ToJson(hold));
  }
  return holds;
}

}  // namespace

Expected<Json> ExplainReport(const ReportReader& store, const std::string& name, WallTime now,
                             bool attribution) {
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
  report::Attributions attributions(store, attribution);
  ConditionJudge judge = ConditionJudge::At(now);
  // It may have gone since it was found.
  const std::vector<ReportedResource>& found = resources->resources;
  Json report = found.empty() ? Json{{"name", name}} : ToJson(found.front());
  report["lookup"] = IsLookup(evidence->resource.token);
  const bool leaving = IsLeaving(evidence->resource);
  report["manifestGone"] = leaving;
  report["desired"] = report::GrantsJson(leaving ? std::vector<Grant>() : evidence->declared,
                                         TraitsOf(evidence->resource.target).words);
  report["observed"] = ObservedJson(*evidence);
  report["grants"] = GrantRows({*evidence, judge, attributions});
  report["holds"] = std::move(*holds);
  report["problems"] = report::JsonOf(resources->problems);
  // What could not be read bears no name: it may be the part that declares this resource.
  const auto all = report::ProblemsOnRecord(store);
  if (!all) return Fail(all.error());
  const std::string file = StringMember(report::ObjectMember(report, "source"), "file");
  for (const report::ProblemLine& problem : *all) {
    const bool here = problem.file == file;
    if (here && problem.resource.empty()) report["problems"].push_back(ToJson(problem));
  }
  report["events"] = report::JsonOf(events->events);
  return report;
}

}  // namespace bindery
