#include "providers/google/credentials/field_reader.h"

#include <algorithm>
#include <string_view>

#include "cloud/credentials/text.h"
#include "core/settings/address.h"

namespace bindery::google {
namespace {

/// The same URL with https where plain http goes to 169.254.0.0/16, which no router forwards.
std::string WithLinkLocalAsSecure(const std::string& url) {
  constexpr std::string_view kLinkLocal = "http://169.254.";
  if (url.rfind(kLinkLocal, 0) != 0) return url;
  const std::string host = url.substr(7, url.find_first_of(":/?#", 7) - 7);
  const bool address =
      std::ranges::all_of(host, [](char c) { return c == '.' || (c >= '0' && c <= '9'); });
  return address ? "https" + url.substr(4) : url;
}

}  // namespace

const Json* FieldReader::Find(const std::string& name) const {
  const Json* member = FindMember(object_, name);
  return member == nullptr || member->is_null() ? nullptr : member;
}

void FieldReader::Fault(const std::string& name, const std::string& why, Code code) {
  if (fault_) return;
  Error error;
  error.code = code;
  error.message = where_ + ": \"" + path_ + name + "\" " + why;
  fault_ = std::move(error);
}

void FieldReader::TakeFault(const FieldReader& part) {
  if (!fault_) fault_ = part.fault_;
}

std::string FieldReader::OptionalText(const std::string& name) {
  const Json* member = Find(name);
  if (member == nullptr) return "";
  if (!member->is_string()) {
    Fault(name, "must be a string");
    return "";
  }
  return member->get<std::string>();
}

std::string FieldReader::Text(const std::string& name) {
  std::string text = OptionalText(name);
  if (text.empty()) Fault(name, Has(name) ? "is empty" : "is missing");
  return text;
}

std::string FieldReader::CheckedUrl(const std::string& name, const std::string& url,
                                    bool link_local) {
  // Paths name e-mail addresses, and queries may hold secrets: neither is for a service URL's
  // rules.
  const std::string origin = cloud::Origin(url);
  if (!cloud::IsHeaderToken(url) || url.find('#') != std::string::npos) {
    Fault(name, "holds white space or characters that such a URL cannot hold");
  } else if (auto good = ParseServiceUrl(link_local ? WithLinkLocalAsSecure(origin) : origin);
             !good) {
    Fault(name, "is wrong: " + good.error().message);
  }
  return url;
}

std::string FieldReader::OptionalUrl(const std::string& name) {
  const std::string url = OptionalText(name);
  return url.empty() ? url : CheckedUrl(name, url, false);
}

std::string FieldReader::Url(const std::string& name) {
  const std::string url = Text(name);
  return url.empty() ? url : CheckedUrl(name, url, false);
}

std::string FieldReader::LocalServiceUrl(const std::string& name) {
  const std::string url = Text(name);
  return url.empty() ? url : CheckedUrl(name, url, true);
}

std::vector<std::string> FieldReader::OptionalTexts(const std::string& name) {
  std::vector<std::string> texts;
  const Json* member = Find(name);
  if (member == nullptr) return texts;
  const bool good = member->is_array() &&
                    std::ranges::all_of(*member, [](const Json& item) { return item.is_string(); });
  if (!good) {
    Fault(name, "must be a list of strings");
    return texts;
  }
  for (const Json& item : *member) texts.push_back(item.get<std::string>());
  return texts;
}

std::vector<std::pair<std::string, std::string>> FieldReader::OptionalMap(const std::string& name) {
  std::vector<std::pair<std::string, std::string>> entries;
  const Json* member = Find(name);
  if (member == nullptr) return entries;
  const bool good = member->is_object() && std::ranges::all_of(*member, [](const Json& value) {
                      return value.is_string();
                    });
  if (!good) {
    Fault(name, "must be an object of strings");
    return entries;
  }
  for (auto it = member->begin(); it != member->end(); ++it) {
    entries.emplace_back(it.key(), it.value().get<std::string>());
  }
  return entries;
}

std::optional<std::int64_t> FieldReader::OptionalNumber(const std::string& name, std::int64_t least,
                                                        std::int64_t most) {
  const Json* member = Find(name);
  if (member == nullptr) return std::nullopt;
  const std::string expected =
      "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most);
  if (!member->is_number_integer()) {
    Fault(name, expected);
    return std::nullopt;
  }
  const auto number = member->get<std::int64_t>();
  if (number < least || number > most) Fault(name, expected);
  return number;
}

std::optional<FieldReader> FieldReader::OptionalObject(const std::string& name) {
  const Json* member = Find(name);
  if (member == nullptr) return std::nullopt;
  if (!member->is_object()) {
    Fault(name, "must be an object");
    return std::nullopt;
  }
  return FieldReader(*member, where_, path_ + name + ".");
}

std::optional<FieldReader> FieldReader::Object(const std::string& name) {
  auto object = OptionalObject(name);
  if (!object && !fault_) Fault(name, "is missing");
  return object;
}

}  // namespace bindery::google
