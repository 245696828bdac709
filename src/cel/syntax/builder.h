#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cel/syntax/ast.h"
#include "cel/syntax/parser.h"
#include "cel/syntax/token.h"

namespace bindery::cel {

/// A part of the tree that is being built.
struct Part {
  ExprPtr expr;
  int depth = 1;
  Position begin;       ///< With brackets, which are no nodes …
  std::size_t end = 0;  ///< … and so is the end.

  explicit operator bool() const { return expr != nullptr; }
};

/// What the rules of the grammar share: the tokens in sequence, nodes within the limits, and the
/// errors. Knows no rule. For one text and one thread.
class Builder {
 public:
  Builder(std::vector<Token> tokens, const Limits& limits);

  /// All errors, in the order of their places.
  [[nodiscard]] std::vector<SyntaxError> TakeErrors();

  [[nodiscard]] const Token& Current() const { return tokens_[index_]; }
  /// A later token by its distance; the end, when no token is left.
  [[nodiscard]] const Token& Ahead(std::size_t tokens) const;
  /// The current one, and goes on. The end is not passed.
  const Token& Take();
  bool TakeIf(std::string_view symbol);
  /// Reports when the symbol is missing.
  bool Expect(std::string_view symbol);
  /// The current token for messages.
  [[nodiscard]] std::string Shown() const;

  /// Around every recursion: false, and reported, when too deep.
  bool Enter();
  void Leave() { --nesting_; }

  static Part Start(ExprKind kind, const Position& at, const Position& begin);
  /// Appends an operand.
  static void Adopt(Part& node, Part child);
  /// Notes whether the entry has a '?'.
  static void MarkOptional(Expr& node, std::size_t entry, bool optional);
  /// The node with its place in the source, up to the token taken last; nothing when it makes the
  /// tree too deep.
  Part Finish(Part node);
  Part Finish(Part node, std::size_t end);
  /// The end of the last taken token.
  [[nodiscard]] std::size_t EndOfLast() const;

  /// Reports what ends the reading; only the first counts.
  Part FailHere(const std::string& what);
  /// Reports an error after which reading continues.
  void Report(const Position& at, std::string message);

 private:
  Part TooDeep();

  std::vector<Token> tokens_;
  Limits limits_;
  std::size_t index_ = 0;
  int nesting_ = 0;
  bool gave_up_ = false;
  std::vector<SyntaxError> errors_;
};

}  // namespace bindery::cel
