#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "controller/engine_work.h"
#include "controller/now.h"
#include "controller/resource_entry.h"
#include "controller/target_work.h"

namespace bindery {

/// Says which answers are not believed yet: a policy without most of what it held, one that its own
/// etag contradicts, a lookup that finds another thing under the same name, and a target that is
/// said not to exist. A service, or a proxy or a cache before it, says such things for seconds at
/// times. The same goes for a refusal of a new account, which a service does
/// not know for minutes.
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
  /// Nothing: the answer is believed. What a write of our own asked for is no surprise.
  /// `contradicts_etag`: it is another policy under the etag of the last one, which says that
  /// nothing changed. Requires: `result` has an observation.
  [[nodiscard]] std::optional<Doubted> Weigh(const TargetEntry& target, const CheckResult& result,
                                             bool contradicts_etag, const Now& now);

  /// What a call came to; null: it was answered. Only what says something of the target ends an
  /// absence: that it is there, or is kept from us.
  void NoteAnswer(const TargetKey& key, const Error* error);
  /// It was not found once more. True when said for long enough, and often enough.
  [[nodiscard]] bool IsAbsentForGood(const TargetEntry& target, const Now& now);
  /// It has no owner any more.
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

  /// A policy answered without most of what it held, or against its etag, or the result of a lookup
  /// with another id.
  struct Doubt {
    std::string answer;  ///< As Surprise::answer.
    MonoTime since;
  };
  /// A target answered with NOT_FOUND.
  struct Absence {
    MonoTime since;
    int reads = 0;
  };

  /// A refusal that may pass.
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

}  // namespace bindery
