#include <fstream>
#include <map>
#include <sstream>
#include <system_error>
#include <utility>

#include "cel/excerpt.h"
#include "report/json_fields.h"
#include "report/overview_report.h"
#include "report/problem_lines.h"

namespace bindery {
namespace {

/// As large as a manifest may be.
constexpr std::uintmax_t kLargestFile = 1U << 20U;

/// The texts of manifest files, each read once. Files that are no manifests any more are not read.
class Sources {
 public:
  explicit Sources(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Empty when it cannot be read.
  const std::string& Read(const std::string& file) {
    const auto [entry, is_new] = texts_.try_emplace(file);
    if (is_new && IsInside(file)) entry->second = TextOf(folder_ / file);
    return entry->second;
  }

 private:
  static bool IsInside(const std::filesystem::path& file) {
    if (file.empty() || file.is_absolute()) return false;
    for (const auto& part : file) {
      if (part == "..") return false;
    }
    return true;
  }

  static std::string TextOf(const std::filesystem::path& path) {
    std::error_code failed;
    if (!std::filesystem::is_regular_file(path, failed)) return {};
    const std::uintmax_t size = std::filesystem::file_size(path, failed);
    if (failed || size > kLargestFile) return {};
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return std::move(text).str();
  }

  std::filesystem::path folder_;
  std::map<std::string, std::string> texts_;
};

Json ExcerptOf(const std::string& text, const ManifestProblemRecord& problem) {
  if (text.empty() || problem.line < 1) return nullptr;
  cel::Position at{0, problem.line, std::max(problem.column, 1)};
  for (int line = 1; line < problem.line; ++line) {
    at.offset = text.find('\n', at.offset);
    if (at.offset == std::string::npos) return nullptr;
    ++at.offset;
  }
  return cel::Excerpt(text, at);
}

}  // namespace

Expected<Json> ProblemsReport(const Store& store, const std::filesystem::path& manifests,
                              const ListPage& page) {
  const auto problems = store.Problems();
  if (!problems) return Fail(problems.error());
  Json list = Json::array();
  Sources sources(manifests);
  std::size_t errors = 0;
  const std::size_t end = page.offset + page.limit.value_or(problems->size());
  for (std::size_t i = 0; i < problems->size(); ++i) {
    const ManifestProblemRecord& problem = problems->at(i);
    if (problem.severity == "error") ++errors;
    if (i < page.offset || i >= end) continue;
    list.push_back(report::ProblemJson(problem));
    list.back()["excerpt"] = ExcerptOf(sources.Read(problem.file), problem);
  }
  return Json{{"problems", std::move(list)},
              {"total", problems->size()},
              {"offset", page.offset},
              {"limit", page.limit ? Json(*page.limit) : Json()},
              {"summary", {{"errors", errors}, {"warnings", problems->size() - errors}}}};
}

}  // namespace bindery
