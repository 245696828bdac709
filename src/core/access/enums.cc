#include <array>
#include <charconv>
#include <utility>

#include "core/access/drift.h"
#include "core/access/event.h"
#include "core/access/hold.h"
#include "core/access/revision.h"
#include "core/access/status.h"
#include "core/access/work.h"

namespace bindery {
namespace {

template <typename Enum, std::size_t size>
using Names = std::array<std::pair<Enum, std::string_view>, size>;

constexpr Names<ResourceState, 4> kStates = {{{ResourceState::kReady, "Ready"},
                                              {ResourceState::kSuspended, "Suspended"},
                                              {ResourceState::kReconciling, "Reconciling"},
                                              {ResourceState::kStalled, "Stalled"}}};
constexpr Names<DriftClass, 9> kClasses = {
    {{DriftClass::kMissing, "missing"},
     {DriftClass::kUndeclared, "undeclared"},
     {DriftClass::kConditionChanged, "condition-changed"},
     {DriftClass::kPrincipalDeleted, "principal-deleted"},
     {DriftClass::kTargetMissing, "target-missing"},
     {DriftClass::kLookupChanged, "lookup-changed"},
     {DriftClass::kJustInTime, "just-in-time"},
     {DriftClass::kTombstone, "tombstone"},
     {DriftClass::kStoredDifferently, "stored-differently"}}};
constexpr Names<Severity, 4> kSeverities = {{{Severity::kLow, "low"},
                                             {Severity::kMedium, "medium"},
                                             {Severity::kHigh, "high"},
                                             {Severity::kCritical, "critical"}}};
constexpr Names<DriftState, 5> kDriftStates = {{{DriftState::kOpen, "open"},
                                                {DriftState::kCorrected, "corrected"},
                                                {DriftState::kHeld, "held"},
                                                {DriftState::kAccepted, "accepted"},
                                                {DriftState::kNoted, "noted"}}};
constexpr Names<DriftCause, 4> kCauses = {{{DriftCause::kUnknown, "unknown"},
                                           {DriftCause::kManifest, "manifest"},
                                           {DriftCause::kForeign, "foreign"},
                                           {DriftCause::kExpiry, "expiry"}}};
constexpr Names<DriftRest, kAllDriftRests.size()> kRests = {
    {{DriftRest::kNone, ""},
     {DriftRest::kUndeclaredRoles, "undeclaredRoles: report"},
     {DriftRest::kImitation,
      "it looks like just-in-time access; undeclared grants of its role stay"},
     {DriftRest::kUnknownAgent, "the principal may be a service's own account"},
     {DriftRest::kGate, "a person makes the change"}}};
constexpr Names<EventType, 2> kEventTypes = {
    {{EventType::kNormal, "Normal"}, {EventType::kWarning, "Warning"}}};
constexpr Names<Origin, 4> kOrigins = {{{Origin::kObserved, "observed"},
                                        {Origin::kWritten, "written"},
                                        {Origin::kForeign, "foreign"},
                                        {Origin::kRollback, "rollback"}}};
constexpr Names<HoldState, 5> kHoldStates = {{{HoldState::kWithdrawn, "withdrawn"},
                                              {HoldState::kOpen, "open"},
                                              {HoldState::kApproved, "approved"},
                                              {HoldState::kDenied, "denied"},
                                              {HoldState::kReleased, "released"}}};
constexpr std::string_view kRollbackPurpose = "rollback:";
constexpr Names<Priority, 3> kPriorityNames = {{{Priority::kChange, "change"},
                                                {Priority::kRetry, "retry"},
                                                {Priority::kPeriodic, "periodic"}}};
constexpr Names<WorkResult, 4> kWorkResults = {{{WorkResult::kSuccess, "success"},
                                                {WorkResult::kError, "error"},
                                                {WorkResult::kRequeue, "requeue"},
                                                {WorkResult::kRequeueAfter, "requeue_after"}}};
constexpr Names<WorkAction, 5> kWorkActions = {{{WorkAction::kUnchanged, "unchanged"},
                                                {WorkAction::kWritten, "written"},
                                                {WorkAction::kObserved, "observed"},
                                                {WorkAction::kHeld, "held"},
                                                {WorkAction::kFailed, "failed"}}};

template <typename Enum, std::size_t size>
std::string_view GetName(const Names<Enum, size>& names, Enum value) {
  for (const auto& [known, name] : names) {
    if (known == value) return name;
  }
  return names[0].second;
}

/// An unknown text reads as the first value: who reads a text of a different program compares the
/// text with the value's.
template <typename Enum, std::size_t size>
Enum ValueNamed(const Names<Enum, size>& names, std::string_view text) {
  for (const auto& [value, name] : names) {
    if (name == text) return value;
  }
  return names[0].first;
}

}  // namespace

std::string_view ToString(ResourceState state) { return GetName(kStates, state); }
std::string_view ToString(DriftClass value) { return GetName(kClasses, value); }
std::string_view ToString(Severity value) { return GetName(kSeverities, value); }
std::string_view ToString(DriftState value) { return GetName(kDriftStates, value); }
std::string_view ToString(DriftCause value) { return GetName(kCauses, value); }
std::string_view ToString(DriftRest value) { return GetName(kRests, value); }
std::string_view ToString(EventType value) { return GetName(kEventTypes, value); }
std::string_view ToString(Origin value) { return GetName(kOrigins, value); }
std::string_view ToString(HoldState value) { return GetName(kHoldStates, value); }

ResourceState ResourceStateFromString(std::string_view text) { return ValueNamed(kStates, text); }
DriftClass DriftClassFromString(std::string_view text) { return ValueNamed(kClasses, text); }
Severity SeverityFromString(std::string_view text) { return ValueNamed(kSeverities, text); }
DriftState DriftStateFromString(std::string_view text) { return ValueNamed(kDriftStates, text); }
EventType EventTypeFromString(std::string_view text) { return ValueNamed(kEventTypes, text); }
Origin OriginFromString(std::string_view text) { return ValueNamed(kOrigins, text); }
HoldState HoldStateFromString(std::string_view text) { return ValueNamed(kHoldStates, text); }

std::string ToString(const HoldPurpose& purpose) {
  if (purpose.rollback_to == 0) return "pass";
  return std::string(kRollbackPurpose) + std::to_string(purpose.rollback_to);
}

HoldPurpose HoldPurposeFromString(std::string_view text) {
  HoldPurpose purpose;
  if (!text.starts_with(kRollbackPurpose)) return purpose;
  text.remove_prefix(kRollbackPurpose.size());
  std::from_chars(text.data(), text.data() + text.size(), purpose.rollback_to);
  return purpose;
}

Json ToJson(const HoldPurpose& purpose) { return ToString(purpose); }

bool ReadJson(const Json& json, HoldPurpose& purpose) {
  if (!json.is_string()) return false;
  const auto& text = json.get_ref<const std::string&>();
  const HoldPurpose read = HoldPurposeFromString(text);
  if (ToString(read) != text) return false;
  purpose = read;
  return true;
}

std::string_view ToString(Priority value) { return GetName(kPriorityNames, value); }
std::string_view ToString(WorkResult value) { return GetName(kWorkResults, value); }
std::string_view ToString(WorkAction value) { return GetName(kWorkActions, value); }

}  // namespace bindery
