#include "manifests/git_work.h"

#include <sys/stat.h>

#include <array>
#include <fstream>
#include <string_view>
#include <utility>

#include "manifests/file_names.h"

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
  return target.starts_with('/') ? target : JoinPath(above, target);
}

}  // namespace

GitWork::GitWork(const std::string& directory) {
  for (std::string above = directory; !above.empty();) {
    const std::string candidate = JoinPath(above, ".git");
    struct stat status = {};
    if (::stat(candidate.c_str(), &status) == 0) {
      shown_ = candidate;
      folder_ = S_ISDIR(status.st_mode) ? candidate : LinkedFolder(candidate, above);
      return;
    }
    if (above == "/") return;
    const auto slash = above.rfind('/');
    above.resize(slash == 0 ? 1 : slash);
  }
}

std::optional<Disturbance> GitWork::UnderWay() const {
  if (folder_.empty()) return std::nullopt;
  constexpr std::array<std::pair<const char*, const char*>, 6> kSigns = {{
      {"index.lock", "is there: a git command is running"},
      {"MERGE_HEAD", "is there: a git merge is not finished"},
      {"rebase-merge", "is there: a git rebase is not finished"},
      {"rebase-apply", "is there: a git rebase is not finished"},
      {"CHERRY_PICK_HEAD", "is there: a git cherry-pick is not finished"},
      {"REVERT_HEAD", "is there: a git revert is not finished"},
  }};
  for (const auto& [name, what] : kSigns) {
    if (Exists(JoinPath(folder_, name))) return Disturbance{JoinPath(shown_, name), what};
  }
  return std::nullopt;
}

}  // namespace bindery
