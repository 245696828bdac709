#include "attribution/attribute.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace bindery::attribution {
namespace {

/// How long after a call its outcome may be on record here.
constexpr std::chrono::seconds kWriting(35);

bool IsOurs(const AuditEntry& entry, std::span<const WallTime> own_writes) {
  // The caller's user agent alone proves nothing: the record must also have a write of ours at the
  // time.
  return LooksLikeOurs(entry) &&
         std::any_of(own_writes.begin(), own_writes.end(), [&entry](WallTime written) {
           return entry.time <= written + kClocks && entry.time >= written - kWriting;
         });
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
        observed_(question.observed),
        normal_(question.normal),
        principal_(question.normal(question.item.grant.principal)) {}

  [[nodiscard]] Verdict Of(const AuditEntry& entry) const {
    const bool removed = entry.detail == AuditDetail::kTargetRemoved;
    if (item_.drift_class == DriftClass::kTargetMissing) {
      // A policy can only be set on an existing target.
      return removed ? Verdict::kMade : Verdict::kUnmade;
    }
    // A deleted target grants nothing.
    if (removed) return IsMissing() ? Verdict::kThere : Verdict::kUnmade;
    if (entry.detail == AuditDetail::kChanges) return OfChanges(entry);
    return entry.detail == AuditDetail::kPolicy ? OfPolicy(entry) : Verdict::kPossible;
  }

 private:
  [[nodiscard]] bool IsMissing() const { return item_.drift_class == DriftClass::kMissing; }
  [[nodiscard]] bool IsCondition() const {
    return item_.drift_class == DriftClass::kConditionChanged;
  }

  [[nodiscard]] bool Names(const Grant& grant, const Grant& wanted) const {
    return grant.role == wanted.role && grant.condition == wanted.condition &&
           normal_(grant.principal) == principal_;
  }
  [[nodiscard]] bool NamesItem(const Grant& grant) const { return Names(grant, item_.grant); }
  [[nodiscard]] bool NamesObserved(const Grant& grant) const {
    return observed_ && Names(grant, *observed_);
  }

  /// With a changed condition the declared grant is missing, and a second grant is in its place.
  [[nodiscard]] bool Makes(const AuditedGrant& change) const {
    if (IsCondition() && NamesObserved(change.grant)) return change.added;
    const bool adds = item_.drift_class == DriftClass::kUndeclared;
    return NamesItem(change.grant) && change.added == adds;
  }
  [[nodiscard]] Verdict OfChanges(const AuditEntry& entry) const {
    Verdict verdict = Verdict::kNothing;
    for (const AuditedGrant& change : entry.grants) {
      if (Makes(change)) return Verdict::kMade;
      if (NamesItem(change.grant) || NamesObserved(change.grant)) verdict = Verdict::kUnmade;
    }
    return verdict;
  }

  [[nodiscard]] Verdict OfPolicy(const AuditEntry& entry) const {
    bool item = false;
    bool observed = false;
    for (const AuditedGrant& one : entry.grants) {
      item = item || NamesItem(one.grant);
      observed = observed || NamesObserved(one.grant);
    }
    const bool wanted = item_.drift_class == DriftClass::kUndeclared;
    return item == wanted && observed == IsCondition() ? Verdict::kThere : Verdict::kUnmade;
  }

  const DriftItem& item_;
  const std::optional<Grant>& observed_;
  const std::function<std::string(const std::string&)>& normal_;
  std::string principal_;
};

using Candidates = std::vector<const AuditEntry*>;

bool AreOfOneActor(const Candidates& entries) {
  const AuditEntry& first = *entries.front();
  if (entries.size() == 1) return true;
  return !first.actor.empty() &&
         std::all_of(entries.begin(), entries.end(), [&first](const AuditEntry* entry) {
           return entry->actor == first.actor && entry->impersonator == first.impersonator;
         });
}

/// The only possible entry among entries, newest first, that do not say that they made the
/// difference.
std::optional<Answer> Only(const Candidates& possible, const Candidates& there) {
  if (possible.empty() && there.empty()) return std::nullopt;
  if (possible.empty()) return Answer{there.back(), How::kPolicy};
  if (!there.empty() || !AreOfOneActor(possible)) return std::nullopt;
  return Answer{possible.front(), How::kPolicy};
}

/// Goes through entries from the newest on.
class Search {
 public:
  explicit Search(const Question& question) : question_(question), judge_(question) {}

  [[nodiscard]] std::optional<Answer> In(std::span<const AuditEntry> entries) {
    for (auto entry = entries.rbegin(); entry != entries.rend() && !done_; ++entry) Take(*entry);
    if (made_ != nullptr) return Answer{made_, How::kExact};
    // Without a reading or an entry about the earlier time, other callers may have made the
    // difference earlier.
    const bool reached_before = unmade_ || (question_.read_before && !done_);
    return reached_before ? Only(possible_, there_) : std::nullopt;
  }

 private:
  void Take(const AuditEntry& entry) {
    const Verdict verdict = judge_.Of(entry);
    if (verdict == Verdict::kNothing) return;
    if (verdict == Verdict::kUnmade) {
      // A later entry shows nothing of the earlier time.
      unmade_ = entry.time <= question_.first_seen;
      done_ = true;
    } else if (IsOurs(entry, question_.own_writes)) {
      TakeOurs(verdict);
    } else if (verdict == Verdict::kMade) {
      made_ = &entry;
      done_ = true;
    } else {
      (verdict == Verdict::kPossible ? possible_ : there_).push_back(&entry);
    }
  }

  /// We make no differences; but where they began with a manifest, we may have made what it was
  /// about, and the writer before us did not.
  void TakeOurs(Verdict verdict) { done_ = verdict == Verdict::kMade || !question_.read_before; }

  const Question& question_;
  Judge judge_;
  const AuditEntry* made_ = nullptr;
  bool unmade_ = false;
  bool done_ = false;
  Candidates possible_;
  Candidates there_;
};

/// The entries of a time, both ends included.
std::span<const AuditEntry> Within(std::span<const AuditEntry> entries,
                                   std::optional<WallTime> from, WallTime until) {
  const auto before = [](const AuditEntry& entry, WallTime time) { return entry.time < time; };
  const auto behind = [](WallTime time, const AuditEntry& entry) { return time < entry.time; };
  const auto begin =
      from ? std::lower_bound(entries.begin(), entries.end(), *from, before) : entries.begin();
  return {begin, std::upper_bound(begin, entries.end(), until, behind)};
}

}  // namespace

std::string_view ToString(How how) { return how == How::kExact ? "exact" : "policy"; }

bool LooksLikeOurs(const AuditEntry& entry) { return entry.agent.starts_with("bindery/"); }

std::optional<Answer> Attribute(const Question& question, std::span<const AuditEntry> entries) {
  const DriftClass drift_class = question.item.drift_class;
  if (drift_class == DriftClass::kPrincipalDeleted || drift_class == DriftClass::kLookupChanged ||
      IsNote(drift_class)) {
    return std::nullopt;
  }
  std::optional<WallTime> from;
  if (question.read_before) from = *question.read_before - kClocks;
  // An entry after the finding can be the cause only by a different clock.
  for (const std::chrono::seconds later : {std::chrono::seconds(0), kClocks}) {
    const auto in_time = Within(entries, from, question.first_seen + later);
    if (auto answer = Search(question).In(in_time)) return answer;
  }
  return std::nullopt;
}

}  // namespace bindery::attribution
