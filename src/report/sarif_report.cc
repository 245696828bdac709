// Problems of manifests as SARIF: what code scanning services show next to the lines of a change.

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "report/sarif_log.h"
#include "report/validate_report.h"

namespace bindery {
namespace {

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

/// The first line of an excerpt, without what stands before it.
std::string LineOf(const std::string& excerpt) {
  constexpr std::string_view kMargin = " | ";
  if (!excerpt.starts_with(kMargin)) return {};
  return excerpt.substr(kMargin.size(), excerpt.find('\n') - kMargin.size());
}

Json LocationOf(const Problem& problem) {
  Json physical = {{"artifactLocation", {{"uri", report::UriOf(problem.file)}}}};
  if (problem.line > 0) {
    Json region = {{"startLine", problem.line}};
    if (problem.column > 0) region["startColumn"] = problem.column;
    if (std::string line = LineOf(problem.excerpt); !line.empty()) {
      region["snippet"] = {{"text", std::move(line)}};
    }
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

  return report::SarifLog(std::move(rules), std::move(results), version);
}

}  // namespace bindery
