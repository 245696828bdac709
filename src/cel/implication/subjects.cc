#include "cel/implication/subjects.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "cel/implication/calendar_parts.h"
#include "cel/implication/term_test.h"
#include "cel/implication/text_cases.h"
#include "cel/implication/time_cases.h"
#include "cel/syntax/printer.h"
#include "cel/syntax/tree.h"

namespace bindery::cel {
namespace {

/// A subject with more cases has a single case, in which all is open.
constexpr std::size_t kMostCases = 400;
/// The same for more tests of a list.
constexpr std::size_t kMostLists = 8;

bool IsMethod(const Expr& expr, std::string_view name, std::size_t arguments) {
  return expr.kind == ExprKind::kMember && expr.name == name && expr.args.size() == arguments + 1;
}

/// Adds a case unless it is there.
void AddCase(Case made, std::vector<Case>& cases) {
  const bool there = std::ranges::any_of(cases, [&](const Case& each) {
    return each.truths == made.truths && each.parts.empty() && made.parts.empty();
  });
  if (!there) cases.push_back(std::move(made));
}

/// A term with its tests, by number of their leaves.
struct TermTests {
  std::vector<std::size_t> leaves;
  std::vector<TermTest> tests;
  std::vector<TermValue> values = {};

  [[nodiscard]] Case At(const TermValue& value) const {
    Case made;
    for (const TermTest& test : tests) made.truths.push_back(Judge(test, value));
    return made;
  }
  [[nodiscard]] std::vector<Case> ListCases(const std::vector<TermValue>& those) const {
    std::vector<Case> cases;
    for (const TermValue& value : those) AddCase(At(value), cases);
    return cases;
  }
};

/// The items of hasOnly(["a", "b"]); nothing if one is no text.
std::optional<std::set<std::string>> ListItems(const Expr& list) {
  std::set<std::string> items;
  if (list.kind != ExprKind::kList) return std::nullopt;
  for (const ExprPtr& item : list.args) {
    const std::string* text = StringLiteral(*item);
    if (text == nullptr) return std::nullopt;
    items.insert(*text);
  }
  return items;
}

/// The tag that a part asks for, by name or by ID: "resource tag \"1/env\"".
std::optional<std::string> TagIn(const Expr& expr) {
  for (const bool by_id : {false, true}) {
    const bool value = IsMethod(expr, by_id ? "matchTagId" : "matchTag", 2);
    const bool key = IsMethod(expr, by_id ? "hasTagKeyId" : "hasTagKey", 1);
    if (!value && !key) continue;
    if (StringLiteral(*expr.args[1]) == nullptr) return std::nullopt;
    if (value && StringLiteral(*expr.args[2]) == nullptr) return std::nullopt;
    return Print(*expr.args[0]) + (by_id ? " tag ID " : " tag ") + Print(*expr.args[1]);
  }
  return std::nullopt;
}

/// Attributes that services give together: a level comes with all levels before.
using AttributeLevels = std::vector<std::vector<std::string_view>>;

const std::vector<AttributeLevels>& AttributesTogether() {
  static const std::vector<AttributeLevels> kAll = {
      {{"resource.service"}, {"resource.type"}, {"resource.name"}},
      {{"destination.ip", "destination.port"}},
      {{"request.path", "request.host"}}};
  return kAll;
}

/// Sorts leaves by what they ask for, and makes the subjects.
class SubjectMaker {
 public:
  explicit SubjectMaker(const Leaves& leaves) : leaves_(leaves.all()) {
    for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf) Sort(leaf);
  }

  std::vector<Subject> Make() {
    PlaceTerms();
    if (!times_.empty()) MakeTime(made_.front());
    for (const AttributeLevels& levels : AttributesTogether()) MakePresence(levels);
    for (const auto& [name, term] : terms_) {
      Subject& subject = made_[place_[name]];
      subject = {term.leaves, CasesOfTerm(name, term, term.values)};
      Bound(subject);
    }
    for (const auto& [list, tests] : lists_) MakeLists(tests);
    for (const auto& [tag, tests] : tags_) MakeTag(tests);
    for (const std::size_t leaf : others_) {
      made_.push_back({{leaf}, {{{kTrue}, {}}, {{kFalse}, {}}, {{kError}, {}}}});
    }
    return std::move(made_);
  }

 private:
  /// Names stand before their parts, the time before its getters, and what says which attributes a
  /// request has before both.
  void PlaceTerms() {
    std::size_t next = times_.empty() ? 0 : 1;
    first_presence_ = next;
    next += AttributesTogether().size();
    for (auto& [name, term] : terms_) term.values = ValuesFor(term.tests);
    for (const bool part : {false, true}) {
      for (const auto& [name, term] : terms_) {
        if (IsPart(term) == part) place_[name] = next++;
      }
    }
    made_.resize(next);
  }

  void Sort(std::size_t leaf) {
    const Expr& expr = *leaves_[leaf];
    TimeMoments time = ListMoments(expr);
    if (IsOfTime(time)) {
      times_.push_back(std::move(time));
      time_leaves_.push_back(leaf);
    } else if (auto test = TestIn(expr)) {
      TermTests& term = terms_[Print(*test->term)];
      term.leaves.push_back(leaf);
      term.tests.push_back(*std::move(test));
    } else if (IsMethod(expr, "hasOnly", 1) && ListItems(*expr.args[1])) {
      lists_[Print(*expr.args[0])].push_back(leaf);
    } else if (const auto tag = TagIn(expr)) {
      tags_[*tag].push_back(leaf);
    } else {
      others_.push_back(leaf);
    }
  }

  /// Another subject may decide the term.
  static bool IsPart(const TermTests& term) {
    const Expr& expr = *term.tests.front().term;
    return IsMethod(expr, "extract", 1) || CalendarPartIn(expr).has_value();
  }

  void MakeTime(Subject& subject) {
    subject.leaves = time_leaves_;
    for (TimeCase& time : ListTimeCases(times_)) {
      Case made = {std::move(time.truths), {}};
      for (const auto& [name, term] : terms_) {
        const auto calendar = CalendarPartIn(*term.tests.front().term);
        const auto values = calendar ? ValuesWithin(*calendar, time.range) : std::nullopt;
        if (!values) continue;
        made.parts.push_back({place_[name], term.ListCases({values->begin(), values->end()})});
      }
      AddCase(std::move(made), subject.cases);
    }
    Bound(subject);
  }

  std::vector<Case> CasesOfTerm(const std::string& name, const TermTests& term,
                                const std::vector<TermValue>& values) {
    std::vector<Case> cases;
    for (const TermValue& value : values) {
      Case made = term.At(value);
      for (const auto& [other, part] : terms_) {
        const Expr& expr = *part.tests.front().term;
        if (IsPart(term) || !IsMethod(expr, "extract", 1) || Print(*expr.args[0]) != name) continue;
        const auto left = ValuesOfPart(expr, value, part.values, part.tests);
        if (left) made.parts.push_back({place_[other], part.ListCases(*left)});
      }
      AddCase(std::move(made), cases);
    }
    return cases;
  }

  /// A subject without leaves: how many of the levels a request has.
  void MakePresence(const AttributeLevels& levels) {
    Subject& subject = made_[first_presence_++];
    for (std::size_t count = 0; count <= levels.size(); ++count) {
      Case made;
      for (std::size_t level = 0; level < levels.size(); ++level) {
        for (const std::string_view attribute : levels[level]) {
          const auto term = terms_.find(std::string(attribute));
          if (term == terms_.end() || term->second.values.empty()) continue;
          std::vector<TermValue> values;
          std::ranges::copy_if(term->second.values, std::back_inserter(values),
                               [there = level < count](const TermValue& value) {
                                 return std::holds_alternative<NoValue>(value) != there;
                               });
          made.parts.push_back(
              {place_[term->first], CasesOfTerm(term->first, term->second, values)});
        }
      }
      AddCase(std::move(made), subject.cases);
    }
  }

  /// What a list may hold: for a set of tests that are true, all that these allow together.
  void MakeLists(const std::vector<std::size_t>& tests) {
    if (tests.size() > kMostLists) {
      others_.insert(others_.end(), tests.begin(), tests.end());
      return;
    }
    std::vector<std::set<std::string>> allowed;
    for (const std::size_t leaf : tests) allowed.push_back(*ListItems(*leaves_[leaf]->args[1]));
    Subject subject = {tests, {{std::vector<Truth>(tests.size(), kError), {}}}};
    // An item that no list allows.
    AddCase({std::vector<Truth>(tests.size(), kFalse), {}}, subject.cases);
    for (std::size_t chosen = 1; chosen < std::size_t{1} << tests.size(); ++chosen) {
      std::optional<std::set<std::string>> common;
      for (std::size_t i = 0; i < tests.size(); ++i) {
        if ((chosen >> i & 1U) == 0) continue;
        if (!common) common = allowed[i];
        std::erase_if(*common, [&](const std::string& item) { return !allowed[i].contains(item); });
      }
      Case made;
      for (const std::set<std::string>& each : allowed) {
        made.truths.push_back(MakeTruth(std::ranges::includes(each, *common)));
      }
      AddCase(std::move(made), subject.cases);
    }
    made_.push_back(std::move(subject));
  }

  /// A resource has a tag at most once.
  void MakeTag(const std::vector<std::size_t>& tests) {
    Subject subject = {tests, {{std::vector<Truth>(tests.size(), kError), {}}}};
    AddCase({std::vector<Truth>(tests.size(), kFalse), {}}, subject.cases);
    std::set<std::string> values = {""};
    const auto value_of = [&](std::size_t leaf) {
      const Expr& expr = *leaves_[leaf];
      return expr.args.size() > 2 ? *StringLiteral(*expr.args[2]) : std::string();
    };
    for (const std::size_t leaf : tests) values.insert(value_of(leaf));
    for (const std::string& value : values) {
      Case made;
      for (const std::size_t leaf : tests) {
        const bool any = leaves_[leaf]->args.size() == 2;
        made.truths.push_back(MakeTruth(any || (!value.empty() && value_of(leaf) == value)));
      }
      AddCase(std::move(made), subject.cases);
    }
    Bound(subject);
    made_.push_back(std::move(subject));
  }

  /// Too many cases, or none, as there were too many values: each leaf is open.
  static void Bound(Subject& subject) {
    if (!subject.cases.empty() && subject.cases.size() <= kMostCases) return;
    subject.cases = {{std::vector<Truth>(subject.leaves.size(), kAnyTruth), {}}};
  }

  const std::vector<const Expr*>& leaves_;
  std::vector<TimeMoments> times_;
  std::vector<std::size_t> time_leaves_;
  std::map<std::string, TermTests> terms_;  ///< By their texts.
  std::map<std::string, std::vector<std::size_t>> lists_;
  std::map<std::string, std::vector<std::size_t>> tags_;
  std::vector<std::size_t> others_;
  std::map<std::string, std::size_t> place_;  ///< Of terms in `made_`.
  std::size_t first_presence_ = 0;            ///< Likewise.
  std::vector<Subject> made_;
};

}  // namespace

std::vector<Subject> ListSubjects(const Leaves& leaves) { return SubjectMaker(leaves).Make(); }

}  // namespace bindery::cel
