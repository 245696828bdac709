#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <string_view>

#include "cel/syntax/ast.h"
#include "cel/syntax/parser.h"

namespace bindery::cel {

/// Equal but for places. Doubles bit by bit, so that 0.0 is not -0.0.
inline bool SameTree(const Expr& one, const Expr& two) {
  if (one.kind != two.kind || one.name != two.name || one.fields != two.fields ||
      one.optional != two.optional || one.args.size() != two.args.size() ||
      one.value.index() != two.value.index()) {
    return false;
  }
  if (const auto* number = std::get_if<double>(&one.value)) {
    if (std::memcmp(number, &std::get<double>(two.value), sizeof(double)) != 0) return false;
  } else if (one.value != two.value) {
    return false;
  }
  for (std::size_t i = 0; i < one.args.size(); ++i) {
    if (!SameTree(*one.args[i], *two.args[i])) return false;
  }
  return true;
}

/// The tree in brackets: "(_+_ 1 (f x))", names and constants as C++ shows them.
inline std::string Shape(const Expr& expr) {
  std::string text;
  switch (expr.kind) {
    case ExprKind::kConstant:
      if (const auto* number = std::get_if<std::int64_t>(&expr.value))
        return std::to_string(*number);
      if (const auto* word = std::get_if<std::string>(&expr.value)) return "'" + *word + "'";
      if (const auto* flag = std::get_if<bool>(&expr.value)) return *flag ? "true" : "false";
      return "constant";
    case ExprKind::kIdent:
      return expr.name;
    case ExprKind::kSelect:
      text = "select " + expr.name;
      break;
    case ExprKind::kIndex:
      text = "index";
      break;
    case ExprKind::kCall:
      text = expr.name;
      break;
    case ExprKind::kMember:
      text = "." + expr.name;
      break;
    case ExprKind::kMacro:
      text = "macro " + expr.name;
      break;
    case ExprKind::kList:
      text = "list";
      break;
    case ExprKind::kMap:
      text = "map";
      break;
    case ExprKind::kMessage:
      text = "message " + expr.name;
      break;
  }
  for (const std::string& field : expr.fields) text += " " + field + ":";
  for (const bool optional : expr.optional) text += optional ? " ?" : " -";
  for (const ExprPtr& operand : expr.args) text += " " + Shape(*operand);
  return "(" + text + ")";
}

inline ExprPtr MustParse(std::string_view source) {
  ParseResult result = ParseAll(source);
  EXPECT_TRUE(result.errors.empty()) << result.ErrorTexts(source);
  return std::move(result.tree);
}

/// `count` times `text`, joined.
inline std::string Row(std::string_view text, std::string_view joint, std::size_t count) {
  std::string row;
  for (std::size_t i = 0; i < count; ++i) row.append(i == 0 ? "" : joint).append(text);
  return row;
}

}  // namespace bindery::cel
