#include "httpd/message.h"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <boost/beast/http/status.hpp>
#include <ostream>

namespace bindery::httpd {
namespace {

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(),
                    [](char left, char right) { return Lower(left) == Lower(right); });
}

void Headers::Add(std::string name, std::string value) {
  fields_.emplace_back(std::move(name), std::move(value));
}

void Headers::Set(std::string_view name, std::string value) {
  std::erase_if(fields_, [&](const Field& field) { return EqualsIgnoringCase(field.first, name); });
  fields_.emplace_back(std::string(name), std::move(value));
}

const std::string* Headers::Find(std::string_view name) const {
  for (const Field& field : fields_) {
    if (EqualsIgnoringCase(field.first, name)) return &field.second;
  }
  return nullptr;
}

std::string Headers::Get(std::string_view name) const {
  const std::string* found = Find(name);
  return found == nullptr ? std::string() : *found;
}

std::string GetNetwork(const Peer& peer) {
  namespace ip = boost::asio::ip;
  if (peer.is_unix) return "uid " + std::to_string(peer.uid);
  std::string host = peer.address.substr(0, peer.address.rfind(':'));
  if (host.size() > 2 && host.front() == '[') host = host.substr(1, host.size() - 2);
  boost::system::error_code failure;
  const ip::address address = ip::make_address(host, failure);
  if (failure || address.is_v4()) return host;
  const ip::address_v6 wide = address.to_v6();
  if (wide.is_v4_mapped()) return ip::make_address_v4(ip::v4_mapped, wide).to_string();
  ip::address_v6::bytes_type bytes = wide.to_bytes();
  std::fill(bytes.begin() + bytes.size() / 2, bytes.end(), 0);
  return ip::address_v6(bytes).to_string() + "/64";
}

const std::string* Request::FindQuery(std::string_view name) const {
  for (const auto& parameter : query) {
    if (parameter.first == name) return &parameter.second;
  }
  return nullptr;
}

Response TextResponse(int status, std::string body) {
  return {status, {{"Content-Type", "text/plain; charset=utf-8"}}, std::move(body)};
}

Response JsonResponse(int status, std::string body) {
  return {status, {{"Content-Type", "application/json"}}, std::move(body)};
}

std::string_view ReasonPhrase(int status) {
  const auto known = boost::beast::http::int_to_status(static_cast<unsigned>(status));
  if (known == boost::beast::http::status::unknown) return "Unknown";
  const auto text = boost::beast::http::obsolete_reason(known);
  return {text.data(), text.size()};
}

}  // namespace bindery::httpd
