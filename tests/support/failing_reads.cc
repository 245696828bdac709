// Preloaded into the program: a file whose path contains $FAIL_READS cannot be read as long as
// there is a file $FAIL_WHILE, as on a disk with bad blocks.

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

bool Fails(int file) {
  // NOLINTBEGIN(concurrency-mt-unsafe): nobody changes the environment
  const char* wanted = std::getenv("FAIL_READS");
  const char* mark = std::getenv("FAIL_WHILE");
  // NOLINTEND(concurrency-mt-unsafe)
  struct stat found = {};
  if (wanted == nullptr || mark == nullptr || ::stat(mark, &found) != 0) return false;
  std::array<char, 4096> path{};
  const std::string link = "/proc/self/fd/" + std::to_string(file);
  const ssize_t size = ::readlink(link.c_str(), path.data(), path.size());
  if (size <= 0) return false;
  const std::string_view name(path.data(), static_cast<std::size_t>(size));
  return name.find(wanted) != std::string_view::npos;
}

template <typename Function>
Function Real(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

ssize_t ReadAt(const char* name, int file, void* into, std::size_t size, off_t at) {
  if (Fails(file)) {
    errno = EIO;
    return -1;
  }
  return Real<ssize_t (*)(int, void*, std::size_t, off_t)>(name)(file, into, size, at);
}

}  // namespace

extern "C" {
ssize_t read(int file, void* into, std::size_t size) {
  static const auto real = Real<decltype(&read)>("read");
  if (Fails(file)) {
    errno = EIO;
    return -1;
  }
  return real(file, into, size);
}
// Other names than those of the system's headers, which declare it otherwise.
ssize_t FailingReadAt(int file, void* into, std::size_t size, off_t at) __asm__("pread");
ssize_t FailingReadAt64(int file, void* into, std::size_t size, off_t at) __asm__("pread64");
ssize_t FailingReadAt(int file, void* into, std::size_t size, off_t at) {
  return ReadAt("pread", file, into, size, at);
}
ssize_t FailingReadAt64(int file, void* into, std::size_t size, off_t at) {
  return ReadAt("pread64", file, into, size, at);
}
}
