#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cel/syntax/ast.h"

namespace bindery::cel {

enum class TokenKind {
  kEnd,
  kInt,   ///< `text` as written, without a sign.
  kUint,  ///< With its suffix.
  kDouble,
  kString,  ///< `value` is what it means.
  kBytes,
  kIdent,
  kEscapedIdent,  ///< In back quotes; `value` is the name.
  kSymbol,        ///< An operator or bracket, or one of the words true, false, null, in.
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  Position at;
  std::string_view text;  ///< As it is in the source.
  std::string value;

  [[nodiscard]] bool Is(std::string_view symbol) const {
    return kind == TokenKind::kSymbol && text == symbol;
  }
};

/// The error of a text, and where.
struct SyntaxError {
  Position at;
  std::string message;
};

/// The tokens of a text, the last one kEnd.
struct Tokens {
  std::vector<Token> tokens;
  std::vector<SyntaxError> errors;
};

}  // namespace bindery::cel
