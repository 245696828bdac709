// SARIF 2.1.0 (OASIS).

#include "report/forms/sarif_log.h"

#include <cctype>
#include <filesystem>
#include <string_view>
#include <utility>

namespace bindery::report {
namespace {

constexpr const char* kHome = "https://github.com/bindery/bindery";
constexpr const char* kPages = "https://github.com/bindery/bindery/blob/main/docs/";

std::string EncodedPath(const std::string& file) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  constexpr std::string_view kPlain = "-._~/";
  std::string uri;
  for (const char c : file) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = byte < 0x80 && std::isalnum(byte) != 0;
    if (letter || kPlain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += '%';
      uri += kDigits[byte >> 4U];
      uri += kDigits[byte & 15U];
    }
  }
  return uri;
}

/// "condition-changed" as "ConditionChanged": the form of names of rules.
std::string PascalCase(const std::string& id) {
  std::string name;
  bool begins = true;
  for (const char c : id) {
    const auto byte = static_cast<unsigned char>(c);
    if (c != '-') name += begins ? static_cast<char>(std::toupper(byte)) : c;
    begins = c == '-';
  }
  return name;
}

}  // namespace

std::string MakeUri(const std::string& file, const std::string& prefix) {
  const bool moves = !prefix.empty() && !file.starts_with('/');
  return EncodedPath(moves ? (std::filesystem::path(prefix) / file).lexically_normal().string()
                           : file);
}

std::string SarifText(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

Json SarifRule(const std::string& id, const std::string& summary, const std::string& help,
               const std::string& page) {
  const std::string uri = kPages + page;
  Json rule = {{"id", id}};
  // A name equal to the id must be absent (SARIF1001 of the validator).
  if (const std::string name = PascalCase(id); name != id) rule["name"] = name;
  rule["shortDescription"] = {{"text", summary + "."}};
  rule["fullDescription"] = {{"text", summary + ". " + help}};
  rule["help"] = {{"text", help + " See " + uri + "."}};
  rule["helpUri"] = uri;
  return rule;
}

Json SarifLog(Json rules, Json results, const std::string& version) {
  Json driver = {{"name", "bindery"}, {"informationUri", kHome}};
  if (!version.empty()) driver["version"] = version;
  driver["rules"] = std::move(rules);
  Json run = {{"tool", {{"driver", std::move(driver)}}},
              {"columnKind", "unicodeCodePoints"},
              {"results", std::move(results)}};
  return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", Json::array({std::move(run)})}};
}

}  // namespace bindery::report
