#include "manifests/documents/source_excerpts.h"

#include <algorithm>

#include "cel/syntax/excerpt.h"
#include "core/text/code_point.h"

namespace bindery::manifests {
namespace {

constexpr std::string_view kReplacement = "\uFFFD";

bool ShowsNothing(std::uint32_t code_point) {
  constexpr std::uint32_t kInvisible[] = {0xA0, 0x200B, 0x200C, 0x200D, 0x202F, 0x2060, 0xFEFF};
  return std::find(std::begin(kInvisible), std::end(kInvisible), code_point) !=
         std::end(kInvisible);
}

/// One character for one, so that columns stay the same.
std::string Visible(std::string_view line) {
  std::string shown;
  shown.reserve(line.size());
  while (!line.empty()) {
    const auto point = DecodeUtf8(line);
    const std::size_t bytes = point ? point->bytes : 1;
    const bool good =
        point && (point->value == '\t' || (!Steers(point->value) && !ShowsNothing(point->value)));
    shown.append(good ? line.substr(0, bytes) : kReplacement);
    line.remove_prefix(bytes);
  }
  return shown;
}

}  // namespace

std::string_view SourceExcerpts::Line(int line) {
  if (starts_.empty()) {
    starts_.push_back(text_.starts_with("\xEF\xBB\xBF") ? 3 : 0);
    for (std::size_t at = text_.find_first_of("\r\n"); at != std::string_view::npos;
         at = text_.find_first_of("\r\n", starts_.back())) {
      const bool pair = text_[at] == '\r' && at + 1 < text_.size() && text_[at + 1] == '\n';
      starts_.push_back(at + (pair ? 2 : 1));
    }
  }
  const auto index = static_cast<std::size_t>(line - 1);
  if (line < 1 || index >= starts_.size()) return {};
  const std::string_view rest = text_.substr(starts_[index]);
  return rest.substr(0, rest.find_first_of("\r\n"));
}

std::string SourceExcerpts::At(int line, int column) {
  const std::string_view found = Line(line);
  if (line < 1 || static_cast<std::size_t>(line) > starts_.size()) return {};
  constexpr std::size_t kLongest = 1U << 16U;  // A longer line is cut anyway.
  const std::string shown = Visible(found.substr(0, kLongest));
  return cel::Excerpt(shown, {0, 1, std::max(column, 1)});
}

}  // namespace bindery::manifests
