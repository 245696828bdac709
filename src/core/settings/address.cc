#include "core/settings/address.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "core/base/quoted.h"

namespace bindery {
namespace {

std::optional<std::uint16_t> ParsePort(std::string_view text) {
  std::uint16_t port = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, status] = std::from_chars(text.data(), end, port);
  if (text.empty() || status != std::errc() || stopped != end) return std::nullopt;
  return port;
}

/// Splits "host:port" or "[v6]:port"; the port is nothing when there is no colon behind the host.
struct Authority {
  std::string_view host;
  std::optional<std::string_view> port;
};

std::optional<Authority> SplitAuthority(std::string_view text) {
  Authority result;
  if (!text.empty() && text.front() == '[') {
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos) return std::nullopt;
    result.host = text.substr(1, close - 1);
    if (result.host.find(':') == std::string_view::npos) return std::nullopt;
    text.remove_prefix(close + 1);
    if (!text.empty() && text.front() != ':') return std::nullopt;
  } else {
    const std::size_t colon = std::min(text.find(':'), text.size());
    result.host = text.substr(0, colon);
    text.remove_prefix(colon);
  }
  if (!text.empty()) result.port = text.substr(1);
  return result;
}

bool IsHostCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '_' ||
         c == ':';
}

bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  });
}

bool EndsWithIgnoringCase(std::string_view text, std::string_view tail) {
  return text.size() >= tail.size() &&
         EqualsIgnoringCase(text.substr(text.size() - tail.size()), tail);
}

/// A dotted quad that begins with 127. "127.evil.example" is a name, and not loopback.
bool IsLoopbackIpv4(std::string_view host) {
  int parts = 0;
  for (std::string_view rest = host; parts < 4; ++parts) {
    const std::size_t dot = std::min(rest.find('.'), rest.size());
    const std::string_view part = rest.substr(0, dot);
    unsigned value = 0;
    const auto [end, status] = std::from_chars(part.data(), part.data() + part.size(), value);
    // To curl and the C library "0177" is octal: the written address is not the called address.
    if (part.size() > 1 && part.front() == '0') return false;
    if (part.empty() || status != std::errc() || end != part.data() + part.size()) return false;
    if (value > 255 || (parts == 0 && value != 127)) return false;
    if (dot == rest.size()) return parts == 3;
    rest.remove_prefix(dot + 1);
  }
  return false;
}

}  // namespace

std::string ListenAddress::Text() const {
  const bool bracketed = host.find(':') != std::string::npos;
  return (bracketed ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

Expected<ListenAddress> ParseListenAddress(std::string_view text) {
  const auto split = SplitAuthority(text);
  if (!split || !split->port || !std::ranges::all_of(split->host, IsHostCharacter)) {
    return Fail(Code::kInvalidArgument, Quoted(text) + " is not an address such as 127.0.0.1:9817");
  }
  const auto port = ParsePort(*split->port);
  if (!port) {
    return Fail(Code::kInvalidArgument,
                Quoted(text) + " has a bad port: expected a number from 0 to 65535");
  }
  return ListenAddress{std::string(split->host), *port};
}

bool IsLoopbackHost(std::string_view host) {
  if (host == "::1" || IsLoopbackIpv4(host)) return true;
  return EqualsIgnoringCase(host, "localhost") || EndsWithIgnoringCase(host, ".localhost");
}

Expected<std::string> ParseServiceUrl(std::string_view text) {
  const auto bad = [text](const std::string& why) {
    return Fail(Code::kInvalidArgument, Quoted(text) + " " + why);
  };
  constexpr std::string_view kSecure = "https://";
  constexpr std::string_view kPlain = "http://";
  const bool secure = text.substr(0, kSecure.size()) == kSecure;
  if (!secure && text.substr(0, kPlain.size()) != kPlain) {
    return bad("is not a URL such as https://host.example");
  }
  std::string_view rest = text.substr(secure ? kSecure.size() : kPlain.size());
  if (rest.find('@') != std::string_view::npos) {
    // The text is not repeated: what stands before the @ may be a password.
    return Fail(Code::kInvalidArgument, "a service URL must not hold a user or a password");
  }
  if (rest.find_first_of("?#") != std::string_view::npos) {
    return bad("must not hold a query or a fragment");
  }
  if (rest.find_first_of(" \t\r\n\"\\") != std::string_view::npos)
    return bad("holds white space or quotes");
  const auto authority = SplitAuthority(rest.substr(0, rest.find('/')));
  if (!authority || authority->host.empty() ||
      !std::ranges::all_of(authority->host, IsHostCharacter)) {
    return bad("names no host");
  }
  if (authority->port && ParsePort(*authority->port).value_or(0) == 0) return bad("has a bad port");
  if (!secure && !IsLoopbackHost(authority->host)) {
    return bad("must begin with https:// (plain http is accepted only for localhost)");
  }
  while (text.back() == '/') text.remove_suffix(1);
  return std::string(text);
}

}  // namespace bindery
