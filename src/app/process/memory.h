#pragma once

#include <utility>

namespace bindery::app {

/// Keeps the allocator from holding on to memory for each thread. Before there are threads.
void LimitAllocator();

/// Gives memory that is free back to the system. May take a while; on any thread.
void GiveBackMemory();

/// The times to release memory: the temporary memory of a large load is spread over the heap; the
/// first pass and the store's writer need their memory afterwards.
class MemoryReleases {
 public:
  /// Called at each heartbeat. `large_load`: a large load took place since.
  [[nodiscard]] bool Due(bool large_load) {
    constexpr int kTimes = 6;
    if (large_load) left_ = kTimes;
    return left_ > 0 && left_-- > 0;
  }

 private:
  int left_ = 0;
};

}  // namespace bindery::app
