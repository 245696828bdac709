#include "manifests/files/work_signs.h"

#include <sys/stat.h>

#include "manifests/files/file_names.h"

namespace bindery::manifests {

bool IsThere(const std::string& path) {
  struct stat status = {};
  return ::lstat(path.c_str(), &status) == 0;
}

std::optional<Disturbance> FindSign(std::span<const WorkSign> signs, const std::string& folder,
                                    const std::string& shown) {
  for (const WorkSign& sign : signs) {
    if (IsThere(PathIn(folder, sign.name))) {
      return Disturbance{PathIn(shown, sign.name), sign.what, /*git=*/true};
    }
  }
  return std::nullopt;
}

void Ascend(std::string& path) {
  if (path == "/") return path.clear();
  const auto slash = path.rfind('/');
  path.resize(slash == 0 ? 1 : slash);
}

}  // namespace bindery::manifests
