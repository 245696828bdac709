#include "httpd/address.h"

#include <charconv>

#include "httpd/message.h"

namespace bindery::httpd {

std::string Address::Text() const {
  const bool v6 = host.find(':') != std::string::npos;
  return (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

bool Address::IsLoopback() const {
  return host == "::1" || EqualsIgnoringCase(host, "localhost") || host.rfind("127.", 0) == 0;
}

Expected<Address> ParseAddress(std::string_view text) {
  const auto bad = [text] {
    return Fail(
        Code::kInvalidArgument,
        "\"" + std::string(text) + "\" is not an address such as 127.0.0.1:9817 or [::1]:0");
  };
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return bad();
  std::string_view host = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  const bool bracketed = host.size() >= 2 && host.front() == '[' && host.back() == ']';
  if (bracketed) {
    host = host.substr(1, host.size() - 2);
    if (host.find(':') == std::string_view::npos) return bad();
  } else if (host.find_first_of(":[] /") != std::string_view::npos) {
    return bad();
  }
  Address address;
  address.host = host;
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (error != std::errc() || end != port.data() + port.size() || port.empty()) return bad();
  return address;
}

}  // namespace bindery::httpd
