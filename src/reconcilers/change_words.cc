#include "reconcilers/change_words.h"

#include <utility>

#include "core/base/json.h"
#include "core/base/json_text.h"

namespace bindery::reconcilers {
namespace {

std::string WithDescription(const Grant& grant) {
  const std::string& description = grant.condition ? grant.condition->description : std::string();
  return GrantInWords(grant) + (description.empty() ? "" : " (" + description + ")");
}

std::string AsJson(const Grant& grant) {
  return "granted if " + (grant.condition ? CompactJson(ToJson(*grant.condition)) : "-");
}

}  // namespace

std::string GrantInWords(const Grant& grant) {
  if (!grant.condition) return "granted";
  const std::string& title = grant.condition->title;
  return "granted if " + (title.empty() ? "" : title + ": ") + grant.condition->expression;
}

SidesInWords ConditionsInWords(const Grant& desired, const Grant& observed) {
  for (const auto words : {&GrantInWords, &WithDescription}) {
    SidesInWords sides{words(desired), words(observed)};
    if (sides.desired != sides.observed) return sides;
  }
  return {AsJson(desired), AsJson(observed)};
}

namespace {

SidesInWords SidesOfClass(const GrantChange& change) {
  switch (change.drift_class) {
    case DriftClass::kMissing:
      return {GrantInWords(change.grant), "absent"};
    case DriftClass::kUndeclared:
      return {"absent", GrantInWords(change.grant)};
    case DriftClass::kConditionChanged:
      return ConditionsInWords(change.grant, change.before.value_or(change.grant));
    case DriftClass::kPrincipalDeleted:
      return {GrantInWords(change.grant),
              "deleted: " + change.before.value_or(change.grant).principal};
    case DriftClass::kJustInTime:
      return {"access on request", GrantInWords(change.grant)};
    case DriftClass::kTargetMissing:
    case DriftClass::kLookupChanged:
    case DriftClass::kTombstone:
    case DriftClass::kStoredDifferently:
      break;
  }
  return {};
}

}  // namespace

SidesInWords DescribeSides(const GrantChange& change) {
  SidesInWords sides = SidesOfClass(change);
  if (change.reason.code == ReasonCode::kImitation) {
    sides.observed += "; the service that gives such access knows no such grant";
  }
  if (change.added() == nullptr) return sides;
  if (change.reason.code == ReasonCode::kServiceRefuses) {
    sides.observed += "; the service refuses it: " + change.reason.subject;
  } else if (change.reason.code == ReasonCode::kServiceRefusesOneOf) {
    sides.observed += "; the service refuses it, or another addition: " + change.reason.subject;
  }
  return sides;
}

std::string_view ToString(Gate gate) {
  switch (gate) {
    case Gate::kNone:
      return "";
    case Gate::kJustInTime:
      return "just-in-time access";
    case Gate::kManagementPolicy:
      return "management policy";
    case Gate::kProtectedPrincipals:
      return "protected principals";
    case Gate::kUndeclaredRoles:
      return "undeclared roles";
    case Gate::kAcceptedDrift:
      return "accepted drift";
    case Gate::kDroppedConditions:
      return "dropped conditions";
    case Gate::kRefusedGrants:
      return "refused grants";
    case Gate::kLockout:
      return "lockout";
    case Gate::kEvidence:
      return "evidence";
    case Gate::kOscillation:
      return "oscillation";
    case Gate::kGuard:
      return "guard";
    case Gate::kOperatorAnswer:
      return "operator answer";
  }
  return "";
}

std::string DeletedPrincipalText(const GrantChange& change) {
  return "\"" + change.grant.principal + "\" was deleted (the policy shows \"" +
         change.before.value_or(change.grant).principal +
         "\"): take it out of the manifest, or restore it";
}

}  // namespace bindery::reconcilers
