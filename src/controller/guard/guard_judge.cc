// Whether removals may go. Pure: nothing is changed.

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "controller/guard/guard.h"
#include "providers/registry/kinds.h"

namespace bindery::controller {
namespace {

std::int64_t DeclaredAmong(const std::vector<Removal>& grants) {
  return std::count_if(grants.begin(), grants.end(),
                       [](const Removal& removal) { return WasDeclared(removal.cause); });
}

}  // namespace

/// One judgement: sorts the removals of each target, counts the request, and decides the part that
/// fits.
class Guard::Judging {
 public:
  Judging(const Guard& guard, const Context& context)
      : guard_(guard), limits_(guard.limits_), context_(context) {}

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
    one.decision.go = removals;
    one.decision.go.grants.clear();
    one.decision.wait = one.decision.go;
    const std::string key = removals.target.Key();
    const HeldRemovals::Entry* held = context_.judged_anew ? nullptr : guard_.held_.Find(key);
    const auto waits = [held](const Removal& removal) {
      const auto& grants = held->removals.grants;
      return std::ranges::find(grants, removal.grant, &Removal::grant) != grants.end();
    };
    std::vector<Removal> grave;
    const bool approved = IsApproved(key, removals);
    for (const Removal& removal : removals.grants) {
      if (approved && guard_.answers_.IsApproved(key, removal.grant)) {
        one.decision.go.grants.push_back(removal);
      } else if (guard_.answers_.IsDenied(key, removal.grant)) {
        one.decision.denied.grants.push_back(removal);
      } else if (held != nullptr && waits(removal)) {
        one.decision.wait.grants.push_back(removal);
        one.decision.reasons = held->reasons;
      } else if (!removals.ask.empty()) {
        one.decision.wait.grants.push_back(removal);
        one.decision.reasons = {{.limit = GuardReason::Limit::kQuestion, .name = removals.ask}};
      } else if (IsGrave(removals.target, removal)) {
        grave.push_back(removal);
      } else {
        (removal.cause == RemovalCause::kForeign ? one.foreign : one.open).push_back(removal);
      }
    }
    if (!grave.empty()) {
      Settle(
          one.decision, grave,
          GuardReason{.limit = GuardReason::Limit::kSeverity, .severity = *limits_.hold_severity});
    }
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

  /// What the first manifest of a role takes away counts where all that is in the target inherits.
  [[nodiscard]] bool IsGrave(const Target& target, const Removal& removal) const {
    const bool by_manifest =
        removal.cause == RemovalCause::kManifest ||
        (removal.cause == RemovalCause::kAdoption && providers::GetTraits(target).is_container);
    return limits_.hold_severity && by_manifest && removal.severity >= *limits_.hold_severity;
  }

  static void Settle(Decision& decision, const std::vector<Removal>& grants, const Reason& reason) {
    std::vector<Removal>& into = reason ? decision.wait.grants : decision.go.grants;
    into.insert(into.end(), grants.begin(), grants.end());
    if (!grants.empty() && reason) AddReason(decision.reasons, *reason);
  }

  void AddWaiting(const Removals& wait) {
    for (const Removal& removal : wait.grants) {
      if (removal.cause == RemovalCause::kForeign) continue;
      ++waiting_grants_;
      ++waiting_in_[wait.target.kind.str()];
      if (!WasDeclared(removal.cause)) continue;
      ++waiting_declared_;
      ++waiting_on_[wait.provider];
      ++waiting_at_[wait.target.Key()];
    }
  }

  /// Waiting removals of the judged targets, and of further targets.
  void CountWaiting(const std::vector<Removals>& together) {
    std::set<std::string> judged;
    for (const Removals& removals : together) judged.insert(removals.target.Key());
    for (const Case& one : cases_) AddWaiting(one.decision.wait);
    for (const auto& [key, held] : guard_.held_.by_target()) {
      if (!judged.contains(key)) AddWaiting(held.removals);
    }
  }

  /// Removals with a foreign cause are measured alone: the directory's removals do not delay them.
  [[nodiscard]] Reason ReasonAgainstForeign() const {
    GuardCount count;
    for (const Case& one : cases_) count.asked += std::ssize(one.foreign);
    if (count.asked == 0) return std::nullopt;
    count.before = guard_.recent_.foreign().Total();
    GuardLimits limits = limits_;
    limits.window = limits.foreign_window;
    Reason reason = OverNumber(count, limits.max_removed_grants, limits.window);
    if (!reason) {
      reason = OverFraction(count, guard_.recent_.MostHeld(), /*small=*/false, limits);
    }
    if (reason) reason->scope = GuardReason::Scope::kForeign;
    return reason;
  }

  [[nodiscard]] Reason ReasonAgainstAll() const {
    GuardCount all;
    GuardCount declared;
    for (const Case& one : cases_) {
      all.asked += std::ssize(one.open);
      declared.asked += DeclaredAmong(one.open);
    }
    if (all.asked == 0) return std::nullopt;
    declared.before = guard_.recent_.declared().Total();
    all.before = declared.before + guard_.recent_.adopted().Total();
    declared.waiting = waiting_declared_ + context_.expected;
    all.waiting = waiting_grants_ + context_.expected;
    Reason reason = OverNumber(all, limits_.max_removed_grants, limits_.window);
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
    Reason reason = OverFraction(count, of.declared + count.before, /*small=*/false, limits_);
    if (!reason) return ReasonAgainstProvider(of.provider);
    reason->scope = GuardReason::Scope::kTarget;
    return reason;
  }

  /// The reason for the first group of the target over its limit.
  [[nodiscard]] Reason ReasonAgainstGroups(const Case& one) {
    if (one.open.empty()) return std::nullopt;
    for (const GuardGroup& group : limits_.groups) {
      if (!group.Has(one.decision.go.target.kind.str())) continue;
      const auto [known, fresh] = by_group_.try_emplace(group.key);
      if (fresh) known->second = CountGroup(group);
      if (known->second) return known->second;
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
      if (has(one.decision.go.target.kind.str())) count.asked += std::ssize(one.open);
    }
    Reason reason = OverNumber(count, group.max_removed_grants, limits_.window);
    if (!reason) return reason;
    reason->limit = GuardReason::Limit::kGroup;
    reason->name = group.key;
    return reason;
  }

  [[nodiscard]] Reason ReasonAgainstProvider(const std::string& provider) {
    const auto [known, fresh] = by_provider_.try_emplace(provider);
    Reason& reason = known->second;
    if (!fresh) return reason;
    GuardCount count{0, guard_.recent_.declared().OnProvider(provider), waiting_on_[provider]};
    std::int64_t narrowed = 0;
    for (const Case& one : cases_) {
      if (one.decision.go.provider != provider) continue;
      count.asked += DeclaredAmong(one.open);
      narrowed += one.decision.go.narrowed;
    }
    if (count.All() < kFractionFrom || !context_.declared_on) return reason;
    const std::int64_t held = context_.declared_on(provider) + narrowed + count.before;
    reason = OverFraction(count, held, /*small=*/false, limits_);
    if (!reason) return reason;
    reason->scope = GuardReason::Scope::kProvider;
    reason->name = provider;
    return reason;
  }

  const Guard& guard_;
  const GuardLimits& limits_;
  const Context& context_;
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
                                          const Context& context) const {
  return Judging(*this, context).Judge(together);
}

}  // namespace bindery::controller
