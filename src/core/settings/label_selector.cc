#include "core/settings/label_selector.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace bindery {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t'; }

/// Ends a name or a value that is not in quotes.
bool IsSpecial(char c) {
  return IsBlank(c) || std::string_view(",()=!\"").find(c) != std::string_view::npos;
}

}  // namespace

class LabelSelectorParser {
 public:
  explicit LabelSelectorParser(std::string_view text) : text_(text) {}

  Expected<LabelSelector> Parse() {
    LabelSelector selector;
    do {
      auto requirement = ParseRequirement();
      if (!requirement) return Fail(requirement.error());
      selector.requirements_.push_back(std::move(*requirement));
    } while (Take(","));
    if (at_ < text_.size()) return Fail(Wrong("a comma is missing before", Rest()));
    return selector;
  }

 private:
  using Requirement = LabelSelector::Requirement;

  Expected<Requirement> ParseRequirement() {
    Requirement requirement;
    requirement.wanted = !Take("!");
    requirement.key = Word();
    if (requirement.key.empty())
      return Fail(Wrong("the name of a label is missing before", Rest()));
    if (!requirement.wanted) return requirement;
    if (Take("!=")) {
      requirement.wanted = false;
    } else if (!Take("==") && !Take("=")) {
      return ParseSet(std::move(requirement));
    }
    auto value = Value();
    if (!value) return Fail(value.error());
    requirement.values.insert(std::move(*value));
    return requirement;
  }

  /// "in (a, b)", "notin (a, b)", or nothing.
  Expected<Requirement> ParseSet(Requirement requirement) {
    const std::size_t before = at_;
    const std::string word = Word();
    if (word.empty()) return requirement;
    if (word != "in" && word != "notin") {
      at_ = before;
      return Fail(Wrong("=, !=, in or notin is missing before", Rest()));
    }
    requirement.wanted = word == "in";
    if (!Take("(")) return Fail(Wrong("\"(\" is missing after", word));
    do {
      auto value = Value();
      if (!value) return Fail(value.error());
      requirement.values.insert(std::move(*value));
    } while (Take(","));
    if (!Take(")")) return Fail(Wrong("\")\" is missing after the values of", requirement.key));
    return requirement;
  }

  Expected<std::string> Value() {
    SkipBlanks();
    if (at_ >= text_.size() || text_[at_] != '"') return Word();
    const std::size_t end = text_.find('"', at_ + 1);
    if (end == std::string_view::npos) return Fail(Wrong("a quote is missing after", Rest()));
    std::string value(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return value;
  }

  std::string Word() {
    SkipBlanks();
    const std::size_t begin = at_;
    while (at_ < text_.size() && !IsSpecial(text_[at_])) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  bool Take(std::string_view token) {
    SkipBlanks();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    SkipBlanks();
    return true;
  }

  void SkipBlanks() {
    while (at_ < text_.size() && IsBlank(text_[at_])) ++at_;
  }

  [[nodiscard]] std::string Rest() const { return std::string(text_.substr(at_)); }

  [[nodiscard]] Error Wrong(const std::string& what, const std::string& where) const {
    return {Code::kInvalidArgument,
            "\"" + std::string(text_) + "\" is no label selector: " + what + " " +
                (where.empty() ? "its end" : "\"" + where + "\"") +
                "; such as team=a, team!=a, 'team in (a,b)', 'team notin (a,b)', team, '!team'"};
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

Expected<LabelSelector> LabelSelector::Parse(std::string_view text) {
  return LabelSelectorParser(text).Parse();
}

void LabelSelector::Add(LabelSelector other) {
  std::move(other.requirements_.begin(), other.requirements_.end(),
            std::back_inserter(requirements_));
}

bool LabelSelector::Matches(const Json& labels) const {
  return std::all_of(requirements_.begin(), requirements_.end(), [&](const Requirement& one) {
    const Json* value = FindMember(labels, one.key);
    const bool there = value != nullptr && value->is_string();
    const bool fits =
        there && (one.values.empty() || one.values.contains(value->get_ref<const std::string&>()));
    return fits == one.wanted;
  });
}

std::string LabelSelectorText(std::string_view name, std::string_view value) {
  const bool plain = !value.empty() && std::none_of(value.begin(), value.end(), IsSpecial);
  const std::string quote = plain ? "" : "\"";
  return std::string(name) + "=" + quote + std::string(value) + quote;
}

}  // namespace bindery
