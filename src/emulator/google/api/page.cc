#include "emulator/google/api/page.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "core/text/digest.h"

namespace bindery::emulator {
namespace {

constexpr std::size_t kTokenDigits = 8;

std::optional<std::size_t> CountIn(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The request of a token: all parameters except the page's.
std::string DigestOfRequest(const httpd::Request& request) {
  std::string text = request.path;
  for (const auto& [name, value] : request.query) {
    if (name == "pageToken" || name == "pageSize" || name == "access_token") continue;
    text += '\n' + name + '=' + value;
  }
  return Sha256Hex(text).substr(0, kTokenDigits);
}

GoogleError NoPage() { return InvalidArgument("Invalid pageSize or pageToken."); }

}  // namespace

GoogleResult<Json> MakePage(const httpd::Request& request, const char* name,
                            const std::vector<Json>& list, PageSizes sizes) {
  std::size_t size = sizes.usual;
  if (const std::string* text = request.FindQuery("pageSize"); text != nullptr && !text->empty()) {
    const auto asked = CountIn(*text);
    if (!asked) return tl::unexpected(NoPage());
    if (*asked > 0) size = std::min(*asked, sizes.most);
  }
  const std::string digest = DigestOfRequest(request);
  std::size_t from = 0;
  if (const std::string* text = request.FindQuery("pageToken"); text != nullptr && !text->empty()) {
    const auto dash = text->find('-');
    const auto at = CountIn(std::string_view(*text).substr(0, dash));
    if (dash == std::string::npos || text->substr(dash + 1) != digest || !at) {
      return tl::unexpected(NoPage());
    }
    from = std::min(*at, list.size());
  }
  Json answer = Json::object();
  const std::size_t end = std::min(list.size(), from + size);
  for (std::size_t i = from; i < end; ++i) answer[name].push_back(list[i]);
  if (end < list.size()) answer["nextPageToken"] = std::to_string(end) + "-" + digest;
  return answer;
}

}  // namespace bindery::emulator
