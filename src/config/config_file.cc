#include "config/config_file.h"

#include <cerrno>
#include <fstream>
#include <system_error>

namespace bindery::config {
namespace {

constexpr std::size_t kMaxFileBytes = 1U << 20U;

tl::unexpected<Error> Unreadable(const std::string& why) {
  return Fail(Code::kInvalidArgument, "cannot be read: " + why);
}

}  // namespace

Expected<std::string> ReadConfigFile(const std::filesystem::path& file) {
  std::error_code failure;
  const auto status = std::filesystem::status(file, failure);
  if (!std::filesystem::exists(status)) return Unreadable("no such file");
  if (std::filesystem::is_directory(status)) return Unreadable("it is a directory");
  // A pipe would keep the reader until somebody writes into it.
  if (!std::filesystem::is_regular_file(status)) return Unreadable("it is no regular file");
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) return Unreadable(std::generic_category().message(errno));
  std::string text(kMaxFileBytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad()) return Unreadable(std::generic_category().message(errno));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > kMaxFileBytes) return Unreadable("it is larger than 1 MiB");
  return text;
}

}  // namespace bindery::config
