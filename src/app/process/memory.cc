#include "app/process/memory.h"

#include <malloc.h>

namespace bindery::app {

void LimitAllocator() {
  // An arena per thread would leave each thread with memory that nobody else uses. With one arena
  // fewer, the threads that share a load would have to share an arena too, and wait for each other.
  constexpr int kArenas = 5;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): before there are threads
  ::mallopt(M_ARENA_MAX, kArenas);
  // By default the allocator keeps at the end of each arena twice as much as the largest block ever
  // given back, up to 64 MiB: a single long report causes this. This value is the initial one.
  constexpr int kKept = 128 << 10;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): before there are threads
  ::mallopt(M_TRIM_THRESHOLD, kKept);
}

void GiveBackMemory() { ::malloc_trim(0); }

}  // namespace bindery::app
