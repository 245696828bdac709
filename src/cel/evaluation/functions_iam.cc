// IAM's additions to the language that need only their arguments: date, extract and hasOnly.

#include <algorithm>

#include "cel/evaluation/functions.h"
#include "cel/evaluation/text_search.h"

namespace bindery::cel {
namespace {

Outcome Date(const Call& call) {
  return Dispatch(call, [](const std::string& text) { return MakeOutcome(ParseDate(text)); });
}

/// A template of extract: "prefix{identifier}suffix".
struct Template {
  std::string_view prefix;
  std::string_view suffix;
};

std::optional<Template> ParseTemplate(std::string_view text) {
  const std::size_t open = text.find('{');
  const std::size_t close = text.find('}');
  if (open == std::string_view::npos || close == std::string_view::npos || close <= open + 1) {
    return std::nullopt;
  }
  const std::string_view name = text.substr(open + 1, close - open - 1);
  const bool identifier = std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
  if (!identifier) return std::nullopt;
  return Template{text.substr(0, open), text.substr(close + 1)};
}

/// The text between the first prefix and the first suffix behind it; empty when one is missing.
Outcome Extract(const Call& call) {
  return Dispatch(call, [](const std::string& text, const std::string& pattern) -> Outcome {
    const std::optional<Template> parts = ParseTemplate(pattern);
    if (!parts) return Failure{"invalid argument: extract needs a template like \"a/{name}/b\""};
    const std::size_t prefix = FindText(text, parts->prefix, 0);
    if (prefix == std::string::npos) return Value(std::string());
    const std::size_t begin = prefix + parts->prefix.size();
    const std::size_t end =
        parts->suffix.empty() ? text.size() : FindText(text, parts->suffix, begin);
    if (end == std::string::npos) return Value(std::string());
    return Value(text.substr(begin, end - begin));
  });
}

/// Whether the first list has no element that is not in the second.
Outcome HasOnly(const Call& call) {
  return Dispatch(call, [&call](const List& list, const List& allowed) -> Outcome {
    if (!call.meter.Charge(call.args[0].Weight() + list.size() * call.args[1].Weight())) {
      return TooExpensive();
    }
    return Value(std::all_of(list.items().begin(), list.items().end(), [&](const Value& item) {
      return std::any_of(allowed.items().begin(), allowed.items().end(),
                         [&item](const Value& other) { return Equal(item, other); });
    }));
  });
}

}  // namespace

std::span<const FunctionEntry> IamFunctions() {
  static constexpr auto kTable = std::to_array<FunctionEntry>({
      {"date", Style::kGlobal, Date},
      {"extract", Style::kMember, Extract},
      {"hasOnly", Style::kMember, HasOnly},
  });
  return kTable;
}

}  // namespace bindery::cel
