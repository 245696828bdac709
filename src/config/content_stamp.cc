#include "config/content_stamp.h"

#include <sys/stat.h>

namespace bindery::config {

ContentStamp MakeContentStamp(const std::filesystem::path& file) {
  struct ::stat status = {};
  if (::stat(file.c_str(), &status) != 0) return {};
  return {static_cast<std::int64_t>(status.st_dev), static_cast<std::int64_t>(status.st_ino),
          status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

}  // namespace bindery::config
