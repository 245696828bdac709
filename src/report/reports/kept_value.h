#pragma once

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/clock.h"
#include "core/base/expected.h"
#include "core/base/mutex.h"
#include "core/base/thread_work.h"
#include "store/ports/report_reader.h"

namespace bindery::report {

/// An answer from the record.
template <typename Answer>
struct KeptAnswer {
  std::shared_ptr<const Answer> answer;
  WallTime as_of;          ///< The time that the answer is true of.
  bool is_current = true;  ///< The record was the same when the answer was asked for.

  [[nodiscard]] const Answer* operator->() const { return answer.get(); }
};

/// Answers to a few questions about all content on record, kept while the content is the same: see
/// ReportReader::ContentVersion(). An answer may depend on the time, to the minute: each is kept
/// for a minute. Of a store without a version nothing is kept.
///
/// An answer that takes its thread more than 20 ms of work is given for ten times as long as the
/// answer takes, at most for 7 seconds, although the content has changed: it is made a tenth of the
/// time at most, however often something changes. Who asks within as long again gets the answer
/// too, while a separate thread makes the next one: where somebody always asks, nobody waits.
///
/// Threads: any. One thread at a time makes an answer. Who asks meanwhile gets the last answer, or
/// waits where there is none.
template <typename Answer>
class KeptValue {
 public:
  /// One of all that share `making` is made at a time: each needs much memory for that. The mutex
  /// must outlive the object.
  explicit KeptValue(Mutex& making) : making_(making) {}

  /// The kept answer, or else the result of `make`: Expected<Answer>. `question`: everything the
  /// answer depends on besides the store and the time. The store and what `make` refers to must
  /// outlive the object.
  template <typename Make>
  [[nodiscard]] Expected<KeptAnswer<Answer>> Get(const store::ReportReader& store, WallTime now,
                                                 const std::string& question, Make make) {
    if (auto kept = Find(store.ContentVersion(), now, question)) {
      if (kept->age == Age::kLate) Renew(store, now, question, std::move(make));
      return kept->answer;
    }
    if (!making_.TryLock()) {
      if (auto kept = Find(store.ContentVersion(), now, question, /*others_make=*/true)) {
        return kept->answer;
      }
      making_.Lock();
    }
    const MutexLock alone(making_, std::adopt_lock);
    return MakeAlone(store, now, question, make);
  }

 private:
  enum class Age { kGood, kLate };

  struct Kept {
    std::string question;
    std::uint64_t version = 0;
    WallTime made;
    std::optional<std::chrono::nanoseconds> took;  ///< Of an answer with much work alone.
    std::shared_ptr<const Answer> answer;

    /// Nothing: the answer is too old to be given. `is_current`: the content is the same.
    /// `others_make`: another thread makes an answer.
    [[nodiscard]] std::optional<Age> FindAge(WallTime now, bool is_current,
                                             bool others_make) const {
      if (is_current) return took && now - made > kLongest / 2 ? Age::kLate : Age::kGood;
      if (!took) return std::nullopt;
      const auto longest = std::min<std::chrono::nanoseconds>(10 * *took, kLongestLate);
      if (now - made < longest) return Age::kGood;
      return others_make || now - made < 2 * longest ? std::optional(Age::kLate) : std::nullopt;
    }
  };

  struct Found {
    KeptAnswer<Answer> answer;
    Age age = Age::kGood;
  };

  static constexpr std::chrono::minutes kLongest{1};
  /// Of the processor: a busy machine makes no answer slow.
  static constexpr std::chrono::milliseconds kLittleWork{20};
  /// Twice as long is less than pages wait: web/assets/live.js.
  static constexpr std::chrono::seconds kLongestLate{7};
  static constexpr std::size_t kMost = 4;

  /// The kept answer, if the answer may be given.
  [[nodiscard]] std::optional<Found> Find(std::optional<std::uint64_t> version, WallTime now,
                                          const std::string& question, bool others_make = false) {
    const MutexLock lock(mutex_);
    std::erase_if(kept_, [&](const Kept& kept) {
      return !version || now < kept.made || now - kept.made > kLongest;
    });
    const auto found = std::ranges::find(kept_, question, &Kept::question);
    if (found == kept_.end()) return std::nullopt;
    const bool is_current = found->version == version;
    const auto age = found->FindAge(now, is_current, others_make);
    if (!age) return std::nullopt;
    return Found{{found->answer, is_current ? now : found->made, is_current}, *age};
  }

  template <typename Make>
  Expected<KeptAnswer<Answer>> MakeAlone(const store::ReportReader& store, WallTime now,
                                         const std::string& question, Make& make)
      REQUIRES(making_) {
    // Before the answer is made: records made meanwhile make the answer outdated at most.
    const auto version = store.ContentVersion();
    if (auto kept = Find(version, now, question); kept && kept->age == Age::kGood) {
      return kept->answer;
    }
    const auto work = WorkOfThread();
    const auto begun = std::chrono::steady_clock::now();
    Expected<Answer> made = make();
    const bool much = WorkOfThread() - work > kLittleWork;
    const auto took = std::chrono::steady_clock::now() - begun;
    // Going through everything needed room that nothing else needs.
    ::malloc_trim(0);
    if (!made) return Fail(made.error());
    auto answer = std::make_shared<const Answer>(std::move(*made));
    if (version && answer->IsSmall()) {
      Keep({question, *version, now, much ? std::optional(took) : std::nullopt, answer});
    }
    return KeptAnswer<Answer>{std::move(answer), now};
  }

  /// Has a thread make the answer, unless a thread does so already.
  template <typename Make>
  void Renew(const store::ReportReader& store, WallTime now, const std::string& question,
             Make make) {
    const MutexLock lock(mutex_);
    if (std::exchange(is_renewed_, true)) return;
    // The thread of before is at its end.
    renewal_ = std::jthread([this, &store, now, question, make = std::move(make)]() mutable {
      try {
        const MutexLock alone(making_);
        std::ignore = MakeAlone(store, now, question, make);
      } catch (const std::exception&) {
        // The next reader makes the answer, and fails for everybody to see.
      }
      const MutexLock done(mutex_);
      is_renewed_ = false;
    });
  }

  void Keep(Kept kept) {
    const MutexLock lock(mutex_);
    std::erase_if(kept_, [&](const Kept& other) { return other.question == kept.question; });
    if (kept_.size() >= kMost) kept_.erase(kept_.begin());
    kept_.push_back(std::move(kept));
  }

  Mutex& making_;
  Mutex mutex_;
  std::vector<Kept> kept_ GUARDED_BY(mutex_);
  bool is_renewed_ GUARDED_BY(mutex_) = false;
  std::jthread renewal_ GUARDED_BY(mutex_);  ///< Last: it uses the others.
};

}  // namespace bindery::report
