#include "manifests/files/git_work.h"

#include <sys/stat.h>

#include <array>
#include <fstream>
#include <string_view>
#include <utility>

#include "manifests/files/file_names.h"

namespace bindery {
namespace {

bool Exists(const std::string& path) {
  struct stat status = {};
  return ::lstat(path.c_str(), &status) == 0;
}

/// What a `.git` file of a further work tree or a submodule leads to; "" when it is none.
std::string LinkedFolder(const std::string& file, const std::string& above) {
  std::ifstream stream(file);
  std::string line;
  constexpr std::string_view kBeginning = "gitdir: ";
  if (!std::getline(stream, line) || !line.starts_with(kBeginning)) return {};
  const std::string target = line.substr(kBeginning.size());
  return target.starts_with('/') ? target : PathIn(above, target);
}

}  // namespace

bool GitWork::Find(const std::string& folder) {
  const std::string candidate = PathIn(folder, ".git");
  struct stat status = {};
  if (::stat(candidate.c_str(), &status) != 0) return false;
  tree_ = folder;
  shown_ = candidate;
  folder_ = S_ISDIR(status.st_mode) ? candidate : LinkedFolder(candidate, folder);
  return true;
}

GitWork GitWork::Above(const std::string& directory) {
  GitWork work;
  for (std::string above = directory; !above.empty() && !work.Find(above);) {
    if (above == "/") break;
    const auto slash = above.rfind('/');
    above.resize(slash == 0 ? 1 : slash);
  }
  return work;
}

GitWork GitWork::In(const std::string& folder) {
  GitWork work;
  work.Find(folder);
  return work;
}

std::string GitWork::index() const {
  return folder_.empty() ? std::string() : PathIn(folder_, "index");
}

std::optional<Disturbance> GitWork::UnderWay() const {
  if (folder_.empty()) return std::nullopt;
  constexpr std::array<std::pair<const char*, const char*>, 8> kSigns = {{
      {"index.lock", "is there: a git command is running"},
      {"MERGE_HEAD", "is there: a git merge is not finished"},
      {"rebase-merge", "is there: a git rebase is not finished"},
      {"rebase-apply", "is there: a git rebase is not finished"},
      {"CHERRY_PICK_HEAD", "is there: a git cherry-pick is not finished"},
      {"REVERT_HEAD", "is there: a git revert is not finished"},
      {"sequencer", "is there: a git cherry-pick or revert of several commits is not finished"},
      {"BISECT_LOG", "is there: a git bisect is not finished"},
  }};
  for (const auto& [name, what] : kSigns) {
    if (Exists(PathIn(folder_, name))) return Disturbance{PathIn(shown_, name), what, /*git=*/true};
  }
  return std::nullopt;
}

}  // namespace bindery
