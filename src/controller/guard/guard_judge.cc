// Whether removals may go. Pure: nothing is changed.

#include <algorithm>
#include <optional>
#include <utility>

#include "controller/guard/guard.h"
#include "core/access/canonical_json.h"
#include "providers/registry/kinds.h"

namespace bindery {
namespace {

Removals NoneOf(const Removals& removals) {
  Removals none = removals;
  none.grants.clear();
  return none;
}

GuardReason SeverityReason(Severity limit) {
  GuardReason reason;
  reason.limit = GuardReason::Limit::kSeverity;
  reason.severity = limit;
  return reason;
}

GuardReason Question(const std::string& asked) {
  GuardReason reason;
  reason.limit = GuardReason::Limit::kQuestion;
  reason.name = asked;
  return reason;
}

/// The reason, with the scope of its numbers.
std::optional<GuardReason> Counting(std::optional<GuardReason> reason, GuardReason::Scope scope,
                                    const std::string& provider = {}) {
  if (!reason) return reason;
  reason->scope = scope;
  if (!provider.empty()) reason->name = provider;
  return reason;
}

std::int64_t SizeOf(const std::vector<Removal>& grants) {
  return static_cast<std::int64_t>(grants.size());
}

std::int64_t DeclaredAmong(const std::vector<Removal>& grants) {
  return std::count_if(grants.begin(), grants.end(),
                       [](const Removal& removal) { return WasDeclared(removal.cause); });
}

}  // namespace

/// One judgement: sorts the removals of each target, counts the request, and decides the part that
/// fits.
class Guard::Judging {
 public:
  Judging(const Guard& guard, const Context& context, Waiting waiting)
      : guard_(guard), limits_(guard.limits_), context_(context), waiting_(waiting) {}

  std::vector<Decision> Judge(const std::vector<Removals>& together) {
    for (const Removals& removals : together) cases_.push_back(Sort(removals));
    CountWaiting(together);
    const Reason foreign = ReasonAgainstForeign();
    const Reason all = ReasonAgainstAll();
    std::vector<Decision> decisions;
    for (Case& one : cases_) {
      Settle(one.decision, one.foreign, foreign);
      if (all) CountAnew(one.decision.reasons, *all);
      Settle(one.decision, one.open, all ? all : ReasonAgainst(one));
      decisions.push_back(std::move(one.decision));
    }
    return decisions;
  }

 private:
  using Reason = std::optional<GuardReason>;
  struct Case {
    Decision decision;
    std::vector<Removal> open;     ///< To be judged by number.
    std::vector<Removal> foreign;  ///< The same, apart.
  };

  Case Sort(const Removals& removals) const {
    Case one;
    one.decision.go = NoneOf(removals);
    one.decision.wait = NoneOf(removals);
    const std::string key = removals.target.Key();
    std::vector<Removal> grave;
    const bool approved = IsApproved(key, removals);
    for (const Removal& removal : removals.grants) {
      if (approved && guard_.answers_.IsApproved(key, removal.grant)) {
        one.decision.go.grants.push_back(removal);
      } else if (guard_.answers_.IsDenied(key, removal.grant)) {
        one.decision.denied.grants.push_back(removal);
      } else if (waiting_ == Waiting::kStays && WaitsAlready(key, removal.grant)) {
        one.decision.wait.grants.push_back(removal);
        one.decision.reasons = guard_.held_.Find(key)->reasons;
      } else if (!removals.ask.empty()) {
        one.decision.wait.grants.push_back(removal);
        one.decision.reasons = {Question(removals.ask)};
      } else if (IsGrave(removals.target, removal)) {
        grave.push_back(removal);
      } else {
        (removal.cause == RemovalCause::kForeign ? one.foreign : one.open).push_back(removal);
      }
    }
    if (!grave.empty()) Settle(one.decision, grave, SeverityReason(*limits_.hold_severity));
    return one;
  }

  /// An approval covers all removals by the directory on a target, or none: an operator has seen
  /// all together. Removals with a foreign cause, and denied removals, are not covered.
  [[nodiscard]] bool IsApproved(const std::string& key, const Removals& removals) const {
    return std::all_of(removals.grants.begin(), removals.grants.end(), [&](const Removal& removal) {
      return removal.cause == RemovalCause::kForeign ||
             guard_.answers_.IsApproved(key, removal.grant) ||
             guard_.answers_.IsDenied(key, removal.grant);
    });
  }

  [[nodiscard]] bool WaitsAlready(const std::string& key, const Grant& grant) const {
    const HeldRemovals::Entry* held = guard_.held_.Find(key);
    if (held == nullptr) return false;
    const auto& grants = held->removals.grants;
    return std::any_of(grants.begin(), grants.end(),
                       [&](const Removal& removal) { return removal.grant == grant; });
  }

  /// What the first manifest of a role takes away counts where all that is in the target inherits.
  [[nodiscard]] bool IsGrave(const Target& target, const Removal& removal) const {
    const bool by_manifest =
        removal.cause == RemovalCause::kManifest ||
        (removal.cause == RemovalCause::kAdoption && TraitsOf(target).is_container);
    return limits_.hold_severity && by_manifest && removal.severity >= *limits_.hold_severity;
  }

  static void Settle(Decision& decision, const std::vector<Removal>& grants, const Reason& reason) {
    std::vector<Removal>& into = reason ? decision.wait.grants : decision.go.grants;
    into.insert(into.end(), grants.begin(), grants.end());
    if (!grants.empty() && reason) AddReason(decision.reasons, *reason);
  }

  void AddWaiting(const Target& target, const std::string& provider,
                  const std::vector<Removal>& grants) {
    for (const Removal& removal : grants) {
      if (removal.cause == RemovalCause::kForeign) continue;
      ++waiting_grants_;
      ++waiting_in_[target.kind.str()];
      if (!WasDeclared(removal.cause)) continue;
      ++waiting_declared_;
      ++waiting_on_[provider];
      ++waiting_at_[target.Key()];
    }
  }

  /// Waiting removals of the judged targets, and of further targets.
  void CountWaiting(const std::vector<Removals>& together) {
    std::set<std::string> judged;
    for (const Removals& removals : together) judged.insert(removals.target.Key());
    for (const Case& one : cases_) {
      const Removals& wait = one.decision.wait;
      AddWaiting(wait.target, wait.provider, wait.grants);
    }
    for (const auto& [key, held] : guard_.held_.by_target()) {
      if (judged.contains(key)) continue;
      AddWaiting(held.removals.target, held.removals.provider, held.removals.grants);
    }
  }

  /// Removals with a foreign cause are measured alone: the directory's removals do not delay them.
  [[nodiscard]] Reason ReasonAgainstForeign() const {
    GuardCount count;
    for (const Case& one : cases_) count.asked += SizeOf(one.foreign);
    if (count.asked == 0) return std::nullopt;
    count.before = guard_.recent_.foreign().Total();
    GuardLimits limits = limits_;
    limits.window = limits.foreign_window;
    Reason reason = OverNumber(count, limits);
    if (!reason) {
      reason = OverFraction(count, guard_.recent_.MostHeld(), /*small=*/false, limits);
    }
    return Counting(std::move(reason), GuardReason::Scope::kForeign);
  }

  [[nodiscard]] Reason ReasonAgainstAll() const {
    GuardCount all;
    GuardCount declared;
    for (const Case& one : cases_) {
      all.asked += SizeOf(one.open);
      declared.asked += DeclaredAmong(one.open);
    }
    if (all.asked == 0) return std::nullopt;
    declared.before = guard_.recent_.declared().Total();
    all.before = declared.before + guard_.recent_.adopted().Total();
    declared.waiting = waiting_declared_ + context_.expected;
    all.waiting = waiting_grants_ + context_.expected;
    Reason reason = OverNumber(all, limits_);
    if (reason || declared.asked == 0) return reason;
    return OverFraction(declared, guard_.recent_.MostHeld(), /*small=*/true, limits_);
  }

  [[nodiscard]] Reason ReasonAgainst(const Case& one) {
    const Removals& of = one.decision.go;
    if (Reason reason = ReasonAgainstGroups(one)) return reason;
    const std::int64_t asked = DeclaredAmong(one.open);
    if (asked == 0) return std::nullopt;
    const std::string key = of.target.Key();
    GuardCount count{asked, guard_.recent_.declared().OnTarget(key), waiting_at_[key]};
    const std::int64_t declared_there = of.declared + count.before;
    Reason reason =
        Counting(OverFraction(count, declared_there, false, limits_), GuardReason::Scope::kTarget);
    return reason ? reason : ReasonAgainstProvider(of.provider);
  }

  /// The reason for the first group of the target over its limit.
  [[nodiscard]] Reason ReasonAgainstGroups(const Case& one) {
    if (one.open.empty()) return std::nullopt;
    for (const GuardGroup& group : limits_.groups) {
      if (!group.Has(one.decision.go.target.kind.str())) continue;
      const auto known = by_group_.find(group.key);
      const Reason& reason = known != by_group_.end()
                                 ? known->second
                                 : by_group_.emplace(group.key, CountGroup(group)).first->second;
      if (reason) return reason;
    }
    return std::nullopt;
  }

  /// Removals with a foreign cause count apart, and for no group.
  [[nodiscard]] Reason CountGroup(const GuardGroup& group) const {
    const auto has = [&group](std::string_view kind) { return group.Has(kind); };
    GuardCount count;
    count.before = guard_.recent_.declared().OnKinds(has) + guard_.recent_.adopted().OnKinds(has);
    for (const auto& [kind, waiting] : waiting_in_) {
      if (has(kind)) count.waiting += waiting;
    }
    for (const Case& one : cases_) {
      if (has(one.decision.go.target.kind.str())) count.asked += SizeOf(one.open);
    }
    return OverGroup(count, group, limits_);
  }

  [[nodiscard]] Reason ReasonAgainstProvider(const std::string& provider) {
    const auto known = by_provider_.find(provider);
    if (known != by_provider_.end()) return known->second;
    Reason& reason = by_provider_[provider];
    GuardCount count{0, guard_.recent_.declared().OnProvider(provider), waiting_on_[provider]};
    std::int64_t narrowed = 0;
    for (const Case& one : cases_) {
      if (one.decision.go.provider != provider) continue;
      count.asked += DeclaredAmong(one.open);
      narrowed += one.decision.go.narrowed;
    }
    if (count.All() < kFractionFrom || !context_.declared_on) return reason;
    reason = Counting(OverFraction(count, context_.declared_on(provider) + narrowed + count.before,
                                   false, limits_),
                      GuardReason::Scope::kProvider, provider);
    return reason;
  }

  const Guard& guard_;
  const GuardLimits& limits_;
  const Context& context_;
  Waiting waiting_;
  std::vector<Case> cases_;
  std::int64_t waiting_grants_ = 0;
  std::int64_t waiting_declared_ = 0;
  std::map<std::string, std::int64_t> waiting_on_;  ///< By provider.
  std::map<std::string, std::int64_t> waiting_at_;  ///< By target.
  std::map<std::string, std::int64_t> waiting_in_;  ///< By kind, whatever the cause.
  std::map<std::string, Reason> by_provider_;
  std::map<std::string, Reason> by_group_;  ///< By key.
};

std::vector<Guard::Decision> Guard::Judge(const std::vector<Removals>& together,
                                          const Context& context, Waiting waiting) const {
  return Judging(*this, context, waiting).Judge(together);
}

}  // namespace bindery
