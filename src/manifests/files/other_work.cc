#include "manifests/files/other_work.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/base/expected.h"
#include "manifests/files/file_names.h"
#include "manifests/files/work_signs.h"
#include "sqlite/peek.h"

namespace bindery::manifests {
namespace {

constexpr std::array<WorkSign, 16> kSigns{{
    {".hg/wlock", "is there: a command of Mercurial is running, or was killed"},
    {".hg/updatestate", "is there: an update of Mercurial is not finished"},
    {".hg/rebasestate", "is there: a rebase of Mercurial is not finished"},
    {".hg/histedit-state", "is there: a histedit of Mercurial is not finished"},
    {".hg/graftstate", "is there: a graft of Mercurial is not finished"},
    {".hg/shelvedstate", "is there: an unshelve of Mercurial is not finished"},
    {".hg/bisect.state", "is there: a bisect of Mercurial is not finished"},
    {".sl/wlock", "is there: a command of Sapling is running, or was killed"},
    {".sl/updatestate", "is there: a goto of Sapling is not finished"},
    {".sl/rebasestate", "is there: a rebase of Sapling is not finished"},
    {".sl/histedit-state", "is there: a histedit of Sapling is not finished"},
    {".sl/graftstate", "is there: a graft of Sapling is not finished"},
    {".sl/shelvedstate", "is there: an unshelve of Sapling is not finished"},
    {".sl/bisect.state", "is there: a bisect of Sapling is not finished"},
    {".bzr/checkout/limbo", "is there: a command of Breezy is running, or was killed"},
    {".bzr/checkout/pending-deletion", "is there: a command of Breezy is running, or was killed"},
}};

/// A command locks the folders that it changes, and removes the locks at its end.
std::optional<Disturbance> SubversionUnderWay(const std::string& tree) {
  const std::string file = PathIn(tree, ".svn/wc.db");
  if (!IsThere(file)) return std::nullopt;
  const Expected<bool> locked = sqlite::AnyRows(file, {"WC_LOCK", "WORK_QUEUE"});
  if (locked.has_value() ? !*locked : locked.error().code == Code::kNotFound) return std::nullopt;
  return Disturbance{file,
                     std::string(locked.has_value() ? "is locked" : "cannot be read") +
                         ": a command of Subversion is running, or was killed",
                     /*git=*/true};
}

}  // namespace

bool IsOtherWorkTree(const std::string& folder) {
  return std::any_of(kOtherRepositories.begin(), kOtherRepositories.end(),
                     [&](std::string_view name) { return IsThere(PathIn(folder, name)); });
}

std::vector<std::string> OtherWorkTreesAbove(const std::string& directory) {
  std::vector<std::string> trees;
  for (std::string above = directory; !above.empty(); Ascend(above)) {
    if (IsOtherWorkTree(above)) trees.push_back(above);
  }
  return trees;
}

std::optional<Disturbance> OtherWorkUnderWay(const std::string& tree) {
  if (auto sign = FindSign(kSigns, tree, tree)) return sign;
  return SubversionUnderWay(tree);
}

}  // namespace bindery::manifests
