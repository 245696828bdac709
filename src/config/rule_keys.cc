// The keys of rules: entries of lists of the configuration.

#include <array>
#include <optional>

#include "config/config_keys.h"

namespace bindery::config {
namespace {

constexpr double kLeastWithin = 1'000;
constexpr double kMostWithin = 36'500.0 * 86'400'000;

constexpr std::array<std::string_view, 3> kRuleUndeclared = {"remove", "keep", "report"};
constexpr std::array<std::string_view, 2> kUnsafeWrites = {"refuse", "allow"};
constexpr std::array<std::string_view, 6> kDriftClasses = {"missing",           "undeclared",
                                                           "condition-changed", "principal-deleted",
                                                           "target-missing",    "lookup-changed"};
/// The first classes, which are classes of grants.
constexpr std::size_t kAcceptableClasses = 4;
constexpr std::array<std::string_view, 4> kSeverities = {"low", "medium", "high", "critical"};

using R = SeverityRule;

Slot ClassSlot(R& rule) {
  return ChoiceSlot{
      kDriftClasses,
      [&rule] { return static_cast<std::size_t>(rule.drift_class.value_or(DriftClass::kMissing)); },
      [&rule](std::size_t index) {
        rule.drift_class = DriftClassFromString(kDriftClasses.at(index));
      }};
}

constexpr std::array kSeverityRuleKeys = {
    Key<R>{"class", [](R& r) -> Slot { return ClassSlot(r); }, "The class of the difference."},
    Key<R>{"kind", [](R& r) -> Slot { return &r.kind; }, "The kind of the target."},
    Key<R>{"role", [](R& r) -> Slot { return &r.role; },
           "The role, or the relation of a restriction policy."},
    Key<R>{"member", [](R& r) -> Slot { return &r.member; },
           "The member, or the principal of a restriction policy."},
    Key<R>{"titleOnly", [](R& r) -> Slot { return &r.title_only; },
           "Only conditions that differ in nothing but title or description."},
    Key<R>{"severity", [](R& r) -> Slot { return Choice(r.severity, kSeverities); },
           "How bad such a difference is."},
};

using T = TargetRule;
using G = ProtectedGrants;

constexpr const char* kTitle = "The pattern of the title of its condition, with * and ?.";
constexpr const char* kExpression = "The pattern of the expression of its condition.";
constexpr const char* kEndsWithin =
    "Only conditions that hold at no time later than this from now, or have ended.";
constexpr Bounds kWithin = {kLeastWithin, kMostWithin};

/// An optional setting of a rule. Shows its default if not set.
template <typename Enum>
Slot OptionalChoice(std::optional<Enum>& value, std::span<const std::string_view> names) {
  return ChoiceSlot{names, [&value] { return static_cast<std::size_t>(value.value_or(Enum{})); },
                    [&value](std::size_t index) { value = static_cast<Enum>(index); }};
}

constexpr std::array kTargetRuleKeys = {
    Key<T>{"match", [](T& t) -> Slot { return &t.match; },
           "The pattern of the target's name, with * and ?."},
    Key<T>{"kind", [](T& t) -> Slot { return &t.kind; },
           "The pattern of the kind of its manifests or of its policy; empty: any."},
    Key<T>{"undeclaredRoles",
           [](T& t) -> Slot { return OptionalChoice(t.undeclared_roles, kRuleUndeclared); },
           "What becomes of roles that no manifest declares: report keeps them as open drift."},
    Key<T>{"selfLockout",
           [](T& t) -> Slot { return OptionalChoice(t.self_lockout, kUnsafeWrites); },
           "Whether a write may take bindery's own permission to write the policy."},
    Key<T>{"lastOwner", [](T& t) -> Slot { return OptionalChoice(t.last_owner, kUnsafeWrites); },
           "Whether a write may remove the last holder of roles/owner, roles/admin, "
           "roles/resourcemanager.organizationAdmin or roles/billing.admin from a container."},
    Key<T>{"condition.title", [](T& t) -> Slot { return &t.condition.title; }, kTitle},
    Key<T>{"condition.expression", [](T& t) -> Slot { return &t.condition.expression; },
           kExpression},
    Key<T>{"condition.endsWithin", [](T& t) -> Slot { return &t.condition.ends_within; },
           kEndsWithin, kWithin},
};

constexpr std::array kProtectedGrantsKeys = {
    Key<G>{"principal", [](G& g) -> Slot { return &g.principal; },
           "The pattern of the principal; empty: any."},
    Key<G>{"condition.title", [](G& g) -> Slot { return &g.condition.title; }, kTitle},
    Key<G>{"condition.expression", [](G& g) -> Slot { return &g.condition.expression; },
           kExpression},
    Key<G>{"condition.endsWithin", [](G& g) -> Slot { return &g.condition.ends_within; },
           kEndsWithin, kWithin},
};

using A = AcceptedDriftRule;

Slot AcceptedClassSlot(A& rule) {
  return ChoiceSlot{
      std::span(kDriftClasses).first(kAcceptableClasses),
      [&rule] { return static_cast<std::size_t>(rule.drift_class.value_or(DriftClass::kMissing)); },
      [&rule](std::size_t index) {
        rule.drift_class = DriftClassFromString(kDriftClasses.at(index));
      }};
}

constexpr std::array kAcceptedDriftKeys = {
    Key<A>{"match.target", [](A& a) -> Slot { return &a.target; }, "The full name of the target."},
    Key<A>{"match.role", [](A& a) -> Slot { return &a.role; },
           "The role, or the relation of a restriction policy."},
    Key<A>{"match.member", [](A& a) -> Slot { return &a.member; },
           "The member, or the principal of a restriction policy."},
    Key<A>{"match.class", [](A& a) -> Slot { return AcceptedClassSlot(a); },
           "The class of the difference."},
    Key<A>{"match.condition.title", [](A& a) -> Slot { return &a.condition.title; }, kTitle},
    Key<A>{"match.condition.expression", [](A& a) -> Slot { return &a.condition.expression; },
           kExpression},
    Key<A>{"match.condition.endsWithin", [](A& a) -> Slot { return &a.condition.ends_within; },
           kEndsWithin, kWithin},
    Key<A>{"reason", [](A& a) -> Slot { return &a.acceptance.reason; }, "Why it may stay."},
    Key<A>{"owner", [](A& a) -> Slot { return &a.acceptance.owner; }, "Who answers for it."},
    Key<A>{"until", [](A& a) -> Slot { return TimeSlot{&a.acceptance.until}; },
           "From then on it is drift again; a day begins at 00:00 UTC."},
};

}  // namespace

std::span<const Key<SeverityRule>> SeverityRuleKeys() { return kSeverityRuleKeys; }
std::span<const Key<TargetRule>> TargetRuleKeys() { return kTargetRuleKeys; }
std::span<const Key<AcceptedDriftRule>> AcceptedDriftKeys() { return kAcceptedDriftKeys; }
std::span<const Key<ProtectedGrants>> ProtectedGrantsKeys() { return kProtectedGrantsKeys; }

}  // namespace bindery::config
