#include "cel/implication/text_cases.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "cel/evaluation/activation.h"
#include "cel/evaluation/evaluator.h"
#include "cel/implication/calendar_parts.h"
#include "cel/syntax/tree.h"

namespace bindery::cel {
namespace {

constexpr std::size_t kMostValues = 1'000;

/// The values are whole numbers and of no other type.
// NOLINTNEXTLINE(misc-no-recursion): the parser bounds the depth of a tree
bool IsNumber(const Expr& term) {
  // The getters of a time.
  const bool getter =
      term.kind == ExprKind::kMember && term.name.starts_with("get") && term.name != "getAttribute";
  if (getter || IsPath(term, "destination.port") || IsCall(term, "int", 1)) return true;
  constexpr std::string_view kOperators[] = {"_+_", "_-_", "_*_", "_/_", "_%_", "-_"};
  const auto* const found = std::ranges::find(kOperators, term.name);
  return term.kind == ExprKind::kCall && found != std::end(kOperators) &&
         std::ranges::any_of(term.args, [](const ExprPtr& operand) { return IsNumber(*operand); });
}

/// The constants of tests, by their use.
struct Constants {
  std::set<std::int64_t> numbers;
  std::set<std::string> texts;
  std::set<std::string> begins = {""};
  std::set<std::string> ends = {""};
};

Constants ListConstants(const std::vector<TermTest>& tests) {
  Constants all;
  for (const TermTest& test : tests) {
    for (const TestConstant& constant : test.constants) {
      if (const auto* number = std::get_if<std::int64_t>(&constant)) {
        all.numbers.insert(*number);
        continue;
      }
      const std::string& text = std::get<std::string>(constant);
      if (!IsPartTest(test)) {
        all.texts.insert(text);
      } else {
        (test.name == "startsWith" ? all.begins : all.ends).insert(text);
      }
    }
  }
  return all;
}

void AddNumbers(const Expr& term, const Constants& constants, std::vector<TermValue>& values) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  std::set<std::int64_t> numbers = constants.numbers;
  for (const std::int64_t number : constants.numbers) {
    if (number != kLeast) numbers.insert(number - 1);
    if (number != kMost) numbers.insert(number + 1);
  }
  values.insert(values.end(), numbers.begin(), numbers.end());
  // A number with a fraction lies between two others.
  if (!IsNumber(term)) values.emplace_back(OtherText{});
}

/// Nothing is added if these would be too many.
void AddTexts(const Constants& constants, std::vector<TermValue>& values) {
  if (constants.begins.size() * constants.ends.size() > kMostValues) return values.clear();
  values.insert(values.end(), constants.texts.begin(), constants.texts.end());
  for (const std::string& begin : constants.begins) {
    for (const std::string& end : constants.ends) values.emplace_back(OtherText{begin, end});
  }
}

/// What `part` makes of the text; nothing if other facts decide.
std::optional<TermValue> Made(const Expr& part, const std::string& text) {
  const auto path = MakePath(*part.args[0]);
  if (!path) return std::nullopt;
  Activation activation = IamActivation();
  activation.Set(*path, Value(text));
  const Outcome outcome = Evaluate(part, activation);
  if (std::holds_alternative<Failure>(outcome)) return NoValue{};
  const auto* value = std::get_if<Value>(&outcome);
  const auto* made = value == nullptr ? nullptr : value->As<std::string>();
  return made == nullptr ? std::nullopt : std::optional<TermValue>(*made);
}

bool MayBeginWith(const TermValue& value, const std::string& begin,
                  const std::set<std::string>& begins) {
  if (const auto* text = std::get_if<std::string>(&value)) return text->starts_with(begin);
  const auto* other = std::get_if<OtherText>(&value);
  if (other == nullptr) return false;
  // The longest test that holds is at least as long as each that `begin` already meets.
  const bool long_enough = std::ranges::all_of(begins, [&](const std::string& test) {
    return !begin.starts_with(test) || other->begin.starts_with(test);
  });
  return long_enough && (other->begin.starts_with(begin) || begin.starts_with(other->begin));
}

}  // namespace

std::vector<TermValue> ValuesFor(const std::vector<TermTest>& tests) {
  const Expr& term = *tests.front().term;
  std::vector<TermValue> values;
  if (const auto calendar = CalendarPartIn(term)) {
    for (std::int64_t value = calendar->least; value <= calendar->most; ++value) {
      values.emplace_back(value);
    }
    return values;
  }
  values.emplace_back(NoValue{});
  const Constants constants = ListConstants(tests);
  const bool parts = constants.begins.size() + constants.ends.size() > 2;
  if (!constants.numbers.empty()) AddNumbers(term, constants, values);
  if (constants.numbers.empty() || !constants.texts.empty() || parts) AddTexts(constants, values);
  if (values.size() > kMostValues) values.clear();
  return values;
}

std::optional<std::vector<TermValue>> ValuesOfPart(const Expr& part, const TermValue& value,
                                                   const std::vector<TermValue>& values,
                                                   const std::vector<TermTest>& tests) {
  if (std::holds_alternative<NoValue>(value)) return std::vector<TermValue>{NoValue{}};
  if (const auto* text = std::get_if<std::string>(&value)) {
    auto made = Made(part, *text);
    return made ? std::optional(std::vector{*std::move(made)}) : std::nullopt;
  }
  const auto* other = std::get_if<OtherText>(&value);
  if (other == nullptr || other->begin.empty()) return std::nullopt;
  // More of the text may follow.
  constexpr char kMore = '\x01';
  const auto here = Made(part, other->begin);
  const auto further = Made(part, other->begin + kMore);
  const auto* first = here ? std::get_if<std::string>(&*here) : nullptr;
  const auto* second = further ? std::get_if<std::string>(&*further) : nullptr;
  if (first == nullptr || second == nullptr || first->empty()) return std::nullopt;
  if (*first == *second) return std::vector<TermValue>{*first};
  if (*second != *first + kMore) return std::nullopt;
  if (values.empty()) return std::nullopt;
  const std::set<std::string> begins = ListConstants(tests).begins;
  std::vector<TermValue> left;
  std::ranges::copy_if(values, std::back_inserter(left),
                       [&](const TermValue& each) { return MayBeginWith(each, *first, begins); });
  return left.empty() ? std::nullopt : std::optional(std::move(left));
}

}  // namespace bindery::cel
