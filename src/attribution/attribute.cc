#include "attribution/attribute.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace bindery::attribution {
namespace {

/// By how much the clocks of clouds and of this machine may differ, and a reading may be older than
/// its time.
constexpr std::chrono::seconds kClocks(5);
/// How long after a call its outcome may be on record here.
constexpr std::chrono::seconds kWriting(35);

bool IsOurs(const AuditEntry& entry, std::span<const WallTime> own_writes) {
  // What a caller calls itself proves nothing: it must also be on record that we wrote then.
  return LooksLikeOurs(entry) &&
         std::any_of(own_writes.begin(), own_writes.end(), [&entry](WallTime written) {
           return entry.time <= written + kClocks && entry.time >= written - kWriting;
         });
}

bool InTime(const AuditEntry& entry, const Question& question) {
  if (entry.time > question.first_seen + kClocks) return false;
  return !question.read_before || entry.time >= *question.read_before - kClocks;
}

/// What an entry can have to do with a difference.
enum class Verdict {
  kNothing,   ///< It changed something else.
  kMade,      ///< It says that it made the difference.
  kUnmade,    ///< After it there was no difference.
  kPossible,  ///< It does not say.
  kThere,     ///< After it there was the difference; whether before, it does not say.
};

class Judge {
 public:
  explicit Judge(const Question& question)
      : item_(question.item),
        normal_(question.normal),
        principal_(question.normal(question.item.grant.principal)) {}

  [[nodiscard]] Verdict Of(const AuditEntry& entry) const {
    if (item_.drift_class == DriftClass::kTargetMissing) {
      return entry.detail == AuditDetail::kTargetRemoved ? Verdict::kMade : Verdict::kNothing;
    }
    switch (entry.detail) {
      case AuditDetail::kNone:
        return Verdict::kPossible;
      case AuditDetail::kChanges:
        return OfChanges(entry);
      case AuditDetail::kPolicy:
        return OfPolicy(entry);
      case AuditDetail::kTargetRemoved:
        break;
    }
    return Verdict::kNothing;
  }

 private:
  /// The principal has the role; under the condition where that is not what differs.
  [[nodiscard]] bool Names(const Grant& grant) const {
    if (grant.role != item_.grant.role || normal_(grant.principal) != principal_) return false;
    return AnyCondition() || grant.condition == item_.grant.condition;
  }
  [[nodiscard]] bool AnyCondition() const {
    return item_.drift_class == DriftClass::kConditionChanged;
  }

  [[nodiscard]] Verdict OfChanges(const AuditEntry& entry) const {
    const bool wanted = item_.drift_class == DriftClass::kUndeclared;
    Verdict verdict = Verdict::kNothing;
    for (const AuditedGrant& change : entry.grants) {
      if (!Names(change.grant)) continue;
      if (AnyCondition() || change.added == wanted) return Verdict::kMade;
      verdict = Verdict::kUnmade;
    }
    return verdict;
  }

  [[nodiscard]] Verdict OfPolicy(const AuditEntry& entry) const {
    if (AnyCondition()) return Verdict::kPossible;
    const bool there = std::any_of(entry.grants.begin(), entry.grants.end(),
                                   [this](const AuditedGrant& one) { return Names(one.grant); });
    const bool wanted = item_.drift_class == DriftClass::kUndeclared;
    return there == wanted ? Verdict::kThere : Verdict::kUnmade;
  }

  const DriftItem& item_;
  const std::function<std::string(const std::string&)>& normal_;
  std::string principal_;
};

/// The one among entries, newest first, that do not say that they made the difference.
std::optional<Answer> Only(const std::vector<const AuditEntry*>& possible,
                           const std::vector<const AuditEntry*>& there) {
  if (possible.empty() && there.empty()) return std::nullopt;
  const auto same_actor = [&](const std::vector<const AuditEntry*>& entries) {
    return std::all_of(entries.begin(), entries.end(), [&](const AuditEntry* entry) {
      return entry->actor == entries.front()->actor;
    });
  };
  if (possible.empty()) return Answer{there.back(), How::kPolicy};
  if (!there.empty() || !same_actor(possible)) return std::nullopt;
  return Answer{possible.front(), How::kPolicy};
}

}  // namespace

std::string_view ToString(How how) { return how == How::kExact ? "exact" : "policy"; }

bool LooksLikeOurs(const AuditEntry& entry) { return entry.agent.starts_with("bindery/"); }

std::optional<Answer> Attribute(const Question& question, std::span<const AuditEntry> entries) {
  const DriftClass drift_class = question.item.drift_class;
  if (drift_class == DriftClass::kPrincipalDeleted || drift_class == DriftClass::kLookupChanged) {
    return std::nullopt;
  }
  const Judge judge(question);
  std::vector<const AuditEntry*> possible;
  std::vector<const AuditEntry*> there;
  bool reached_before = question.read_before.has_value();
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    if (!InTime(*entry, question) || IsOurs(*entry, question.own_writes)) continue;
    const Verdict verdict = judge.Of(*entry);
    if (verdict == Verdict::kMade) return Answer{&*entry, How::kExact};
    reached_before = reached_before || verdict == Verdict::kUnmade;
    if (verdict == Verdict::kUnmade) break;
    if (verdict == Verdict::kPossible) possible.push_back(&*entry);
    if (verdict == Verdict::kThere) there.push_back(&*entry);
  }
  // Without a reading or an entry that shows the time before, others may have made it earlier.
  return reached_before ? Only(possible, there) : std::nullopt;
}

}  // namespace bindery::attribution
