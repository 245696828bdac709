#include "store/sqlite/set_aside.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "core/text/time_text.h"

namespace bindery::store {
namespace {

/// "20261121T102030Z": without the characters that need quoting in a shell.
std::string FileStamp(WallTime time) {
  std::string text = FormatRfc3339(time);
  text.resize(text.find('.'));
  std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
  return text + "Z";
}

}  // namespace

std::string NameAside(const std::string& path, std::string_view word, WallTime now) {
  const std::string wanted = path + "." + std::string(word) + "-" + FileStamp(now);
  std::string name = wanted;
  std::error_code ignored;
  for (int i = 2; std::filesystem::exists(name, ignored); ++i) {
    name = wanted + "-" + std::to_string(i);
  }
  return name;
}

Expected<std::string> SetAside(const std::string& path, std::string_view word, WallTime now) {
  std::string aside = NameAside(path, word, now);
  for (const char* suffix : {"", "-wal", "-shm"}) {
    std::error_code failure;
    std::filesystem::rename(path + suffix, aside + suffix, failure);
    if (failure && failure != std::errc::no_such_file_or_directory) {
      return Fail(Code::kPermissionDenied, "cannot set the " + std::string(word) + " store \"" +
                                               path + suffix + "\" aside: " + failure.message());
    }
  }
  return aside;
}

}  // namespace bindery::store
