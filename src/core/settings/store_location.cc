#include "core/settings/store_location.h"

#include <algorithm>
#include <array>

namespace bindery {
namespace {

constexpr std::string_view kFile = "sqlite:";

/// Parameters of libpq whose values are no secret.
constexpr std::array<std::string_view, 17> kShown = {"host",
                                                     "hostaddr",
                                                     "port",
                                                     "dbname",
                                                     "user",
                                                     "passfile",
                                                     "sslmode",
                                                     "sslcert",
                                                     "sslkey",
                                                     "sslrootcert",
                                                     "sslcrl",
                                                     "application_name",
                                                     "connect_timeout",
                                                     "target_session_attrs",
                                                     "client_encoding",
                                                     "gssencmode",
                                                     "channel_binding"};

/// Of "key=value" pairs the values known to tell no secret. The content of a value beyond its usual
/// characters may be the rest of a password.
std::string RedactedPairs(std::string_view pairs, char between) {
  std::string text;
  while (!pairs.empty()) {
    const std::size_t end = std::min(pairs.find(between), pairs.size());
    const std::string_view pair = pairs.substr(0, end);
    const std::size_t sign = pair.find('=');
    const std::string_view key = pair.substr(0, std::min(sign, pair.size()));
    const bool shown = std::ranges::find(kShown, key) != kShown.end() &&
                       pair.find_first_of(" @") == std::string_view::npos;
    if (sign == std::string_view::npos) {
      text += "***";
    } else {
      text += shown ? std::string(pair) : std::string(key) + "=***";
    }
    if (end < pairs.size()) text += between;
    pairs.remove_prefix(std::min(end + 1, pairs.size()));
  }
  return text;
}

}  // namespace

std::string RedactedUrl(std::string_view url) {
  const std::size_t scheme = url.find(":/");
  if (scheme == std::string_view::npos) return RedactedPairs(url, ' ');
  // A password that was not encoded may hold any character: rather too much than too little.
  const std::size_t at = url.rfind('@');
  const std::size_t begin = std::min(url.find_first_not_of('/', scheme + 1), url.size());
  const std::size_t colon = url.find(':', begin);
  std::string text(url.substr(0, begin));
  if (at != std::string_view::npos && at >= begin) {
    const std::size_t user = std::min(colon, at);
    text += url.substr(begin, user - begin);
    if (user < at) text += ":***";
    url.remove_prefix(at);
  } else {
    url.remove_prefix(begin);
  }
  const std::size_t query = std::min(url.find('?'), url.size());
  text += url.substr(0, query);
  if (query == url.size()) return text;
  return text + "?" + RedactedPairs(url.substr(query + 1), '&');
}

Expected<StoreLocation> StoreLocation::Parse(std::string_view url) {
  StoreLocation location;
  if (url.starts_with(kFile) && url.size() > kFile.size()) {
    location.file = url.substr(kFile.size());
    return location;
  }
  if (url.starts_with("postgresql://") || url.starts_with("postgres://")) {
    location.database = url;
    return location;
  }
  return Fail(Code::kInvalidArgument, "expected sqlite:PATH or postgresql://HOST/DATABASE");
}

std::string StoreLocation::Shown() const {
  return InDatabase() ? RedactedUrl(database) : file.string();
}

std::string StoreLocation::Url() const {
  return InDatabase() ? RedactedUrl(database) : std::string(kFile) + file.string();
}

}  // namespace bindery
