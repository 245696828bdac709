#include "access/text_file.h"

#include <iterator>
#include <system_error>

namespace bindery::access {
namespace {

tl::unexpected<Error> Unusable(const std::filesystem::path& file, const std::string& why) {
  return Fail(Code::kInvalidArgument, file.string() + ": " + why);
}

}  // namespace

Expected<std::ifstream> OpenTextFile(const std::filesystem::path& file, std::size_t most) {
  std::error_code failure;
  if (!std::filesystem::is_regular_file(file, failure)) {
    return Unusable(file, failure ? failure.message() : "not a file");
  }
  constexpr std::size_t kMebibyte = 1U << 20U;
  if (std::filesystem::file_size(file, failure) > most * kMebibyte || failure) {
    return Unusable(file, "larger than " + std::to_string(most) + " MiB");
  }
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return Unusable(file, "cannot be read");
  return stream;
}

Expected<std::string> ReadTextFile(const std::filesystem::path& file, std::size_t most) {
  auto stream = OpenTextFile(file, most);
  if (!stream) return Fail(stream.error());
  std::string text{std::istreambuf_iterator<char>(*stream), std::istreambuf_iterator<char>()};
  if (stream->bad()) return Unusable(file, "cannot be read");
  return text;
}

}  // namespace bindery::access
