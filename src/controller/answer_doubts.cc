#include "controller/answer_doubts.h"

#include <fmt/format.h>

#include <algorithm>

#include "controller/status_code.h"
#include "core/time_text.h"

namespace bindery {

std::optional<AnswerDoubts::Doubted> AnswerDoubts::Weigh(const TargetEntry& target,
                                                         const CheckResult& result,
                                                         bool contradicts_etag, const Now& now) {
  constexpr int kReadings = 4;  // Besides the first.
  const TargetKey& key = target.target;
  const std::size_t seen = result.observed->grants.size();
  const auto held = static_cast<std::size_t>(std::max(target.reading.grants, 0));
  const bool lost_most = !target.is_lookup() && target.reading.observed && 2 * seen < held;
  const bool our_own =
      target.unresolved != nullptr && result.grants_digest == target.unresolved->digest_desired;
  if (!(lost_most || contradicts_etag) || our_own) {
    doubts_.erase(key);
    return std::nullopt;
  }
  const Doubt doubt{result.policy.digest, now.mono};
  Doubt& known = doubts_.try_emplace(key, doubt).first->second;
  if (known.digest != doubt.digest) known = doubt;
  if (now.mono - known.since >= emptied_) {
    doubts_.erase(key);
    return std::nullopt;
  }
  Doubted doubted;
  doubted.error.code = Code::kAborted;
  const std::string what =
      lost_most ? fmt::format("with {} of the {} grants it held", seen, target.reading.grants)
                : std::string("as another one under the same etag");
  doubted.error.message = fmt::format(
      "the policy is answered {}: nothing is done about it before that was answered for {}", what,
      FormatDuration(emptied_));
  doubted.first = known.since == now.mono;
  doubted.read_again = std::max(emptied_ / kReadings, std::chrono::milliseconds(20));
  return doubted;
}

void AnswerDoubts::NoteAnswer(const TargetKey& key, const Error* error) {
  if (absent_.empty()) return;
  const bool says_nothing =
      error != nullptr &&
      (error->code == Code::kNotFound || error->code == Code::kUnavailable ||
       error->code == Code::kDeadlineExceeded || error->code == Code::kResourceExhausted ||
       error->code == Code::kUnauthenticated || error->code == Code::kCancelled);
  if (!says_nothing) absent_.erase(key);
}

bool AnswerDoubts::IsAbsentForGood(const TargetEntry& target, const Now& now) {
  constexpr int kFewestReadings = 3;
  Absence& absence = absent_.try_emplace(target.target, Absence{now.mono}).first->second;
  ++absence.reads;
  if (absence.reads > 1) {
    return absence.reads >= kFewestReadings && now.mono - absence.since >= missing_;
  }
  // An earlier process may have begun to look for it: one that runs once does so every time.
  return std::any_of(target.resources.begin(), target.resources.end(), [&](const auto* entry) {
    return entry->leaving() && CodeOf(*entry->standing.status) == StatusCode::kTargetNotFound &&
           now.wall - entry->standing.since >= missing_;
  });
}

Error AnswerDoubts::Tempered(const TargetKey& key, Error error, const Now& now) {
  constexpr std::chrono::minutes kUntilKnown(10);
  const bool refused =
      error.code == Code::kInvalidArgument || error.code == Code::kFailedPrecondition;
  if (!refused || !error.retry_after) return error;
  const Refusal refusal{error.message, now.mono};
  Refusal& known = refusals_.try_emplace(key, refusal).first->second;
  if (known.message != refusal.message) known = refusal;
  if (now.mono - known.since >= kUntilKnown) return error;
  error.code = Code::kUnavailable;
  error.message += fmt::format(
      "; services learn of a new account or project within minutes: bindery tries again, and takes "
      "the refusal as final after {}",
      FormatDuration(kUntilKnown));
  return error;
}

}  // namespace bindery
