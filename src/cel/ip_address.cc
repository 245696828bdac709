#include "cel/ip_address.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>

namespace bindery::cel {
namespace {

constexpr std::size_t kMaxText = 64;
constexpr int kGroups = 8;

bool IsMapped(const IpAddress& address) {
  return !address.is_v4 && address.bytes[10] == 0xFF && address.bytes[11] == 0xFF &&
         std::all_of(address.bytes.begin(), address.bytes.begin() + 10,
                     [](std::uint8_t byte) { return byte == 0; });
}

/// The longest row of zero groups, of two at least: where it begins and ends.
std::pair<int, int> LongestZeros(const std::array<int, kGroups>& groups) {
  std::pair<int, int> longest = {kGroups, kGroups};
  for (int begin = 0; begin < kGroups; ++begin) {
    int end = begin;
    while (end < kGroups && groups[static_cast<std::size_t>(end)] == 0) ++end;
    if (end - begin > std::max(1, longest.second - longest.first)) longest = {begin, end};
  }
  return longest;
}

std::string V6Text(const IpAddress& address) {
  std::array<int, kGroups> groups{};
  for (std::size_t i = 0; i < groups.size(); ++i) {
    groups[i] = address.bytes[2 * i] * 256 + address.bytes[2 * i + 1];
  }
  const auto [zeros, behind] = LongestZeros(groups);
  std::string text;
  for (int i = 0; i < kGroups; ++i) {
    if (i == zeros) {
      text += "::";
      i = behind - 1;
      continue;
    }
    if (!text.empty() && !text.ends_with(':')) text += ':';
    std::array<char, 4> digits{};
    const auto written = std::to_chars(digits.data(), digits.data() + digits.size(),
                                       groups[static_cast<std::size_t>(i)], 16);
    text.append(digits.data(), written.ptr);
  }
  return text;
}

}  // namespace

std::optional<IpAddress> ParseIpAddress(std::string_view text) {
  const bool has_colon = text.find(':') != std::string_view::npos;
  const bool has_dot = text.find('.') != std::string_view::npos;
  if (text.size() > kMaxText || has_colon == has_dot) return std::nullopt;
  if (text.find('\0') != std::string_view::npos) return std::nullopt;
  IpAddress address;
  address.is_v4 = has_dot;
  const std::string terminated(text);
  if (inet_pton(has_dot ? AF_INET : AF_INET6, terminated.c_str(), address.bytes.data()) != 1) {
    return std::nullopt;
  }
  if (!IsMapped(address)) return address;
  IpAddress plain;
  plain.is_v4 = true;
  std::copy_n(address.bytes.begin() + 12, 4, plain.bytes.begin());
  return plain;
}

std::optional<IpRange> ParseIpRange(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::string_view digits = text.substr(slash + 1);
  const std::optional<IpAddress> address = ParseIpAddress(text.substr(0, slash));
  // A length of a mapped address would count bits that are not kept.
  const bool mapped = address && address->is_v4 && text.find(':') != std::string_view::npos;
  if (!address || mapped || digits.empty() || digits.front() == '-') return std::nullopt;
  if (digits.size() > 1 && digits.front() == '0') return std::nullopt;
  int length = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), length);
  if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) return std::nullopt;
  if (length > address->bits()) return std::nullopt;
  return IpRange{*address, length};
}

std::string ToString(const IpAddress& address) {
  if (!address.is_v4) return V6Text(address);
  std::string text;
  for (std::size_t i = 0; i < 4; ++i) {
    text += (i > 0 ? "." : "") + std::to_string(address.bytes[i]);
  }
  return text;
}

std::string ToString(const IpRange& range) {
  return ToString(range.address) + "/" + std::to_string(range.length);
}

IpRange Masked(const IpRange& range) {
  IpRange masked = range;
  for (int i = 0; i < 16; ++i) {
    const int kept = std::clamp(range.length - 8 * i, 0, 8);
    std::uint8_t& byte = masked.address.bytes[static_cast<std::size_t>(i)];
    byte = static_cast<std::uint8_t>(byte & (0xFF00 >> kept));
  }
  return masked;
}

bool Contains(const IpRange& outer, const IpRange& inner) {
  if (outer.address.is_v4 != inner.address.is_v4 || inner.length < outer.length) return false;
  return Masked({inner.address, outer.length}) == Masked(outer);
}

}  // namespace bindery::cel
