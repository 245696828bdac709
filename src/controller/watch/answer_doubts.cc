#include "controller/watch/answer_doubts.h"

#include <fmt/format.h>

#include <algorithm>

#include "controller/claims/status_code.h"
#include "core/base/json.h"
#include "core/text/time_text.h"

namespace bindery::controller {
namespace {

/// The identity of the found object, by the outputs: "id 7f3d6a10-…"; empty if the outputs have
/// none.
std::string FoundIn(const manifests::KindSchema& schema, const Json& outputs) {
  std::string found;
  for (const manifests::Field& field : schema.outputs) {
    const std::string value = field.identity ? StringMember(outputs, field.name) : std::string();
    if (!value.empty()) found += (found.empty() ? "" : ", ") + field.name + " " + value;
  }
  return found;
}

}  // namespace

/// The first result of a lookup is no surprise.
AnswerDoubts::Surprise AnswerDoubts::SurpriseIn(const TargetEntry& target,
                                                const CheckResult& result, bool contradicts_etag) {
  if (target.is_lookup()) {
    const manifests::KindSchema& schema = target.kind->schema();
    const std::string known = FoundIn(schema, ParseJson(target.Outputs()).value_or(Json::object()));
    std::string found =
        FoundIn(schema, target.kind->Outputs(target.target->name, *result.observed));
    if (known.empty() || found == known) return {};
    std::string what =
        fmt::format("the lookup is answered with {}, and gave {} before", found, known);
    return {std::move(found), std::move(what)};
  }
  const std::size_t seen = result.observed->grants.size();
  const auto held = static_cast<std::size_t>(std::max(target.reading.grants, 0));
  if (target.reading.observed && 2 * seen < held) {
    return {result.policy.digest,
            fmt::format("the policy is answered with {} of the {} grants it held", seen, held)};
  }
  if (!contradicts_etag) return {};
  return {result.policy.digest, "the policy is answered as another one under the same etag"};
}

std::optional<AnswerDoubts::Doubted> AnswerDoubts::Weigh(const TargetEntry& target,
                                                         const CheckResult& result,
                                                         bool contradicts_etag, const Now& now) {
  constexpr int kReadings = 4;  // Besides the first.
  const TargetKey& key = target.target;
  Surprise surprise = SurpriseIn(target, result, contradicts_etag);
  const bool our_own =
      target.unresolved != nullptr && result.grants_digest == target.unresolved->digest_desired;
  if (surprise.what.empty() || our_own) {
    doubts_.erase(key);
    return std::nullopt;
  }
  const Doubt doubt{std::move(surprise.answer), now.mono};
  Doubt& known = doubts_.try_emplace(key, doubt).first->second;
  if (known.answer != doubt.answer) known = doubt;
  if (now.mono - known.since >= emptied_) {
    doubts_.erase(key);
    return std::nullopt;
  }
  Doubted doubted;
  doubted.error.code = Code::kAborted;
  doubted.error.message =
      fmt::format("{}: nothing is done about it before that was answered for {}", surprise.what,
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
  // An earlier process may have begun the search: with `run --once` this is always so.
  return std::any_of(target.resources.begin(), target.resources.end(), [&](const auto* entry) {
    return entry->leaving() && GetCode(*entry->standing.status) == StatusCode::kTargetNotFound &&
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

}  // namespace bindery::controller
