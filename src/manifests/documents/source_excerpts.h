#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bindery::manifests {

/// The lines of a file, to be shown below messages about them.
class SourceExcerpts {
 public:
  /// `text` must outlive the object. Lines end as in YAML: by LF, CR LF or CR.
  explicit SourceExcerpts(std::string_view text) : text_(text) {}

  /// The line and a caret under the column, in the form of cel::Excerpt; what shows nothing or
  /// would steer a terminal is replaced by U+FFFD. Empty when no such line exists. Both count from
  /// 1.
  [[nodiscard]] std::string At(int line, int column);

  /// The line without its line break.
  [[nodiscard]] std::string_view Line(int line);

 private:
  std::string_view text_;
  std::vector<std::size_t> starts_;  ///< Of the lines; made when the first is asked for.
};

}  // namespace bindery::manifests
