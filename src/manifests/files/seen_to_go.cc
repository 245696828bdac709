#include "manifests/files/seen_to_go.h"

#include <algorithm>

namespace bindery::manifests {
namespace {

const GitIndexFile* FindFile(const std::vector<GitIndexFile>& files, const std::string& path) {
  const auto found = std::lower_bound(
      files.begin(), files.end(), path,
      [](const GitIndexFile& file, const std::string& wanted) { return file.path < wanted; });
  return found != files.end() && found->path == path ? &*found : nullptr;
}

}  // namespace

void SeenToGo::IndexChanged(const std::vector<GitIndexFile>& before,
                            const std::vector<GitIndexFile>& now) {
  std::erase_if(gone_, [&](const std::string& path) {
    const GitIndexFile* old = FindFile(before, path);
    const GitIndexFile* next = FindFile(now, path);
    if (next == nullptr) return false;
    // An index that was not known before says nothing of what is new in it.
    if (old == nullptr) return !before.empty();
    return old->id.compare(0, kIdDigits, next->id, 0, kIdDigits) != 0;
  });
}

UnreadItem SeenToGo::Missing(const GitIndexFile& file) const {
  UnreadItem item{file.path,
                  "is in git's index, is not there and was not seen to go: a checkout was not "
                  "finished",
                  "index " + file.id.substr(0, kIdDigits)};
  item.harmless = gone_.contains(file.path);
  item.opaque = !item.harmless;
  return item;
}

void SeenToGo::Keep(const std::set<std::string>& paths) {
  std::erase_if(gone_, [&](const std::string& path) { return !paths.contains(path); });
}

}  // namespace bindery::manifests
