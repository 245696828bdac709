#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/expected.h"
#include "core/base/mutex.h"
#include "store/tables/reads.h"

namespace bindery::store {

/// Records on the way from the reading thread to the taking thread: in batches, used again with
/// the room of their texts, so that a large read allocates little and holds few records at
/// once.
template <typename Record>
class RecordStream {
 public:
  // For the reading thread:

  /// The record for the next row. Waits while the taking thread is far behind.
  Record& Next() {
    if (filling_->used == kBatchSize) HandOver();
    return filling_->records[filling_->used++];
  }

  /// There is no more. `complete`: the last record is one, and not half read. Once.
  void End(bool complete) {
    if (!complete && filling_->used > 0) --filling_->used;
    const MutexLock lock(mutex_);
    if (filling_->used > 0) ++filled_;
    ended_ = true;
    moved_.NotifyAll();
  }

  // For the taking thread:

  void TakeAll(const std::function<void(Record&&)>& take) {
    while (Batch* const batch = AwaitBatch()) {
      for (std::size_t i = 0; i < batch->used; ++i) take(std::move(batch->records[i]));
      const MutexLock lock(mutex_);
      ++taken_;
      moved_.NotifyAll();
    }
  }

  /// Nothing more is taken: what is still read is dropped.
  void Abandon() {
    const MutexLock lock(mutex_);
    abandoned_ = true;
    moved_.NotifyAll();
  }

 private:
  static constexpr std::size_t kBatchSize = 256;
  static constexpr std::size_t kBatches = 4;
  struct Batch {
    std::vector<Record> records = std::vector<Record>(kBatchSize);
    std::size_t used = 0;
  };

  void HandOver() {
    const MutexLock lock(mutex_);
    if (!abandoned_) {
      ++filled_;
      moved_.NotifyAll();
      moved_.Wait(mutex_,
                  [this]() REQUIRES(mutex_) { return abandoned_ || filled_ - taken_ < kBatches; });
      filling_ = &batches_[filled_ % kBatches];
    }
    filling_->used = 0;
  }

  /// Null at the end.
  Batch* AwaitBatch() {
    const MutexLock lock(mutex_);
    moved_.Wait(mutex_, [this]() REQUIRES(mutex_) { return ended_ || filled_ > taken_; });
    return filled_ > taken_ ? &batches_[taken_ % kBatches] : nullptr;
  }

  /// Each counter belongs to the thread that uses the batch next.
  std::array<Batch, kBatches> batches_;
  Batch* filling_ = batches_.data();  ///< Of the thread that reads.
  Mutex mutex_;
  CondVar moved_;
  std::size_t filled_ GUARDED_BY(mutex_) = 0;
  std::size_t taken_ GUARDED_BY(mutex_) = 0;
  bool ended_ GUARDED_BY(mutex_) = false;
  bool abandoned_ GUARDED_BY(mutex_) = false;
};

/// The reading thread; the destructor ends the thread, also before the last record.
class StreamReader {
 public:
  StreamReader(std::function<void()> run, std::function<void()> abandon)
      : abandon_(std::move(abandon)), thread_(std::move(run)) {}
  ~StreamReader() {
    abandon_();
    thread_.join();
  }
  StreamReader(const StreamReader&) = delete;
  StreamReader& operator=(const StreamReader&) = delete;

 private:
  std::function<void()> abandon_;
  std::thread thread_;
};

/// Gives `take`, on the thread, what `read` reads on a different one meanwhile. Fails as `read`
/// does, after `take` got what came before the failure.
template <typename Record>
Expected<void> ReadAhead(const std::function<Expected<void>(const NextRecord<Record>&)>& read,
                         const std::function<void(Record&&)>& take) {
  RecordStream<Record> stream;
  Expected<void> result;
  {
    const StreamReader reader(
        [&] {
          result = read([&stream]() -> Record& { return stream.Next(); });
          stream.End(result.has_value());
        },
        [&stream] { stream.Abandon(); });
    stream.TakeAll(take);
  }
  return result;
}

/// The same of two kinds of records: `read` gives all of the first before it gives any of the
/// second, and so they are taken.
template <typename First, typename Second>
Expected<void> ReadBothAhead(
    const std::function<Expected<void>(const NextRecord<First>&, const NextRecord<Second>&)>& read,
    const std::function<void(First&&)>& take_first,
    const std::function<void(Second&&)>& take_second) {
  RecordStream<First> first;
  RecordStream<Second> second;
  bool first_ended = false;
  Expected<void> result;
  const auto end_first = [&](bool complete) {
    if (!std::exchange(first_ended, true)) first.End(complete);
  };
  const auto next_second = [&]() -> Second& {
    end_first(true);
    return second.Next();
  };
  {
    const StreamReader reader(
        [&] {
          result = read([&first]() -> First& { return first.Next(); }, next_second);
          end_first(result.has_value());
          second.End(result.has_value());
        },
        [&] {
          first.Abandon();
          second.Abandon();
        });
    first.TakeAll(take_first);
    second.TakeAll(take_second);
  }
  return result;
}

}  // namespace bindery::store
