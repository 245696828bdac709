#include "tracing/header_file.h"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "cloud/credentials/small_file.h"
#include "cloud/credentials/text.h"

namespace bindery::tracing {
namespace {

using cloud::IsHeaderToken;
using cloud::Trimmed;

bool IsHeaderValue(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= ' ' && c != '\x7f'; });
}

}  // namespace

Expected<cloud::HttpHeaders> ReadHeaderFile(const std::string& path) {
  cloud::HttpHeaders headers;
  if (path.empty()) return headers;
  auto file = cloud::ReadSmallFile(path);
  if (!file) return Fail(std::move(file.error()));
  std::istringstream lines(file->text);
  std::size_t number = 0;
  for (std::string text; std::getline(lines, text);) {
    ++number;
    const std::string_view line = Trimmed(text);
    if (line.empty() || line.front() == '#') continue;
    const std::size_t colon = std::min(line.find(':'), line.size());
    const std::string_view name = line.substr(0, colon);
    const std::string_view value = Trimmed(line.substr(std::min(line.size(), colon + 1)));
    if (name.empty() || !IsHeaderToken(name) || !IsHeaderValue(value)) {
      return Fail(Code::kInvalidArgument,
                  path + ":" + std::to_string(number) + ": is not a header such as Name: value");
    }
    headers.emplace_back(name, value);
  }
  return headers;
}

}  // namespace bindery::tracing
