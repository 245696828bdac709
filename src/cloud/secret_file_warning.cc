#include "cloud/secret_file_warning.h"

#include <sys/stat.h>

#include "cloud/credentials/small_file.h"

namespace bindery::cloud {

std::optional<std::string> AccessWarning(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  std::string warning = AccessWarning(path, status.st_mode);
  if (warning.empty()) return std::nullopt;
  return warning;
}

}  // namespace bindery::cloud
