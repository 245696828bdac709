#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "cel/evaluation/evaluator.h"
#include "cel/syntax/parser.h"

namespace bindery::cel::testing {

/// The value as an expression would write it, "error: …" or "unknown: a, b".
inline std::string GetText(const Outcome& outcome) {
  if (const auto* value = std::get_if<Value>(&outcome)) return ToText(*value);
  if (const auto* failure = std::get_if<Failure>(&outcome)) return "error: " + failure->message;
  std::string text = "unknown:";
  const char* separator = " ";
  for (const std::string& attribute : std::get<Unknown>(outcome).attributes) {
    text += separator + attribute;
    separator = ", ";
  }
  return text;
}

inline Outcome EvaluateText(const std::string& source, const Activation& activation = {},
                            const EvaluationLimits& limits = {}) {
  const Expected<ExprPtr> tree = Parse(source);
  if (!tree) return Failure{"not parsed: " + tree.error().message};
  return Evaluate(**tree, activation, limits);
}

struct Case {
  const char* source;
  const char* result;  ///< As GetText; of an error as much of the beginning as is given.
};

inline void Check(std::initializer_list<Case> cases, const Activation& activation = {}) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.source);
    const std::string text = GetText(EvaluateText(c.source, activation));
    const std::string expected = c.result;
    if (expected.starts_with("error: ")) {
      EXPECT_EQ(text.substr(0, expected.size()), expected) << text;
    } else {
      EXPECT_EQ(text, expected);
    }
  }
}

}  // namespace bindery::cel::testing
