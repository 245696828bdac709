#include "manifests/files/git_work.h"

#include <sys/stat.h>

#include <array>
#include <fstream>
#include <string_view>

#include "manifests/files/file_names.h"
#include "manifests/files/work_signs.h"

namespace bindery::manifests {
namespace {

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
  std::string above = directory;
  while (!above.empty() && !work.Find(above)) Ascend(above);
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
  constexpr std::array<WorkSign, 8> kSigns = {{
      {"index.lock", "is there: a git command is running"},
      {"MERGE_HEAD", "is there: a git merge is not finished"},
      {"rebase-merge", "is there: a git rebase is not finished"},
      {"rebase-apply", "is there: a git rebase is not finished"},
      {"CHERRY_PICK_HEAD", "is there: a git cherry-pick is not finished"},
      {"REVERT_HEAD", "is there: a git revert is not finished"},
      {"sequencer", "is there: a git cherry-pick or revert of several commits is not finished"},
      {"BISECT_LOG", "is there: a git bisect is not finished"},
  }};
  return FindSign(kSigns, folder_, shown_);
}

}  // namespace bindery::manifests
