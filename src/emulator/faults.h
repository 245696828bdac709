#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/expected.h"
#include "core/base/json.h"
#include "core/base/mutex.h"
#include "emulator/call.h"
#include "emulator/rate_limit.h"
#include "httpd/message.h"

namespace bindery::emulator {

/// A fault, with its frequency.
struct Fault {
  enum class Drop { kNo, kBefore, kAfter };

  std::string operation = "*";         ///< Glob over operation names.
  std::string target = "*";            ///< Glob over target names.
  std::optional<std::uint64_t> times;  ///< How often still; absent: without end.
  double probability = 1;
  std::chrono::milliseconds delay{0};
  int status = 0;  ///< Answered instead of the real answer; 0: the real one.
  std::optional<std::chrono::milliseconds> retry_after;
  std::optional<std::string> answer;  ///< The body of that answer; else the service's words.
  Drop drop = Drop::kNo;         ///< Close the connection before or after the call took effect.
  bool apply_then_fail = false;  ///< The call takes effect, then `status` is answered.
  std::chrono::milliseconds stale_for{0};  ///< Reads see the state of that long ago.
  /// The etag of all policies of Google's side, whatever is written; writes do not compare it.
  std::optional<std::string> etag;
  bool drop_conditions = false;  ///< Google's side stores what is written without conditions.
  std::optional<RateLimit> rate_limit;
  std::chrono::milliseconds date_skew{0};  ///< How far the answer's Date is ahead of the clock.
};

/// The effect of the faults on one call.
struct Effect {
  std::chrono::milliseconds delay{0};
  int status = 0;
  std::optional<std::chrono::milliseconds> retry_after;
  std::optional<std::string> answer;
  Fault::Drop drop = Fault::Drop::kNo;
  bool apply_then_fail = false;
  std::chrono::milliseconds stale_for{0};
  std::optional<std::string> etag;
  bool drop_conditions = false;
  std::chrono::milliseconds date_skew{0};
  httpd::Headers headers;  ///< Rate limit headers for whatever Datadog's side answers.
};

/// The faults in force. Thread-safe; chance is reproducible: the same calls in the same order after
/// the same list meet the same faults.
class Faults {
 public:
  /// Replaces the list. kInvalidArgument names the fault and the field that is wrong.
  [[nodiscard]] Expected<void> Set(const Json& list);
  /// The list as it was given, with the rest of `times`.
  [[nodiscard]] Json ToJson();
  /// Goes through the list in order: delays add up, the first fault that answers or drops ends.
  [[nodiscard]] Effect Match(const Call& call, const CallerName& caller, WallTime now);

 private:
  Mutex mutex_;
  std::vector<Fault> faults_ GUARDED_BY(mutex_);
  std::mt19937_64 random_ GUARDED_BY(mutex_);
};

/// Makes the effect a refusal when the call is over its limit; it counts all the same.
void TakeLimit(const RateVerdict& verdict, const httpd::Headers& headers, Effect& effect);

/// The answer a fault's status stands for, in the words of the call's service.
[[nodiscard]] httpd::Response FaultResponse(const Effect& effect, const Call& call,
                                            const httpd::Request& request);

}  // namespace bindery::emulator
