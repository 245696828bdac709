#include "app/memory.h"

#include <malloc.h>

namespace bindery {

void LimitAllocator() {
  // An arena a thread would leave each with memory of its own that no other uses again. With one
  // fewer the threads that share a load would have to share an arena too, and wait for each other.
  constexpr int kArenas = 5;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): before there are threads
  ::mallopt(M_ARENA_MAX, kArenas);
  // Left to itself the allocator keeps at the end of each arena twice as much as the largest block
  // it ever gave back, up to 64 MiB: one long report, and it stays. This is what it begins with.
  constexpr int kKept = 128 << 10;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): before there are threads
  ::mallopt(M_TRIM_THRESHOLD, kKept);
}

void GiveBackMemory() { ::malloc_trim(0); }

}  // namespace bindery
