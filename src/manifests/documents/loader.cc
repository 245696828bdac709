#include "manifests/documents/loader.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "core/text/digest.h"
#include "manifests/documents/envelope.h"
#include "manifests/documents/source_excerpts.h"
#include "manifests/schema/findings.h"
#include "manifests/schema/hints.h"
#include "manifests/schema/validate.h"
#include "yaml/reader.h"

namespace bindery::manifests {
namespace {

constexpr std::size_t kMaxProblems = 1000;

bool IsJson(std::string_view path) {
  constexpr std::string_view kSuffix = ".json";
  return path.size() >= kSuffix.size() && path.substr(path.size() - kSuffix.size()) == kSuffix;
}

/// Parsers quote their input, line breaks included.
std::string OneLine(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return text;
}

std::string GetText(const std::vector<yaml::PathStep>& steps) {
  std::string path;
  for (const yaml::PathStep& step : steps) {
    path = step.in_list ? path + "[" + std::to_string(step.index) + "]" : JoinPath(path, step.key);
  }
  return path;
}

Problem FromFault(const yaml::Fault& fault, const std::string& file) {
  Problem problem;
  problem.file = file;
  problem.line = fault.at.line;
  problem.column = fault.at.column;
  problem.path = GetText(fault.path);
  problem.code = fault.code;
  problem.message = OneLine(fault.message);
  return problem;
}

void SortAndLimit(std::vector<Problem>& problems, const std::string& file) {
  std::stable_sort(problems.begin(), problems.end(), [](const Problem& a, const Problem& b) {
    return std::tie(a.line, a.column) < std::tie(b.line, b.column);
  });
  if (problems.size() <= kMaxProblems) return;
  Problem more;
  more.file = file;
  more.code = "TooManyProblems";
  more.message = std::to_string(problems.size() - kMaxProblems) + " more problems";
  problems.resize(kMaxProblems);
  problems.push_back(std::move(more));
}

/// Adds the source line to each problem, with the text after the value.
void ShowSource(std::string_view text, std::vector<Problem>& problems) {
  SourceExcerpts source(text);
  for (Problem& problem : problems) {
    if (problem.line < 1) continue;
    if (problem.code == "WrongType" && problem.message.ends_with("found nothing")) {
      problem.message += HintForNothing(source.Line(problem.line));
    }
    if (problem.excerpt.empty()) problem.excerpt = source.At(problem.line, problem.column);
  }
}

}  // namespace

FileContent LoadFile(std::string_view text, const std::string& relative_path,
                     std::span<const KindSchema* const> kinds) {
  return LoadFile(text, relative_path, ListedKinds(kinds));
}

FileContent LoadFile(std::string_view text, const std::string& relative_path,
                     const KindSchemas& kinds) {
  FileContent content;
  content.path = relative_path;
  content.digest = Sha256Hex(text);
  const yaml::ReadResult read = IsJson(relative_path) ? yaml::ReadJson(text) : yaml::ReadYaml(text);
  content.blank = read.documents.empty() && read.faults.empty();
  for (const yaml::Fault& fault : read.faults) {
    content.problems.push_back(FromFault(fault, relative_path));
  }
  const SourcePath file = relative_path;
  for (const yaml::Document& document : read.documents) {
    Findings findings(relative_path, document.at);
    auto manifest = ReadManifest(document, file, kinds, findings);
    if (manifest != nullptr && findings.error_count() == 0) {
      content.manifests.push_back(std::move(manifest));
    } else if (manifest != nullptr && manifest->linked()) {
      content.invalid.push_back(std::move(manifest));
    }
    std::vector<Problem> problems = findings.Take(GetName(document.root));
    std::move(problems.begin(), problems.end(), std::back_inserter(content.problems));
  }
  SortAndLimit(content.problems, relative_path);
  ShowSource(text, content.problems);
  return content;
}

}  // namespace bindery::manifests
