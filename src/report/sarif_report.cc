// SARIF 2.1.0 (OASIS): what code scanning services show next to the lines of a change.

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "report/validate_report.h"

namespace bindery {
namespace {

/// A relative URI reference: SARIF wants percent-encoded paths with forward slashes.
std::string UriOf(const std::string& file) {
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

/// "UnknownField" as "unknown field".
std::string InWords(const std::string& code) {
  std::string words;
  for (const char c : code) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isupper(byte) != 0 && !words.empty()) words += ' ';
    words += static_cast<char>(std::tolower(byte));
  }
  return words;
}

Json LocationOf(const Problem& problem) {
  Json physical = {{"artifactLocation", {{"uri", UriOf(problem.file)}}}};
  if (problem.line > 0) {
    Json region = {{"startLine", problem.line}};
    if (problem.column > 0) region["startColumn"] = problem.column;
    physical["region"] = std::move(region);
  }
  Json location = {{"physicalLocation", std::move(physical)}};
  if (!problem.path.empty()) {
    location["logicalLocations"] =
        Json::array({{{"fullyQualifiedName", problem.path}, {"kind", "member"}}});
  }
  return location;
}

Json ResultOf(const Problem& problem, const std::set<std::string>& codes) {
  const std::string text =
      problem.path.empty() ? problem.message : problem.path + ": " + problem.message;
  Json result = {{"ruleId", problem.code},
                 {"ruleIndex", std::distance(codes.begin(), codes.find(problem.code))},
                 {"level", problem.severity == ProblemSeverity::kError ? "error" : "warning"},
                 {"message", {{"text", text}}}};
  if (!problem.file.empty()) result["locations"] = Json::array({LocationOf(problem)});
  return result;
}

}  // namespace

Json ValidateSarif(const std::vector<Problem>& problems, const std::string& version) {
  std::set<std::string> codes;
  for (const Problem& problem : problems) codes.insert(problem.code);
  Json rules = Json::array();
  for (const std::string& code : codes) {
    rules.push_back({{"id", code}, {"shortDescription", {{"text", InWords(code)}}}});
  }
  Json results = Json::array();
  for (const Problem& problem : problems) results.push_back(ResultOf(problem, codes));

  Json driver = {{"name", "bindery"}};
  if (!version.empty()) driver["version"] = version;
  driver["rules"] = std::move(rules);
  Json run = {{"tool", {{"driver", std::move(driver)}}},
              {"columnKind", "unicodeCodePoints"},
              {"results", std::move(results)}};
  return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", Json::array({std::move(run)})}};
}

}  // namespace bindery
