#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "controller/claims/lent_check.h"
#include "core/base/clock.h"
#include "store/ports/check_help.h"

namespace bindery::controller {

/// Distributes checks among helpers, and knows the helpers that are unusable at present.
///
/// Invariants: each given check comes back once. A helper that did not answer
/// in time, or failed in most of its checks, gets no check for a minute. A
/// batch grows with the speed of the helper: more after each batch in time,
/// half after a late batch. Single-threaded. Reads no clock: callers pass the
/// time.
class HelperPool {
 public:
  /// A later answer to a batch is useless.
  static constexpr std::chrono::seconds kPatience{4};
  static constexpr std::chrono::seconds kSilent{5};
  static constexpr std::chrono::minutes kPause{1};
  static constexpr std::size_t kMostInBatch = 512;
  static constexpr std::size_t kLeastAtOnce = 32;
  static constexpr std::size_t kMostAtOnce = 2048;

  /// The present helpers.
  void SetHelpers(const std::vector<store::HelperRecord>& helpers);
  /// How many are asked.
  [[nodiscard]] std::size_t Count(MonoTime now) const;
  /// How many checks they can be asked for at a time, all together.
  [[nodiscard]] std::size_t AtOnce(MonoTime now) const;
  [[nodiscard]] bool AwaitsAnswers() const { return !batches_.empty(); }

  struct Asked {
    std::vector<store::CheckBatchRecord> batches;
    std::vector<LentResult> refused;  ///< Nobody is asked for these.
  };
  /// Spreads the checks over the least loaded helpers.
  [[nodiscard]] Asked Ask(std::vector<LentCheck> checks, MonoTime now);

  [[nodiscard]] std::vector<LentResult> Answered(const store::CheckBatchAnswer& answer,
                                                 MonoTime now);
  /// The checks that are not waited for any longer.
  [[nodiscard]] std::vector<LentResult> PassTime(MonoTime now);

 private:
  struct Batch {
    std::string helper;
    std::vector<LentCheck> checks;
    MonoTime at;
  };
  struct Helper {
    std::size_t asked = 0;  ///< Checks that are not answered yet.
    std::size_t at_once = kLeastAtOnce;
    MonoTime paused_until{};
    bool there = false;
  };
  using Batches = std::map<std::string, Batch>;

  [[nodiscard]] Helper* LeastAsked(MonoTime now, std::string& id);
  [[nodiscard]] static bool Takes(const Helper& helper, MonoTime now) {
    return helper.there && helper.paused_until <= now;
  }
  std::vector<LentResult> End(Batches::iterator batch, const std::vector<LentAnswer>& answers,
                              MonoTime now);

  std::map<std::string, Helper> helpers_;
  Batches batches_;
};

}  // namespace bindery::controller
