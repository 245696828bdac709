#include "core/text/host.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace bindery {
namespace {

constexpr std::size_t kLongestHost = 255;
constexpr std::size_t kLongestPort = 5;

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool IsNameCharacter(char c) {
  const char lower = Lower(c);
  return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_';
}

/// The canonical spelling of an address; nothing for any other text.
std::optional<std::string> AddressText(const std::string& host) {
  std::array<char, INET6_ADDRSTRLEN> text = {};
  in_addr v4 = {};
  if (::inet_pton(AF_INET, host.c_str(), &v4) == 1) {
    return std::string(::inet_ntop(AF_INET, &v4, text.data(), text.size()));
  }
  in6_addr v6 = {};
  if (::inet_pton(AF_INET6, host.c_str(), &v6) != 1) return std::nullopt;
  if (IN6_IS_ADDR_V4MAPPED(&v6)) {
    constexpr std::size_t kPrefix = 12;
    std::memcpy(&v4, v6.s6_addr + kPrefix, sizeof(v4));
    return std::string(::inet_ntop(AF_INET, &v4, text.data(), text.size()));
  }
  return std::string(::inet_ntop(AF_INET6, &v6, text.data(), text.size()));
}

std::optional<std::string> PlainHost(std::string_view host) {
  // The zone of a link-local address is of the machine alone.
  if (host.find(':') != std::string_view::npos) host = host.substr(0, host.find('%'));
  if (host.empty() || host.size() > kLongestHost) return std::nullopt;
  std::string plain(host);
  if (auto address = AddressText(plain)) return address;
  if (!std::ranges::all_of(plain, IsNameCharacter)) return std::nullopt;
  if (plain.back() == '.') plain.pop_back();
  if (plain.empty() || plain.front() == '.') return std::nullopt;
  std::ranges::transform(plain, plain.begin(), Lower);
  return plain;
}

bool IsPort(std::string_view text) {
  return text.size() <= kLongestPort &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

std::optional<std::string> HostOfAuthority(std::string_view authority) {
  if (!authority.starts_with('[')) {
    const std::size_t colon = std::min(authority.find(':'), authority.size());
    if (colon < authority.size() && !IsPort(authority.substr(colon + 1))) return std::nullopt;
    return PlainHost(authority.substr(0, colon));
  }
  const std::size_t end = authority.find(']');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view rest = authority.substr(end + 1);
  if (!rest.empty() && (rest.front() != ':' || !IsPort(rest.substr(1)))) return std::nullopt;
  const std::string_view host = authority.substr(1, end - 1);
  if (host.find(':') == std::string_view::npos) return std::nullopt;
  return PlainHost(host);
}

bool IsHostPattern(std::string_view text) {
  if (text == "*") return true;
  if (text.starts_with("*.")) text.remove_prefix(2);
  return PlainHost(text).has_value();
}

bool MatchesHost(std::string_view pattern, std::string_view host) {
  if (pattern == "*") return true;
  const bool below = pattern.starts_with("*.");
  const auto plain = PlainHost(below ? pattern.substr(2) : pattern);
  if (!plain) return false;
  if (!below) return *plain == host;
  return host.size() > plain->size() + 1 && host.ends_with(*plain) &&
         host[host.size() - plain->size() - 1] == '.';
}

}  // namespace bindery
