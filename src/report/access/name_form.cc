#include "report/access/name_form.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "cel/syntax/printer.h"
#include "cel/syntax/tree.h"

namespace bindery::report {
namespace {

/// The texts of a form.
class FormTexts {
 public:
  explicit FormTexts(std::string_view form) {
    while (!form.empty()) {
      const bool is_wild = form.front() == '*';
      const bool is_any = form.starts_with("**");
      // At least a character, then more.
      if (is_wild) parts_.push_back({'\0', Part::Sort::kOne, is_any});
      parts_.push_back({form.front(), is_wild ? Part::Sort::kMore : Part::Sort::kLetter, is_any});
      form.remove_prefix(is_any ? 2 : 1);
      if (!is_wild && !has_wildcards_) begin_ += parts_.back().letter;
      has_wildcards_ = has_wildcards_ || is_wild;
      end_ = is_wild ? "" : end_ + parts_.back().letter;
    }
  }

  /// A text may have `part` that begins at the place.
  [[nodiscard]] bool MayHaveAt(std::size_t at, std::string_view part, bool at_end = false) const {
    std::vector<bool> places(parts_.size() + 1);
    places[at] = true;
    return MayFollow(std::move(places), part, at_end);
  }
  /// A text may have `part` anywhere, or at the end.
  [[nodiscard]] bool MayHave(std::string_view part, bool at_end) const {
    return MayFollow(std::vector<bool>(parts_.size() + 1, true), part, at_end);
  }
  /// How all texts begin and end.
  [[nodiscard]] const std::string& begin() const { return begin_; }
  [[nodiscard]] const std::string& end() const { return end_; }

 private:
  struct Part {
    enum class Sort { kLetter, kOne, kMore };
    char letter = 0;
    Sort sort = Sort::kLetter;
    bool has_slashes = false;

    [[nodiscard]] bool Takes(char other) const {
      return sort == Sort::kLetter ? letter == other : has_slashes || other != '/';
    }
  };

  /// Wildcards at the places may end there.
  void PassWildcards(std::vector<bool>& places) const {
    for (std::size_t at = 0; at < parts_.size(); ++at) {
      if (places[at] && parts_[at].sort == Part::Sort::kMore) places[at + 1] = true;
    }
  }

  [[nodiscard]] bool MayFollow(std::vector<bool> places, std::string_view part, bool at_end) const {
    PassWildcards(places);
    for (const char letter : part) {
      std::vector<bool> next(places.size());
      for (std::size_t at = 0; at < parts_.size(); ++at) {
        if (!places[at] || !parts_[at].Takes(letter)) continue;
        next[parts_[at].sort == Part::Sort::kMore ? at : at + 1] = true;
      }
      PassWildcards(next);
      places = std::move(next);
    }
    return at_end ? places.back() : std::ranges::find(places, true) != places.end();
  }

  std::vector<Part> parts_;
  std::string begin_;
  std::string end_;
  bool has_wildcards_ = false;
};

/// A test of resource.name, or of a part that extract() takes out.
struct NameTest {
  std::string before;  ///< What stands in front of the part.
  std::string after;   ///< What stands behind.
  bool is_part = false;
};

std::optional<NameTest> NameIn(const cel::Expr& expr) {
  constexpr std::string_view kResourceName = "resource.name";
  if (cel::IsPath(expr, kResourceName)) return NameTest{};
  const bool extracts = expr.kind == cel::ExprKind::kMember && expr.name == "extract" &&
                        expr.args.size() == 2 && cel::IsPath(*expr.args[0], kResourceName);
  const std::string* pattern = extracts ? cel::StringLiteral(*expr.args[1]) : nullptr;
  if (pattern == nullptr) return std::nullopt;
  const auto open = pattern->find('{');
  const auto close = pattern->find('}');
  if (open == std::string::npos || close == std::string::npos || close < open) return std::nullopt;
  return NameTest{pattern->substr(0, open), pattern->substr(close + 1), true};
}

enum class Position { kWhole, kBegin, kEnd };

/// Whether the tested text may have the text at the position.
bool MayMatch(const FormTexts& texts, const NameTest& test, const std::string& text,
              Position position) {
  if (!test.is_part) {
    if (position == Position::kEnd) return texts.MayHave(text, true);
    return texts.MayHaveAt(0, text, position == Position::kWhole);
  }
  // Nothing is taken out where the part is not found.
  if (text.empty()) return true;
  const bool reaches_end = test.after.empty() && position != Position::kBegin;
  const std::string rest = position == Position::kBegin ? text : text + test.after;
  // The first place counts.
  const auto first = texts.begin().find(test.before);
  if (position == Position::kEnd) return texts.MayHave(rest, reaches_end);
  if (first == std::string::npos) return texts.MayHave(test.before + rest, reaches_end);
  return texts.MayHaveAt(first + test.before.size(), rest, reaches_end);
}

/// The facts of one condition.
class NameFacts {
 public:
  explicit NameFacts(const std::string& form) : texts_(form) {}

  // NOLINTNEXTLINE(misc-no-recursion): the parser bounds the depth of a tree
  void Visit(const cel::Expr& expr) {
    for (const cel::ExprPtr& part : expr.args) Visit(*part);
    if (expr.args.size() != 2) return;
    const bool is_begin = expr.name == "startsWith";
    if (expr.kind == cel::ExprKind::kMember && (is_begin || expr.name == "endsWith")) {
      Test(expr, is_begin ? Position::kBegin : Position::kEnd);
    } else if (cel::IsCall(expr, "_==_", 2) || cel::IsCall(expr, "_!=_", 2)) {
      for (const std::size_t side : {0U, 1U}) Compare(*expr.args[side], *expr.args[1 - side]);
    } else if (cel::IsCall(expr, "_in_", 2) && expr.args[1]->kind == cel::ExprKind::kList) {
      for (const cel::ExprPtr& item : expr.args[1]->args) Compare(*expr.args[0], *item);
    }
  }
  [[nodiscard]] const std::string& Text() const { return text_; }

 private:
  void Add(const std::string& fact) { text_ += (text_.empty() ? "" : " && ") + fact; }

  void Test(const cel::Expr& expr, Position position) {
    const auto test = NameIn(*expr.args[0]);
    const std::string* text = cel::StringLiteral(*expr.args[1]);
    if (!test || text == nullptr) return;
    if (!MayMatch(texts_, *test, *text, position)) {
      Add("!(" + cel::Print(expr) + ")");
    } else if (!test->is_part && position == Position::kEnd && texts_.end().ends_with(*text)) {
      Add(cel::Print(expr));
    }
  }

  void Compare(const cel::Expr& tested, const cel::Expr& value) {
    const auto test = NameIn(tested);
    const std::string* text = cel::StringLiteral(value);
    if (!test || text == nullptr || MayMatch(texts_, *test, *text, Position::kWhole)) return;
    Add(cel::Print(tested) + " != " + cel::QuotedLiteral(*text));
  }

  FormTexts texts_;
  std::string text_;
};

}  // namespace

std::string ListNameFacts(const cel::Expr& condition, const std::string& form) {
  if (form.empty()) return {};
  NameFacts facts(form);
  facts.Visit(condition);
  return facts.Text();
}

}  // namespace bindery::report
