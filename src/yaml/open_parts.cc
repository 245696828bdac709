#include "yaml/open_parts.h"

#include <string_view>
#include <utility>

namespace bindery::yaml {
namespace {

/// The rest of a line from some character on. Its column is counted when it is asked for: lines can
/// be as long as a document.
struct Place {
  const SourceLine* line = nullptr;
  std::string_view text;
  [[nodiscard]] Position At() const { return {line->number, line->FindColumn(text)}; }
};

class PartScanner {
 public:
  void Take(const SourceLine& line) {
    for (std::size_t i = 0; i < line.text.size(); ++i) {
      const std::string_view rest = line.text.substr(i);
      if (quote_ != '\0') {
        i += Within(line, rest);
      } else if (IsComment(line, i)) {
        break;
      } else {
        Outside(line, rest);
      }
    }
    value_may_begin_ = true;
  }

  OpenParts Done() {
    if (quote_ != '\0') parts_.quote = quote_at_.At();
    if (!open_.empty()) {
      parts_.bracket = open_.back().At();
      parts_.bracket_sign = open_.back().text.front();
    }
    if (behind_quote_.line != nullptr) parts_.behind_quote = behind_quote_.At();
    return parts_;
  }

 private:
  static bool IsComment(const SourceLine& line, std::size_t i) {
    return line.text[i] == '#' && (i == 0 || line.text[i - 1] == ' ' || line.text[i - 1] == '\t');
  }

  /// How many characters more were read.
  std::size_t Within(const SourceLine& line, std::string_view rest) {
    if (quote_ == '"' && rest.front() == '\\') return 1;
    if (rest.front() != quote_) return 0;
    if (quote_ == '\'' && rest.size() > 1 && rest[1] == '\'') return 1;
    const char closed = std::exchange(quote_, '\0');
    const std::string_view behind = rest.substr(1);
    const std::size_t next = behind.find_first_not_of(" \t");
    if (next != std::string_view::npos &&
        std::string_view(",:]}#").find(behind[next]) == std::string_view::npos) {
      behind_quote_ = {&line, behind.substr(next)};
      parts_.behind_sign = closed;
    }
    value_may_begin_ = false;
    return 0;
  }

  void Outside(const SourceLine& line, std::string_view rest) {
    const char c = rest.front();
    if ((c == '"' || c == '\'') && value_may_begin_) {
      quote_ = c;
      quote_at_ = {&line, rest};
    } else if ((c == '[' || c == '{') && value_may_begin_) {
      open_.push_back({&line, rest});
    } else if ((c == ']' || c == '}') && !open_.empty()) {
      open_.pop_back();
      value_may_begin_ = false;
    } else if (c == ',' && !open_.empty()) {
      value_may_begin_ = true;
    } else if ((c == ':' || c == '-') && (rest.size() == 1 || rest[1] == ' ')) {
      value_may_begin_ = c == ':' || value_may_begin_;
    } else if (c != ' ' && c != '\t') {
      value_may_begin_ = false;
    }
  }

  OpenParts parts_;
  char quote_ = '\0';
  Place quote_at_;
  std::vector<Place> open_;
  Place behind_quote_;
  bool value_may_begin_ = true;
};

}  // namespace

OpenParts ScanParts(const std::vector<SourceLine>& lines) {
  PartScanner scanner;
  for (const SourceLine& line : lines) scanner.Take(line);
  return scanner.Done();
}

}  // namespace bindery::yaml
