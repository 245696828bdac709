// The network extension: addresses and ranges of addresses.

#include <string>

#include "cel/functions.h"

namespace bindery::cel {
namespace {

Failure NoAddress(const std::string& text) {
  return {"IP Address '" + text.substr(0, 64) + "' parse error during conversion from string"};
}

Failure NoRange(const std::string& text) {
  return {"network address parse error during conversion from string: '" + text.substr(0, 64) +
          "'"};
}

/// Of a range, its address.
Outcome Ip(const Call& call) {
  return Dispatch(
      call, [](const IpAddress& address) { return Value(address); },
      [](const IpRange& range) { return Value(range.address); },
      [](const std::string& text) -> Outcome {
        const std::optional<IpAddress> address = ParseIpAddress(text);
        return address ? Outcome(Value(*address)) : Outcome(NoAddress(text));
      });
}

Outcome Cidr(const Call& call) {
  return Dispatch(
      call, [](const IpRange& range) { return Value(range); },
      [](const std::string& text) -> Outcome {
        const std::optional<IpRange> range = ParseIpRange(text);
        return range ? Outcome(Value(*range)) : Outcome(NoRange(text));
      });
}

Outcome IsIp(const Call& call) {
  return Dispatch(call,
                  [](const std::string& text) { return Value(ParseIpAddress(text).has_value()); });
}

Outcome IsCidr(const Call& call) {
  return Dispatch(call,
                  [](const std::string& text) { return Value(ParseIpRange(text).has_value()); });
}

Outcome IsCanonical(const Call& call) {
  return Dispatch(call, [](const std::string& text) -> Outcome {
    const std::optional<IpAddress> address = ParseIpAddress(text);
    return address ? Outcome(Value(ToString(*address) == text)) : Outcome(NoAddress(text));
  });
}

Outcome Family(const Call& call) {
  return Dispatch(
      call, [](const IpAddress& address) { return Value(std::int64_t{address.is_v4 ? 4 : 6}); });
}

bool Within(const IpAddress& address, std::string_view v4, std::string_view v6) {
  return Contains(*ParseIpRange(address.is_v4 ? v4 : v6), {address, address.bits()});
}

bool Unspecified(const IpAddress& a) { return Within(a, "0.0.0.0/32", "::/128"); }
bool Loopback(const IpAddress& a) { return Within(a, "127.0.0.0/8", "::1/128"); }
bool Multicast(const IpAddress& a) { return Within(a, "224.0.0.0/4", "ff00::/8"); }
bool LinkLocalUnicast(const IpAddress& a) { return Within(a, "169.254.0.0/16", "fe80::/10"); }
/// Of version 6 of any flags, as they stand before the scope.
bool LinkLocalMulticast(const IpAddress& a) {
  if (a.is_v4) return Within(a, "224.0.0.0/24", "");
  return a.bytes[0] == 0xFF && (a.bytes[1] & 0x0F) == 2;
}
bool GlobalUnicast(const IpAddress& a) {
  const bool broadcast = a.is_v4 && Within(a, "255.255.255.255/32", "");
  return !broadcast && !Unspecified(a) && !Loopback(a) && !Multicast(a) && !LinkLocalUnicast(a);
}

template <bool (*kProperty)(const IpAddress&)>
Outcome Is(const Call& call) {
  return Dispatch(call, [](const IpAddress& address) { return Value(kProperty(address)); });
}

Outcome ContainsIp(const Call& call) {
  const auto contains = [](const IpRange& range, const IpAddress& address) {
    return Value(Contains(range, {address, address.bits()}));
  };
  return Dispatch(call, contains, [&](const IpRange& range, const std::string& text) -> Outcome {
    const std::optional<IpAddress> address = ParseIpAddress(text);
    return address ? Outcome(contains(range, *address)) : Outcome(NoAddress(text));
  });
}

Outcome ContainsCidr(const Call& call) {
  return Dispatch(
      call,
      [](const IpRange& outer, const IpRange& inner) { return Value(Contains(outer, inner)); },
      [](const IpRange& outer, const std::string& text) -> Outcome {
        const std::optional<IpRange> inner = ParseIpRange(text);
        return inner ? Outcome(Value(Contains(outer, *inner))) : Outcome(NoRange(text));
      });
}

Outcome MaskedRange(const Call& call) {
  return Dispatch(call, [](const IpRange& range) { return Value(Masked(range)); });
}

Outcome PrefixLength(const Call& call) {
  return Dispatch(call, [](const IpRange& range) { return Value(std::int64_t{range.length}); });
}

}  // namespace

std::span<const FunctionEntry> NetworkExtension() {
  static constexpr auto kTable = std::to_array<FunctionEntry>({
      {"ip", Style::kEither, Ip},
      {"cidr", Style::kGlobal, Cidr},
      {"isIP", Style::kGlobal, IsIp},
      {"isCIDR", Style::kGlobal, IsCidr},
      {"ip.isCanonical", Style::kGlobal, IsCanonical},
      {"family", Style::kMember, Family},
      {"isUnspecified", Style::kMember, Is<Unspecified>},
      {"isLoopback", Style::kMember, Is<Loopback>},
      {"isGlobalUnicast", Style::kMember, Is<GlobalUnicast>},
      {"isLinkLocalMulticast", Style::kMember, Is<LinkLocalMulticast>},
      {"isLinkLocalUnicast", Style::kMember, Is<LinkLocalUnicast>},
      {"containsIP", Style::kMember, ContainsIp},
      {"containsCIDR", Style::kMember, ContainsCidr},
      {"masked", Style::kMember, MaskedRange},
      {"prefixLength", Style::kMember, PrefixLength},
  });
  return kTable;
}

}  // namespace bindery::cel
