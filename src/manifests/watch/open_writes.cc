#include "manifests/watch/open_writes.h"

#include <sys/inotify.h>
#include <sys/stat.h>

#include <cstddef>

#include "core/text/text_search.h"
#include "manifests/files/file_names.h"

namespace bindery::manifests {
namespace {

bool IsFile(const std::string& path) {
  struct stat status = {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

void OpenWrites::Note(const std::string& path, std::uint32_t mask) {
  constexpr std::size_t kMost = 10'000;
  if ((mask & IN_MODIFY) != 0) {
    if (paths_.size() < kMost) paths_.insert(path);
  } else if ((mask & (IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM)) != 0) {
    paths_.erase(path);
  }
}

std::vector<std::string> OpenWrites::FindBelow(const std::string& root) {
  std::erase_if(paths_, [&root](const std::string& path) {
    return root.empty() || !IsWithin(path, root) || !IsFile(path);
  });
  std::vector<std::string> relative;
  for (const std::string& path : paths_) {
    relative.push_back(path.substr(root == "/" ? 1 : root.size() + 1));
  }
  return relative;
}

}  // namespace bindery::manifests
