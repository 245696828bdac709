#pragma once

// Private to src/cel/implication.

#include <optional>
#include <vector>

#include "cel/implication/term_test.h"

namespace bindery::cel {

/// Values of a term such that all other values fare like one of these in the tests. Empty: these
/// would be too many. Requires: all tests are of that term.
[[nodiscard]] std::vector<TermValue> ValuesFor(const std::vector<TermTest>& tests);

/// The values of `part`, `name.extract("a/{b}/c")`, if `name` has the value. `values`: all values
/// of the part. Nothing: the value leaves all of them open.
[[nodiscard]] std::optional<std::vector<TermValue>> ValuesOfPart(
    const Expr& part, const TermValue& value, const std::vector<TermValue>& values,
    const std::vector<TermTest>& tests);

}  // namespace bindery::cel
