#include "emulator/condition.h"

#include <algorithm>

namespace bindery::emulator {
namespace {

constexpr std::size_t kMaxOperators = 12;

/// Walks over an expression and keeps what the checks need.
class Scan {
 public:
  explicit Scan(std::string_view text) : text_(text) {
    while (at_ < text_.size() && !fault_) Step();
    if (!fault_ && !open_.empty()) Fault("mismatched input '<EOF>' expecting '" + Closing() + "'");
    if (!fault_ && empty_) Fault("mismatched input '<EOF>' expecting an expression");
    if (!fault_ && after_operator_) Fault("mismatched input '<EOF>' expecting an operand");
  }
  [[nodiscard]] std::size_t operators() const { return operators_; }
  [[nodiscard]] const std::optional<std::string>& fault() const { return fault_; }

 private:
  void Step() {
    const char c = text_[at_];
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f') {
      ++at_;
    } else if (c == '/' && Next() == '/') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (c == '"' || c == '\'') {
      String(c);
    } else {
      Symbol(c);
    }
  }

  void Symbol(char c) {
    empty_ = false;
    if ((c == '&' || c == '|') && Next() == c) {
      if (after_operator_) return Fault("extraneous input '" + std::string(2, c) + "'");
      ++operators_;
      after_operator_ = true;
      at_ += 2;
      return;
    }
    after_operator_ = false;
    if (c == '(' || c == '[' || c == '{') open_ += c;
    if (c == ')' || c == ']' || c == '}') {
      if (open_.empty() || Closing().front() != c) {
        return Fault("extraneous input '" + std::string(1, c) + "'");
      }
      open_.pop_back();
    }
    // '=' alone, '&' alone and the like are no tokens of the language.
    const bool comparison = c == '=' && (Next() == '=' || Previous("=!<>"));
    if ((c == '=' && !comparison) || c == '&' || c == '|' || c == ';' || c == '#' || c == '@' ||
        c == '$' || c == '^' || c == '~' || c == '`') {
      return Fault("token recognition error at: '" + std::string(1, c) + "'");
    }
    ++at_;
  }

  void String(char quote) {
    empty_ = false;
    after_operator_ = false;
    const bool raw = at_ > 0 && (text_[at_ - 1] == 'r' || text_[at_ - 1] == 'R');
    const std::string triple(3, quote);
    const std::string end = text_.substr(at_, 3) == triple ? triple : std::string(1, quote);
    const std::size_t begin = at_;
    at_ += end.size();
    while (at_ < text_.size()) {
      if (text_[at_] == '\\' && !raw) {
        at_ += 2;
        continue;
      }
      if (text_.substr(at_, end.size()) == end) {
        at_ += end.size();
        return;
      }
      if (text_[at_] == '\n' && end.size() == 1) break;
      ++at_;
    }
    at_ = begin;
    Fault("token recognition error at: '" + std::string(text_.substr(begin)) + "'");
  }

  [[nodiscard]] char Next() const { return at_ + 1 < text_.size() ? text_[at_ + 1] : '\0'; }
  [[nodiscard]] bool Previous(std::string_view one_of) const {
    return at_ > 0 && one_of.find(text_[at_ - 1]) != std::string_view::npos;
  }
  [[nodiscard]] std::string Closing() const {
    return open_.back() == '(' ? ")" : open_.back() == '[' ? "]" : "}";
  }
  void Fault(const std::string& what) {
    std::size_t line = 1;
    std::size_t column = 0;
    for (const char c : text_.substr(0, at_)) {
      column = c == '\n' ? 0 : column + 1;
      if (c == '\n') ++line;
    }
    fault_ = "ERROR: Parse expression:" + std::to_string(line) + ":" + std::to_string(column) +
             ": " + what;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t operators_ = 0;
  std::string open_;
  bool after_operator_ = false;
  bool empty_ = true;
  std::optional<std::string> fault_;
};

}  // namespace

std::size_t CountLogicalOperators(std::string_view expression) {
  return Scan(expression).operators();
}

std::optional<std::string> LintCondition(std::string_view expression) {
  const Scan scan(expression);
  if (scan.fault()) {
    return "LintValidationUnits/ConditionCompileCheck Error: " + *scan.fault();
  }
  if (scan.operators() > kMaxOperators) {
    return "LintValidationUnits/ConditionComplexityCheck Error: Logical operators count must not "
           "be more than " +
           std::to_string(kMaxOperators);
  }
  return std::nullopt;
}

}  // namespace bindery::emulator
