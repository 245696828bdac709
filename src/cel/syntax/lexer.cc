#include "cel/syntax/lexer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "cel/syntax/unescape.h"
#include "core/text/ascii.h"

namespace bindery::cel {
namespace {

constexpr std::size_t kMaxErrors = 10;
constexpr std::size_t kMaxShown = 40;

bool IsHexDigit(char c) {
  return IsAsciiDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool IsNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsNamePart(char c) { return IsNameStart(c) || IsAsciiDigit(c); }
bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f'; }

bool IsKeyword(std::string_view word) {
  return word == "true" || word == "false" || word == "null" || word == "in";
}

/// How a string literal begins.
struct Opening {
  LiteralKind kind = LiteralKind::kString;
  bool raw = false;
  std::size_t prefix = 0;  ///< Letters before the quote.
  std::string_view quote;  ///< One or three; empty when this is no string literal.
};

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  Tokens Run() {
    while (at_.offset < source_.size() && result_.errors.size() < kMaxErrors) Step();
    if (result_.errors.size() < kMaxErrors) Add(TokenKind::kEnd, 0);
    return std::move(result_);
  }

 private:
  void Step() {
    const char c = source_[at_.offset];
    if (IsBlank(c)) return Advance(1);
    if (c == '/' && Peek(1) == '/') {
      return Advance(std::min(source_.find('\n', at_.offset), source_.size()) - at_.offset);
    }
    if (const Opening opening = StringOpening(); !opening.quote.empty()) return String(opening);
    if (IsNameStart(c)) return Word();
    if (IsAsciiDigit(c) || (c == '.' && IsAsciiDigit(Peek(1)))) return Number();
    if (c == '`') return EscapedName();
    Symbol();
  }

  void Word() {
    const std::size_t length = Span(0, IsNamePart);
    const bool keyword = IsKeyword(source_.substr(at_.offset, length));
    Add(keyword ? TokenKind::kSymbol : TokenKind::kIdent, length);
  }

  void Number() {
    if (Peek(0) == '0' && Peek(1) == 'x' && IsHexDigit(Peek(2))) {
      const std::size_t length = 2 + Span(2, IsHexDigit);
      return Integer(length);
    }
    const std::size_t whole = Span(0, IsAsciiDigit);
    std::size_t length = whole;
    if (Peek(length) == '.' && IsAsciiDigit(Peek(length + 1)))
      length += 1 + Span(length + 1, IsAsciiDigit);
    if (Peek(length) == 'e' || Peek(length) == 'E') {
      const std::size_t sign = Peek(length + 1) == '+' || Peek(length + 1) == '-' ? 1 : 0;
      const std::size_t digits = Span(length + 1 + sign, IsAsciiDigit);
      if (digits > 0) length += 1 + sign + digits;
    }
    if (length > whole) return Add(TokenKind::kDouble, length);
    Integer(length);
  }

  void Integer(std::size_t length) {
    const bool is_unsigned = Peek(length) == 'u' || Peek(length) == 'U';
    Add(is_unsigned ? TokenKind::kUint : TokenKind::kInt, length + (is_unsigned ? 1 : 0));
  }

  void EscapedName() {
    const auto part = [](char c) {
      return IsNamePart(c) || c == '.' || c == '-' || c == '/' || c == ' ';
    };
    const std::size_t length = Span(1, part);
    if (length == 0 || Peek(1 + length) != '`') return Unrecognized(1 + length);
    std::string name(source_.substr(at_.offset + 1, length));
    Add(TokenKind::kEscapedIdent, length + 2, std::move(name));
  }

  void Symbol() {
    constexpr std::array<std::string_view, 24> kSymbols = {
        "==", "!=", "<=", ">=", "&&", "||", "<", ">", "[", "]", "{", "}",
        "(",  ")",  ".",  ",",  "-",  "!",  "?", ":", "+", "*", "/", "%"};
    const std::string_view rest = source_.substr(at_.offset);
    for (const std::string_view symbol : kSymbols) {
      if (rest.substr(0, symbol.size()) != symbol) continue;
      return Add(TokenKind::kSymbol, symbol.size());
    }
    // "=" could have become "==": the service quotes the character that decided.
    const bool half = rest.front() == '=' || rest.front() == '&' || rest.front() == '|';
    Unrecognized(half ? 1 : 0);
  }

  [[nodiscard]] Opening StringOpening() const {
    Opening opening;
    std::size_t at = 0;
    if (Peek(at) == 'b' || Peek(at) == 'B') {
      opening.kind = LiteralKind::kBytes;
      ++at;
    }
    if (Peek(at) == 'r' || Peek(at) == 'R') {
      opening.raw = true;
      ++at;
    }
    const char quote = Peek(at);
    if (quote != '"' && quote != '\'') return opening;
    const bool triple = Peek(at + 1) == quote && Peek(at + 2) == quote;
    opening.prefix = at;
    opening.quote = source_.substr(at_.offset + at, triple ? 3 : 1);
    return opening;
  }

  void String(const Opening& opening) {
    const Position begin = at_;
    const std::size_t errors = result_.errors.size();
    std::string value;
    Advance(opening.prefix + opening.quote.size());
    while (source_.substr(at_.offset, opening.quote.size()) != opening.quote) {
      const char c = Peek(0);
      const bool line_ends = (c == '\n' || c == '\r') && opening.quote.size() == 1;
      if (at_.offset >= source_.size() || line_ends) return Unterminated(begin);
      if (c == '\\' && !opening.raw) {
        if (!ReadOneEscape(opening.kind, value)) return;
        continue;
      }
      value += c;
      Advance(1);
    }
    Advance(opening.quote.size());
    if (result_.errors.size() > errors) return;
    Token token;
    token.kind = opening.kind == LiteralKind::kBytes ? TokenKind::kBytes : TokenKind::kString;
    token.at = begin;
    token.text = source_.substr(begin.offset, at_.offset - begin.offset);
    token.value = std::move(value);
    result_.tokens.push_back(std::move(token));
  }

  /// False when enough errors were seen. After a bad one the string is read on.
  bool ReadOneEscape(LiteralKind kind, std::string& value) {
    const Escape escape = ReadEscape(source_.substr(at_.offset), kind, value);
    if (escape.length == 0) {
      Fault(at_,
            "Syntax error: " + std::string(escape.fault) + " at: '" + Shown(at_.offset, 2) + "'");
    }
    Advance(escape.length > 0 ? escape.length : 1);
    return result_.errors.size() < kMaxErrors;
  }

  void Unterminated(const Position& begin) {
    Fault(begin, "Syntax error: token recognition error at: '" +
                     Shown(begin.offset, at_.offset - begin.offset) + "': the string has no end");
    // Whatever follows could still be of the string.
    Advance(source_.size() - at_.offset);
  }

  /// Skips the begin of a broken token, and the code point that breaks the token.
  void Unrecognized(std::size_t begun) {
    const std::string_view rest = source_.substr(at_.offset);
    const std::size_t length = begun + (rest.size() > begun ? Utf8Length(rest.substr(begun)) : 0);
    Fault(at_, "Syntax error: token recognition error at: '" + Shown(at_.offset, length) + "'");
    Advance(length);
  }

  void Fault(const Position& at, std::string message) {
    result_.errors.push_back({at, std::move(message)});
  }

  [[nodiscard]] std::string Shown(std::size_t offset, std::size_t length) const {
    std::string shown;
    for (const char c : source_.substr(offset, std::min(length, kMaxShown))) {
      shown += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    // Not within a character.
    std::size_t last = shown.size();
    while (last > 0 && (static_cast<unsigned char>(shown[last - 1]) & 0xC0U) == 0x80U) --last;
    if (last > 0 && Utf8Length(std::string_view(shown).substr(last - 1)) == 0) {
      shown.resize(last - 1);
    }
    return length > kMaxShown ? shown + "..." : shown;
  }

  void Add(TokenKind kind, std::size_t length, std::string value = {}) {
    Token token;
    token.kind = kind;
    token.at = at_;
    token.text = source_.substr(at_.offset, length);
    token.value = std::move(value);
    result_.tokens.push_back(std::move(token));
    Advance(length);
  }

  void Advance(std::size_t bytes) {
    for (const char c : source_.substr(at_.offset, bytes)) {
      if (c == '\n') {
        ++at_.line;
        at_.column = 1;
      } else if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) {
        ++at_.column;
      }
    }
    at_.offset += bytes;
  }

  [[nodiscard]] char Peek(std::size_t ahead) const {
    return at_.offset + ahead < source_.size() ? source_[at_.offset + ahead] : '\0';
  }
  template <typename Predicate>
  [[nodiscard]] std::size_t Span(std::size_t ahead, Predicate is_part) const {
    std::size_t length = 0;
    while (at_.offset + ahead + length < source_.size() && is_part(Peek(ahead + length))) ++length;
    return length;
  }

  std::string_view source_;
  Position at_;
  Tokens result_;
};

/// Nothing when the text is within the limit and UTF-8.
void CheckText(std::string_view source, std::size_t max_code_points,
               std::vector<SyntaxError>& errors) {
  Position at;
  std::size_t count = 0;
  while (at.offset < source.size()) {
    const std::size_t length = Utf8Length(source.substr(at.offset));
    if (length == 0) {
      errors.push_back({at, "Syntax error: the expression is not UTF-8"});
      return;
    }
    if (++count > max_code_points) {
      errors.push_back(
          {{},
           "expression code point size exceeds limit: limit " + std::to_string(max_code_points)});
      return;
    }
    at.column = source[at.offset] == '\n' ? 1 : at.column + 1;
    at.line += source[at.offset] == '\n' ? 1 : 0;
    at.offset += length;
  }
}

}  // namespace

Tokens Tokenize(std::string_view source, std::size_t max_code_points) {
  Tokens refused;
  CheckText(source, max_code_points, refused.errors);
  if (!refused.errors.empty()) return refused;
  return Lexer(source).Run();
}

bool IsPlainName(std::string_view name) {
  return !name.empty() && IsNameStart(name.front()) &&
         std::all_of(name.begin(), name.end(), IsNamePart) && !IsKeyword(name);
}

}  // namespace bindery::cel
