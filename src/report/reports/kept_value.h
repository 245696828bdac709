#pragma once

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/clock.h"
#include "core/base/expected.h"
#include "core/base/mutex.h"
#include "store/ports/report_reader.h"

namespace bindery::report {

/// Answers to a few questions about all content on record, kept while the content is the same: see
/// ReportReader::ContentVersion(). An answer may depend on the time, to the minute: each is kept
/// for a minute. Of a store without a version nothing is kept.
///
/// Threads: any. One thread at a time makes an answer; further threads wait meanwhile.
template <typename Answer>
class KeptValue {
 public:
  using Shared = std::shared_ptr<const Answer>;

  /// One of all that share `making` is made at a time: each needs much memory for that. The mutex
  /// must outlive the object.
  explicit KeptValue(Mutex& making) : making_(making) {}

  /// The kept answer, or else the result of `make`: Expected<Answer>. `question`: everything the
  /// answer depends on besides the store and the time.
  template <typename Make>
  [[nodiscard]] Expected<Shared> Get(const store::ReportReader& store, WallTime now,
                                     const std::string& question, Make&& make) {
    const MutexLock lock(mutex_);
    // Before the answer is made: records made meanwhile make the answer outdated at most.
    const auto version = store.ContentVersion();
    std::erase_if(kept_, [&](const Kept& kept) {
      return version != kept.version || now < kept.made || now - kept.made > kLongest;
    });
    const auto found = std::ranges::find(kept_, question, &Kept::question);
    if (found != kept_.end()) return found->answer;
    const MutexLock alone(making_);
    Expected<Answer> made = std::forward<Make>(make)();
    // Going through everything needed room that nothing else needs.
    ::malloc_trim(0);
    if (!made) return Fail(made.error());
    auto answer = std::make_shared<const Answer>(std::move(*made));
    if (version && answer->IsSmall()) {
      if (kept_.size() >= kMost) kept_.erase(kept_.begin());
      kept_.push_back({question, *version, now, answer});
    }
    return answer;
  }

 private:
  struct Kept {
    std::string question;
    std::uint64_t version = 0;
    WallTime made;
    Shared answer;
  };

  static constexpr std::chrono::minutes kLongest{1};
  static constexpr std::size_t kMost = 4;

  Mutex& making_;
  Mutex mutex_;
  std::vector<Kept> kept_ GUARDED_BY(mutex_);
};

}  // namespace bindery::report
