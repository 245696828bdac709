// The floor of seeing that nothing changed: list every folder, sort, stat each file.

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "floor.h"

namespace {

constexpr const char* kUsage =
    "usage: stat_tree FOLDER [--times N]\n"
    "Lists a tree (readdir), sorts the names of each folder and stats each (fstatat), N times.\n"
    "Prints {items, wallSeconds, cpuSeconds} of all N times together, items of one.\n";

std::size_t Walk(int folder) {
  DIR* stream = ::fdopendir(folder);
  if (stream == nullptr) throw std::runtime_error("cannot list a folder");
  std::vector<std::string> names;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): a stream of this thread's own
  while (const dirent* entry = ::readdir(stream)) {
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  }
  std::sort(names.begin(), names.end());
  std::size_t files = 0;
  for (const std::string& name : names) {
    struct stat status = {};
    if (::fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (S_ISDIR(status.st_mode)) {
      files += Walk(::openat(folder, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    } else {
      ++files;
    }
  }
  ::closedir(stream);
  return files;
}

nlohmann::ordered_json Measure(const floors::Arguments& arguments) {
  if (arguments.plain().size() != 1) throw std::invalid_argument("give one folder");
  const std::string folder = arguments.plain().front();
  const floors::Stopwatch watch;
  std::size_t files = 0;
  for (std::size_t time = arguments.Number("times", 1); time > 0; --time) {
    files = Walk(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
  return floors::Result(files, watch);
}

}  // namespace

int main(int count, char** words) { return floors::Main(count, words, kUsage, Measure); }
