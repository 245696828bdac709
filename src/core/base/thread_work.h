#pragma once

#include <chrono>
#include <ctime>

namespace bindery {

/// The processor time of the calling thread since the start of the thread. Waits, also for a
/// processor, are no work: on a busy machine the waits may be many times as long.
[[nodiscard]] inline std::chrono::nanoseconds WorkOfThread() {
  ::timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace bindery
