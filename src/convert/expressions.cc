#include "convert/expressions.h"

#include <optional>
#include <utility>

#include "manifests/schema/check_text.h"

namespace bindery::convert {
namespace {

constexpr std::string_view kOpen = "${";
constexpr std::string_view kBlanks = " \t\r\n";

/// An escape, and the literal text that it stands for.
struct Escape {
  std::string_view written;
  std::string_view meant;
};

bool StartsAt(std::string_view text, std::size_t at, std::string_view word) {
  return text.compare(at, word.size(), word) == 0;
}

/// The place behind the brace that closes the brace at `open`; quoted texts and nested braces are
/// skipped.
std::optional<std::size_t> FindEnd(std::string_view text, std::size_t open) {
  std::size_t depth = 0;
  bool quoted = false;
  for (std::size_t at = open; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted && c == '\\') {
      ++at;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == '{') {
      ++depth;
    } else if (!quoted && c == '}' && --depth == 0) {
      return at + 1;
    }
  }
  return std::nullopt;
}

/// Reads the `${…}` at `start` and moves behind it.
tl::expected<manifests::TemplatePiece, manifests::TextFault> ReadBraces(std::string_view text,
                                                                        std::size_t& at) {
  const std::size_t start = at;
  const std::optional<std::size_t> end = FindEnd(text, start + 1);
  if (!end) return tl::unexpected(manifests::TextFault{start, "\"${\" is not closed"});
  std::string_view inside = text.substr(start + kOpen.size(), *end - start - kOpen.size() - 1);
  const std::size_t first = inside.find_first_not_of(kBlanks);
  inside = first == std::string_view::npos
               ? std::string_view()
               : inside.substr(first, inside.find_last_not_of(kBlanks) + 1 - first);
  tl::expected<manifests::FieldPath, manifests::TextFault> path = manifests::ParseFieldPath(inside);
  if (!path) {
    return tl::unexpected(manifests::TextFault{
        start, manifests::Quote(text.substr(start, *end - start)) +
                   " cannot be carried over: it is more than a reference such as "
                   "${name.field}"});
  }
  at = *end;
  return manifests::TemplatePiece{std::string(text.substr(start, *end - start)), std::move(*path),
                                  start};
}

template <std::size_t N>
tl::expected<manifests::Template, manifests::TextFault> Parse(std::string_view text,
                                                              const Escape (&escapes)[N],
                                                              std::string_view refused) {
  manifests::Template pieces;
  std::string literal;
  const auto end_literal = [&] {
    if (!literal.empty()) pieces.push_back({std::exchange(literal, {}), std::nullopt, 0});
  };
  const auto escape_at = [&](std::size_t at) -> const Escape* {
    for (const Escape& escape : escapes) {
      if (StartsAt(text, at, escape.written)) return &escape;
    }
    return nullptr;
  };
  for (std::size_t at = 0; at < text.size();) {
    if (const Escape* escape = escape_at(at)) {
      literal += escape->meant;
      at += escape->written.size();
    } else if (StartsAt(text, at, kOpen)) {
      tl::expected<manifests::TemplatePiece, manifests::TextFault> piece = ReadBraces(text, at);
      if (!piece) return tl::unexpected(std::move(piece.error()));
      end_literal();
      pieces.push_back(std::move(*piece));
    } else if (!refused.empty() && StartsAt(text, at, refused)) {
      return tl::unexpected(manifests::TextFault{
          at, "\"" + std::string(refused) + "\" directives cannot be carried over"});
    } else {
      literal += text[at++];
    }
  }
  end_literal();
  return pieces;
}

}  // namespace

tl::expected<manifests::Template, manifests::TextFault> ParsePulumiText(std::string_view text) {
  static constexpr Escape kEscapes[] = {{"$$", "$"}};
  return Parse(text, kEscapes, "");
}

tl::expected<manifests::Template, manifests::TextFault> ParseTerraformText(std::string_view text) {
  static constexpr Escape kEscapes[] = {{"$${", "${"}, {"%%{", "%{"}};
  return Parse(text, kEscapes, "%{");
}

std::string EscapedText(std::string_view text) {
  std::string escaped;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (StartsAt(text, at, kOpen)) escaped += '$';
    escaped += text[at];
  }
  return escaped;
}

}  // namespace bindery::convert
