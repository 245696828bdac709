// Preloaded into the program: the thread that $FAIL_THREAD counts to, and each after it, cannot be
// made, as where a limit is reached.

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

namespace {
std::atomic<int> made = 0;
}

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*body)(void*), void* argument) {
  static const auto real =
      reinterpret_cast<decltype(&pthread_create)>(::dlsym(RTLD_NEXT, "pthread_create"));
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody changes the environment
  const char* limit = std::getenv("FAIL_THREAD");
  if (limit != nullptr && ++made >= std::atoi(limit)) return EAGAIN;
  return real(thread, attributes, body, argument);
}
