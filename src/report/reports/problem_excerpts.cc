#include <fstream>
#include <map>
#include <sstream>
#include <system_error>
#include <utility>

#include "manifests/documents/source_excerpts.h"
#include "report/reports/problem_lines.h"

namespace bindery::report {
namespace {

/// As large as a manifest may be.
constexpr std::uintmax_t kLargestFile = 1U << 20U;

/// The texts of manifest files, each read once. Files that are no manifests any more are not read.
class Sources {
 public:
  explicit Sources(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Empty when no such line exists, or the file cannot be read.
  std::string At(const std::string& file, int line, int column) {
    const auto [entry, is_new] = files_.try_emplace(file);
    if (is_new && IsInside(file)) entry->second.Read(folder_ / file);
    return entry->second.text.empty() ? std::string() : entry->second.lines.At(line, column);
  }

 private:
  struct File {
    std::string text = {};
    manifests::SourceExcerpts lines{text};

    void Read(const std::filesystem::path& path) {
      text = GetText(path);
      lines = manifests::SourceExcerpts(text);
    }
  };

  [[nodiscard]] bool IsInside(const std::filesystem::path& file) const {
    if (folder_.empty()) return true;
    if (file.empty() || file.is_absolute()) return false;
    for (const auto& part : file) {
      if (part == "..") return false;
    }
    return true;
  }

  static std::string GetText(const std::filesystem::path& path) {
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
  std::map<std::string, File> files_;
};

}  // namespace

void AddExcerpts(std::vector<ProblemLine>& problems, const std::filesystem::path& manifests) {
  Sources sources(manifests);
  for (ProblemLine& problem : problems) {
    if (problem.excerpt && !problem.excerpt->text.empty()) continue;
    problem.excerpt.emplace();
    if (problem.line <= 0) continue;
    problem.excerpt->text = sources.At(problem.file, problem.line, problem.column);
  }
}

}  // namespace bindery::report
