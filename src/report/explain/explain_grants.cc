// The grants of one resource, declared and observed, with the fate of each.

#include "report/explain/explain_grants.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/access/status.h"
#include "core/settings/accepted_drift.h"
#include "providers/registry/kinds.h"
#include "report/access/principal_match.h"
#include "report/access/stored_names.h"
#include "report/text/json_fields.h"
#include "report/text/text.h"
#include "report/values/drift_items.h"

namespace bindery::report {

namespace {

bool Same(const Target& target, const Grant& one, const Grant& other) {
  return one.condition == other.condition && SameHolder(target, one, other);
}

bool IsDeleted(const Grant& grant) { return Undeleted(grant.principal) != grant.principal; }

template <typename Fits>
const Grant* FindGrant(const std::vector<Grant>& grants, const Fits& fits) {
  const auto found = std::find_if(grants.begin(), grants.end(), fits);
  return found == grants.end() ? nullptr : &*found;
}

/// The policy has `declared` as the grant `observed` of a deleted principal.
bool IsDeletedForm(const Target& target, const Grant& observed, const Grant& declared) {
  return IsDeleted(observed) && observed.role == declared.role &&
         Undeleted(observed.principal) == NormalizePrincipal(target, declared.principal);
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

/// Of a grant in the manifest of a resource not in force.
State StateNotInForce(const ExplainedEvidence& evidence, const Grant& grant, bool there) {
  const auto holder = evidence.others.Of(evidence.resource.target, grant);
  if (!there) return {GrantState::kNotInForce, "not in the policy: its manifest is not in force"};
  return {GrantState::kNotInForce,
          "in the policy, " + (holder ? "by " + Text(*holder)
                                      : std::string("and no manifest in force declares it"))};
}

/// Of a grant of a deleted manifest. The status of the grant tells why the grant still exists.
State StateOfLeaving(const ExplainedEvidence& evidence, const Grant& grant, bool there) {
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

/// Of a grant that the policy has as declared.
State StateInPolicy(const std::optional<TimeBounds>& bounds) {
  switch (bounds ? bounds->phase : cel::TimePhase::kWithin) {
    case cel::TimePhase::kBefore:
      return {GrantState::kNotYet,
              "in the policy; its condition starts " + TimeText(bounds->starts_at)};
    case cel::TimePhase::kAfter:
      return {GrantState::kExpired, "in the policy, grants nothing since " +
                                        TimeText(bounds->ends_at) +
                                        " (options.expired: remove takes it out)"};
    case cel::TimePhase::kNever:
      return {GrantState::kNever, "in the policy, but its condition holds at no time"};
    case cel::TimePhase::kWithin:
    case cel::TimePhase::kUnbounded:
      break;
  }
  return {GrantState::kInForce, "declared and in the policy"};
}

/// Of a grant that the policy does not have as declared.
State StateOfMissing(const ExplainedEvidence& evidence, const Grant& grant,
                     const std::optional<TimeBounds>& bounds) {
  const Target& target = evidence.resource.target;
  if (!evidence.target) return {GrantState::kUnknown, "its target was not read yet"};
  if (!evidence.target->exists && evidence.observed.empty() && evidence.elsewhere == 0 &&
      evidence.resource.status.reason == "NOT_FOUND") {
    return {GrantState::kMissing, "there is no such target"};
  }
  const Json options = ObjectFromText(evidence.resource.options);
  const bool ended = bounds && bounds->phase == cel::TimePhase::kAfter;
  if (ended && StringMember(options, "expired") == "remove") {
    return {GrantState::kExpired,
            "taken out of the policy, as its condition ended " + TimeText(bounds->ends_at)};
  }
  const Grant* other = FindGrant(evidence.observed, [&](const Grant& observed) {
    return SameHolder(target, observed, grant);
  });
  if (other != nullptr) {
    return {GrantState::kConditionDiffers,
            other->condition ? "in the policy under the condition \"" + other->condition->title +
                                   "\": " + other->condition->expression
                             : std::string("in the policy without a condition")};
  }
  const bool deleted = FindGrant(evidence.observed, [&](const Grant& observed) {
                         return IsDeletedForm(target, observed, grant);
                       }) != nullptr;
  if (deleted) return {GrantState::kPrincipalDeleted, "the policy has it as a deleted principal"};
  if (const store::DriftRecord* note = FindStoredName(target, grant, evidence.drift)) {
    return {GrantState::kInForce, "the service stores it as " + note->item.observed};
  }
  return {GrantState::kMissing, "declared, and not in the policy"};
}

/// Of a grant that this resource does not declare.
State StateOfUndeclared(const ExplainedRows& rows, const Grant& grant) {
  const ExplainedEvidence& evidence = rows.evidence;
  const Target& target = evidence.resource.target;
  const store::DriftRecord* record = rows.drift.Find(grant);
  if (record != nullptr && record->item.drift_class == DriftClass::kJustInTime &&
      record->item.grant.condition == grant.condition) {
    return {
        GrantState::kJustInTime,
        "access on request, " + AcceptanceInWords(record->item.acceptance.value_or(Acceptance()))};
  }
  const auto holder = evidence.others.Of(target, grant);
  if (holder) return {GrantState::kDeclared, "declared by " + Text(*holder)};
  if (const store::DriftRecord* note = FindDeclaredName(target, grant, evidence.drift)) {
    return {GrantState::kDeclared, "the service's name for " + note->item.grant.principal};
  }
  const bool differs = FindGrant(evidence.declared, [&](const Grant& declared) {
                         return SameHolder(target, declared, grant);
                       }) != nullptr;
  if (differs) return {GrantState::kUndeclared, "declared under another condition"};
  if (IsDeleted(grant)) {
    return {GrantState::kPrincipalDeleted, "no manifest declares it, and it gives nobody access"};
  }
  if (const auto kept = evidence.kept.find(grant); record == nullptr && kept != evidence.kept.end())
    return {GrantState::kStays, "no manifest declares it, and it stays: " + kept->second};
  // Of a grant that a rule keeps no difference is on record.
  if (record == nullptr && evidence.resource.status.state == ResourceState::kReady) {
    return {GrantState::kStays,
            "no manifest declares it, and a rule keeps it, such as that for service agents"};
  }
  return {GrantState::kUndeclared, "in the policy, and no manifest declares it"};
}

/// "; only reported (undeclaredRoles: report)"; empty where a pass may repair the difference.
std::string OnlyReported(const store::ResourceRecord& resource, const store::DriftRecord& drift) {
  if (drift.item.state != DriftState::kOpen) return "";
  if (drift.item.rest != DriftRest::kNone) {
    return "; only reported (" + std::string(ToString(drift.item.rest)) + ")";
  }
  return resource.status.reason == reason::kDriftObserved ? "; only reported (mode observe)" : "";
}

ExplainedGrant LookUpRow(const ExplainedRows& rows, const Grant& grant, State state) {
  const ExplainedEvidence& evidence = rows.evidence;
  ExplainedGrant row;
  row.grant = {grant, providers::GetTraits(evidence.resource.target).words};
  row.state = state.state;
  row.reason = std::move(state.reason);
  row.time_bounds = rows.judge.Judge(grant.condition).bounds;
  const bool differs = row.state != GrantState::kInForce && row.state != GrantState::kNotYet &&
                       row.state != GrantState::kDeclared && row.state != GrantState::kJustInTime;
  const store::DriftRecord* drift = rows.drift.Find(grant);
  if (drift == nullptr || !differs) return row;
  row.since = drift->first_seen;
  row.reason += OnlyReported(evidence.resource, *drift);
  if (drift->item.state == DriftState::kHeld) row.reason += "; the guard holds its removal";
  if (drift->item.state == DriftState::kAccepted && drift->item.acceptance) {
    row.reason += "; accepted " + AcceptanceInWords(*drift->item.acceptance);
  }
  row.attribution = rows.attributions.Find(*drift);
  return row;
}

/// Of a grant whose principal has the role under a wider condition, unclaimed by the resource:
/// beside the declared grant, or in place of the declared grant.
std::optional<State> StateOfWider(const ExplainedEvidence& evidence, const Grant& grant,
                                  bool there) {
  for (const store::DriftRecord& record : evidence.drift) {
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

}  // namespace

bool IsLeaving(const store::ResourceRecord& resource) {
  return resource.accepted && resource.missing_scans >= 2;
}

std::vector<Grant> ListUndeclared(const ExplainedEvidence& evidence) {
  const Target& target = evidence.resource.target;
  std::vector<Grant> undeclared;
  for (const Grant& grant : evidence.observed) {
    const bool declared = FindGrant(evidence.declared, [&](const Grant& one) {
                            return Same(target, one, grant);
                          }) != nullptr;
    if (!declared && !StandsForEverybody(target, grant)) undeclared.push_back(grant);
  }
  return undeclared;
}

std::vector<ExplainedGrant> GrantRows(const ExplainedRows& made_with) {
  const ExplainedEvidence& evidence = made_with.evidence;
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
    rows.push_back(LookUpRow(made_with, grant, std::move(state)));
  }
  for (const Grant& grant : ListUndeclared(evidence)) {
    const bool told = std::ranges::any_of(rows, [&](const ExplainedGrant& row) {
      return row.state == GrantState::kPrincipalDeleted &&
             IsDeletedForm(target, grant, row.grant.grant);
    });
    if (!told) rows.push_back(LookUpRow(made_with, grant, StateOfUndeclared(made_with, grant)));
  }
  return rows;
}

}  // namespace bindery::report
