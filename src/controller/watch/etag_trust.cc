#include "controller/watch/etag_trust.h"

#include <fmt/format.h>

namespace bindery::controller {

bool EtagTrust::MayAsk(const TargetEntry& target, Priority priority) const {
  // Requested checks, and checks after a failure, read the policy in full.
  if (priority != Priority::kPeriodic) return false;
  if (target.reading.etag.empty()) return false;
  return target.calls.etag_checks + 1 < full_read_every_ && Trusts(target);
}

bool EtagTrust::Trusts(const TargetEntry& target) const {
  if (!target.kind->traits().etag_tells_changes) return false;
  return distrusted_.empty() ||
         !distrusted_.contains({target.provider.str(), target.target->kind.str()});
}

std::optional<Event> EtagTrust::Note(TargetEntry& target, const CheckResult& result,
                                     const Now& now) {
  constexpr int kMostUnusable = 3;
  if (result.etag_answer == EtagAnswer::kSame) {
    ++target.calls.etag_checks;
  } else {
    target.calls.etag_checks = 0;
  }
  if (result.etag_answer == EtagAnswer::kUnusable) {
    if (++unusable_[{target.provider.str(), target.target->kind.str()}] < kMostUnusable) return {};
    return Distrust(target, "EtagNotAnswered", "the service does not answer with the etag alone",
                    now);
  }
  if (result.etag_answer != EtagAnswer::kNotAsked && !unusable_.empty()) {
    unusable_.erase({target.provider.str(), target.target->kind.str()});
  }
  return {};
}

std::optional<Event> EtagTrust::NoteStoodStill(const TargetEntry& target, const Now& now) {
  if (!target.kind->traits().etag_tells_changes) return {};
  return Distrust(target, "EtagStoodStill", "the policy changed, and its etag did not", now);
}

std::optional<Event> EtagTrust::Distrust(const TargetEntry& target, const char* reason,
                                         const std::string& why, const Now& now) {
  const std::string kind = target.target->kind.str();
  if (!distrusted_.insert({target.provider.str(), kind}).second) return {};
  return Event{
      now.wall,
      EventType::kWarning,
      reason,
      "",
      target.target->name,
      fmt::format("{}: all policies of the kind {} are read in full by every check, until bindery "
                  "restarts",
                  why, kind),
      "bindery"};
}

void EtagTrust::Spread(TargetEntry& target) const {
  const std::size_t hash = TargetKey::Hash()(target.target);
  target.calls.etag_checks =
      static_cast<std::uint8_t>(hash % static_cast<std::size_t>(full_read_every_));
}

}  // namespace bindery::controller
