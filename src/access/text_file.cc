#include "access/text_file.h"

#include <fstream>
#include <iterator>
#include <system_error>

namespace bindery::access {

Expected<std::string> ReadTextFile(const std::filesystem::path& file, std::size_t most) {
  const auto fail = [&file](const std::string& why) {
    return Fail(Code::kInvalidArgument, file.string() + ": " + why);
  };
  std::error_code failure;
  if (!std::filesystem::is_regular_file(file, failure)) {
    return fail(failure ? failure.message() : "not a file");
  }
  constexpr std::size_t kMebibyte = 1U << 20U;
  if (std::filesystem::file_size(file, failure) > most * kMebibyte || failure) {
    return fail("larger than " + std::to_string(most) + " MiB");
  }
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return fail("cannot be read");
  std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (stream.bad()) return fail("cannot be read");
  return text;
}

}  // namespace bindery::access
