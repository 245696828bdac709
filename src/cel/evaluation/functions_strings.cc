// The string functions of the standard: contains, startsWith, endsWith, matches.

#include <re2/re2.h>

#include "cel/evaluation/functions.h"
#include "cel/evaluation/text_search.h"

namespace bindery::cel {
namespace {

/// Enough for any condition; RE2 refuses a pattern whose program needs more.
constexpr std::int64_t kRegexBytes = 1 << 20;

Outcome Contains(const Call& call) {
  return Dispatch(call, [](const std::string& text, const std::string& part) {
    return Value(FindText(text, part, 0) != std::string::npos);
  });
}

Outcome StartsWith(const Call& call) {
  return Dispatch(call, [](const std::string& text, const std::string& part) {
    return Value(text.starts_with(part));
  });
}

Outcome EndsWith(const Call& call) {
  return Dispatch(call, [](const std::string& text, const std::string& part) {
    return Value(text.ends_with(part));
  });
}

Outcome Matches(const Call& call) {
  return Dispatch(call, [&call](const std::string& text, const std::string& pattern) -> Outcome {
    // To compile a pattern takes far longer than to run over as much text.
    if (!call.meter.Charge(100 + 32 * pattern.size() + text.size() / 4)) return TooExpensive();
    RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(kRegexBytes);
    const RE2 regex(pattern, options);
    if (!regex.ok()) return Failure{"invalid regular expression: " + regex.error()};
    return Value(RE2::PartialMatch(text, regex));
  });
}

}  // namespace

std::span<const FunctionEntry> StringFunctions() {
  static constexpr auto kTable = std::to_array<FunctionEntry>({
      {"contains", Style::kMember, Contains},
      {"startsWith", Style::kMember, StartsWith},
      {"endsWith", Style::kMember, EndsWith},
      {"matches", Style::kEither, Matches},
  });
  return kTable;
}

}  // namespace bindery::cel
