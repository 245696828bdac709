// Problems of manifests as SARIF: what code scanning services show next to the lines of a change.

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "report/checks/validate_report.h"
#include "report/forms/sarif_log.h"
#include "report/forms/texts.h"

namespace bindery::report {
namespace {

constexpr const char* kFolder = "./";
constexpr const char* kProblemHelp =
    "The message says what is wrong and what was expected. What was in force before stays so until "
    "the manifest is valid.";

/// "UnknownField" as "Unknown field".
std::string InWords(const std::string& code) {
  std::string words;
  for (const char c : code) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isupper(byte) != 0 && !words.empty()) words += ' ';
    words += words.empty() ? c : static_cast<char>(std::tolower(byte));
  }
  return words;
}

/// The first line of an excerpt, without its prefix.
std::string MakeLine(const std::string& excerpt) {
  constexpr std::string_view kMargin = " | ";
  if (!excerpt.starts_with(kMargin)) return {};
  return excerpt.substr(kMargin.size(), excerpt.find('\n') - kMargin.size());
}

Json MakeFileLocation(const manifests::Problem& problem, const std::string& prefix) {
  // Code scanning takes no result without a file and a line.
  const std::string file = problem.file.empty() ? kFolder : problem.file;
  Json physical = {{"artifactLocation", {{"uri", MakeUri(file, prefix)}}}};
  Json region = {{"startLine", std::max(problem.line, 1)}};
  if (problem.column > 0) region["startColumn"] = problem.column;
  if (std::string line = MakeLine(problem.excerpt); !line.empty()) {
    region["snippet"] = {{"text", std::move(line)}};
  }
  physical["region"] = std::move(region);
  Json location = {{"physicalLocation", std::move(physical)}};
  if (!problem.path.empty()) {
    location["logicalLocations"] =
        Json::array({{{"fullyQualifiedName", problem.path}, {"kind", "member"}}});
  }
  return location;
}

Json MakeSarifResult(const manifests::Problem& problem, const std::set<std::string>& codes,
                     const std::string& prefix) {
  const std::string text =
      problem.path.empty() ? problem.message : problem.path + ": " + problem.message;
  Json result = {
      {"ruleId", problem.code},
      {"ruleIndex", std::distance(codes.begin(), codes.find(problem.code))},
      {"level", problem.severity == manifests::ProblemSeverity::kError ? "error" : "warning"},
      {"message", {{"text", SarifText(text)}}}};
  result["locations"] = Json::array({MakeFileLocation(problem, prefix)});
  return result;
}

}  // namespace

Json ValidateSarif(const std::vector<manifests::Problem>& problems, const std::string& version,
                   const std::string& prefix) {
  std::set<std::string> codes;
  for (const manifests::Problem& problem : problems) codes.insert(problem.code);
  Json rules = Json::array();
  for (const std::string& code : codes) {
    rules.push_back(SarifRule(code, InWords(code), kProblemHelp, "manifests.md"));
  }
  Json results = Json::array();
  for (const manifests::Problem& problem : problems)
    results.push_back(MakeSarifResult(problem, codes, prefix));

  return SarifLog(std::move(rules), std::move(results), version);
}

}  // namespace bindery::report
