#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "controller/claims/resource_entry.h"
#include "controller/clock/now.h"
#include "controller/gates/engine_work.h"
#include "controller/gates/target_work.h"

namespace bindery::controller {

/// Finds answers that are not believed yet: a policy without most of its former content, a policy
/// that contradicts its own etag, a lookup with a changed object under the same name, and a target
/// reported as missing. A service, a proxy or a cache gives such answers for seconds at times. The
/// same holds for the refusal of a new account, because a service may not know a new account for
/// minutes.
///
/// Invariants: an answer is doubted from its first reading until the same answer was given for as
/// long as the settings say; another answer starts again. A target counts as absent for good only
/// after several readings.
/// Belongs to the loop thread.
class AnswerDoubts {
 public:
  /// As EngineSettings::confirm_emptied and EngineSettings::release_missing.
  void SetPatience(std::chrono::milliseconds emptied, std::chrono::milliseconds missing) {
    emptied_ = emptied;
    missing_ = missing;
  }

  /// An answer nothing may be done about.
  struct Doubted {
    Error error;                              ///< kAborted, for people.
    bool first = false;                       ///< The answer was not given before.
    std::chrono::milliseconds read_again{0};  ///< From now.
  };
  /// Nothing: the answer is believed. Expected effects of a write of our own are no surprise.
  /// `contradicts_etag`: the policy changed although the etag is the last etag. Requires: `result`
  /// has an observation.
  [[nodiscard]] std::optional<Doubted> Weigh(const TargetEntry& target, const CheckResult& result,
                                             bool contradicts_etag, const Now& now);

  /// The outcome of a call; null: an answer. Only an outcome about the target ends an absence: the
  /// target exists, or access is refused.
  void NoteAnswer(const TargetKey& key, const Error* error);
  /// It was not found once more. True when said for long enough, and often enough.
  [[nodiscard]] bool IsAbsentForGood(const TargetEntry& target, const Now& now);
  /// The target has no owner any more.
  void ForgetAbsence(const TargetKey& key) { absent_.erase(key); }

  /// The failure of a call, as it is dealt with for now. A refusal for which the service, or its
  /// dialect, asks to be asked again is kUnavailable until it was the same for ten minutes.
  [[nodiscard]] Error Tempered(const TargetKey& key, Error error, const Now& now);
  /// The declared state was accepted, or is there: no refusal stands.
  void ForgetRefusal(const TargetKey& key) { refusals_.erase(key); }

 private:
  /// Why an answer is a surprise.
  struct Surprise {
    std::string answer;  ///< Tells it from others: a digest, or the ids that a lookup gives.
    std::string what;    ///< For people; empty: it is none.
  };
  [[nodiscard]] static Surprise SurpriseIn(const TargetEntry& target, const CheckResult& result,
                                           bool contradicts_etag);

  /// A policy without most of its former content, or against its etag, or the result of a lookup
  /// with a changed id.
  struct Doubt {
    std::string answer;  ///< As Surprise::answer.
    MonoTime since;
  };
  /// A target answered with NOT_FOUND.
  struct Absence {
    MonoTime since;
    int reads = 0;
  };

  /// A refusal that may be temporary.
  struct Refusal {
    std::string message;
    MonoTime since;
  };

  std::chrono::milliseconds emptied_{0};
  std::chrono::milliseconds missing_{0};
  ByTarget<Doubt> doubts_;
  ByTarget<Absence> absent_;
  ByTarget<Refusal> refusals_;
};

}  // namespace bindery::controller
