// Preloaded into the program: a file whose path contains $HANG_PATH does not open as long as there
// is a file $HANG_WHILE, and $HANG_WHILE.met tells that it was asked for, as on a file system that
// does not answer.

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

namespace {

void WaitFor(const char* path) {
  // NOLINTBEGIN(concurrency-mt-unsafe): nobody changes the environment
  const char* wanted = std::getenv("HANG_PATH");
  const char* mark = std::getenv("HANG_WHILE");
  // NOLINTEND(concurrency-mt-unsafe)
  if (wanted == nullptr || mark == nullptr || std::strstr(path, wanted) == nullptr) return;
  struct stat found = {};
  if (::stat(mark, &found) != 0) return;
  ::close(::creat((std::string(mark) + ".met").c_str(), S_IRUSR | S_IWUSR));
  constexpr unsigned kMicroseconds = 10'000;
  while (::stat(mark, &found) == 0) ::usleep(kMicroseconds);
}

using Open = int (*)(int, const char*, int, unsigned);

int OpenAt(const char* name, int folder, const char* path, int flags, unsigned mode) {
  WaitFor(path);
  return reinterpret_cast<Open>(::dlsym(RTLD_NEXT, name))(folder, path, flags, mode);
}

}  // namespace

// With the mode always there: whether it is, is for the real one to know. Other names than those of
// the system's headers, which declare it otherwise.
extern "C" {
int HangingOpenAt(int folder, const char* path, int flags, unsigned mode) __asm__("openat");
int HangingOpenAt64(int folder, const char* path, int flags, unsigned mode) __asm__("openat64");
int HangingOpenAt2(int folder, const char* path, int flags) __asm__("__openat_2");

int HangingOpenAt(int folder, const char* path, int flags, unsigned mode) {
  return OpenAt("openat", folder, path, flags, mode);
}
int HangingOpenAt64(int folder, const char* path, int flags, unsigned mode) {
  return OpenAt("openat64", folder, path, flags, mode);
}
int HangingOpenAt2(int folder, const char* path, int flags) {
  return OpenAt("openat", folder, path, flags, 0);
}
}
