#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

#include "cel/syntax/parser.h"
#include "cel/syntax/printer.h"
#include "providers/google/conditions/checker.h"

namespace {

using bindery::cel::Expr;
using bindery::cel::ExprPtr;
using bindery::cel::ParseResult;

void Require(bool holds) {
  if (!holds) std::abort();
}

bool SameValue(const Expr& one, const Expr& two) {
  const auto* number = std::get_if<double>(&one.value);
  const auto* other = std::get_if<double>(&two.value);
  if (number == nullptr || other == nullptr) return one.value == two.value;
  return std::memcmp(number, other, sizeof(double)) == 0;
}

bool SameTree(const Expr& one, const Expr& two) {
  if (one.kind != two.kind || one.name != two.name || one.fields != two.fields ||
      one.optional != two.optional || one.args.size() != two.args.size() || !SameValue(one, two)) {
    return false;
  }
  for (std::size_t i = 0; i < one.args.size(); ++i) {
    if (!SameTree(*one.args[i], *two.args[i])) return false;
  }
  return true;
}

/// What a node says of its place lies within the source and within what surrounds it.
void CheckPlaces(const Expr& expr, std::size_t begin, std::size_t end) {
  Require(begin <= expr.begin.offset && expr.begin.offset <= expr.at.offset);
  Require(expr.at.offset < expr.end && expr.end <= end);
  for (const ExprPtr& operand : expr.args) CheckPlaces(*operand, expr.begin.offset, expr.end);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string source(data, data + size);
  const ParseResult parsed = bindery::cel::ParseAll(source);
  Require((parsed.tree == nullptr) == !parsed.errors.empty());
  Require(parsed.errors.size() <= 20);
  Require(parsed.tree != nullptr || parsed.ErrorTexts(source).rfind("ERROR: <input>:", 0) == 0);
  if (parsed.tree != nullptr) {
    CheckPlaces(*parsed.tree, 0, size);
    const std::string text = bindery::cel::Print(*parsed.tree);
    // Blanks and escapes can make it larger than an expression may be.
    bindery::cel::Limits limits;
    limits.max_code_points = std::numeric_limits<std::size_t>::max();
    const ParseResult again = bindery::cel::ParseAll(text, limits);
    Require(again.tree != nullptr && SameTree(*parsed.tree, *again.tree));
    Require(bindery::cel::Print(*again.tree) == text);
  }
  bindery::google::conditions::CheckContext context;
  context.role = "roles/viewer";
  context.service = "backupdr.googleapis.com";
  context.now = bindery::cel::Timestamp{1'800'000'000, 0};
  for (const bindery::cel::Finding& finding :
       bindery::google::conditions::CheckCondition(source, context)) {
    Require(!finding.message.empty() && finding.message.find('\n') == std::string::npos);
    Require(!finding.unit.empty() && finding.at.offset <= size && !finding.excerpt.empty());
  }
  return 0;
}
