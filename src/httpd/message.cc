#include "httpd/message.h"

#include <algorithm>
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
