// The string extension: charAt, indexOf, join, replace, split, substring, trim and so on. Positions
// count code points.

#include <algorithm>
#include <optional>

#include "cel/code_points.h"
#include "cel/format.h"
#include "cel/functions.h"
#include "cel/printer.h"
#include "cel/text_search.h"

namespace bindery::cel {
namespace {

using Int = std::int64_t;
constexpr std::size_t kNone = std::string_view::npos;

Failure OutOfRange(Int index) { return {"index out of range: " + std::to_string(index)}; }

/// The byte where the code point of that index begins, or the end for the index behind the last.
std::optional<std::size_t> ByteOf(std::string_view text, Int index) {
  if (index < 0) return std::nullopt;
  const std::size_t offset = ByteOffset(text, static_cast<std::size_t>(index));
  return offset == kNone ? std::nullopt : std::optional(offset);
}

Value IndexOfByte(std::string_view text, std::size_t byte) {
  if (byte == kNone) return Int{-1};
  return static_cast<Int>(CountCodePoints(text.substr(0, byte)));
}

Outcome CharAt(const Call& call) {
  return Dispatch(call, [](const std::string& text, Int index) -> Outcome {
    const std::optional<std::size_t> byte = ByteOf(text, index);
    if (!byte) return OutOfRange(index);
    const std::string_view rest = std::string_view(text).substr(*byte);
    return Value(std::string(rest.substr(0, rest.empty() ? 0 : FirstLength(rest))));
  });
}

Outcome IndexOf(const Call& call) {
  return Dispatch(
      call,
      [](const std::string& text, const std::string& part) {
        return IndexOfByte(text, FindText(text, part, 0));
      },
      [](const std::string& text, const std::string& part, Int from) -> Outcome {
        const std::optional<std::size_t> byte = ByteOf(text, from);
        if (!byte) return OutOfRange(from);
        return IndexOfByte(text, FindText(text, part, *byte));
      });
}

Outcome LastIndexOf(const Call& call) {
  const auto find = [&call](std::string_view text, std::string_view part, Int from) -> Outcome {
    const std::optional<std::size_t> byte = ByteOf(text, from);
    if (!byte) return OutOfRange(from);
    // Compares at every place.
    if (!call.meter.Charge(text.size() / 8 * (1 + part.size() / 16))) return TooExpensive();
    return IndexOfByte(text, text.rfind(part, *byte));
  };
  return Dispatch(
      call,
      [&find](const std::string& text, const std::string& part) {
        return find(text, part, static_cast<Int>(CountCodePoints(text)));
      },
      [&find](const std::string& text, const std::string& part, Int from) {
        return find(text, part, from);
      });
}

std::string MapAscii(std::string text, char first, char last, int shift) {
  for (char& c : text) {
    if (c >= first && c <= last) c = static_cast<char>(c + shift);
  }
  return text;
}

Outcome LowerAscii(const Call& call) {
  return Dispatch(
      call, [](const std::string& text) { return Value(MapAscii(text, 'A', 'Z', 'a' - 'A')); });
}

Outcome UpperAscii(const Call& call) {
  return Dispatch(
      call, [](const std::string& text) { return Value(MapAscii(text, 'a', 'z', 'A' - 'a')); });
}

/// Where the next piece that `separator` ends, ends: an empty one ends behind each code point.
std::size_t NextEnd(std::string_view rest, std::string_view separator) {
  if (!separator.empty()) return FindText(rest, separator, 0);
  if (rest.empty()) return kNone;
  const std::size_t length = FirstLength(rest);
  return length == rest.size() ? kNone : length;
}

/// Into at most `limit` pieces; any number for a negative one.
Outcome SplitText(const Call& call, std::string_view text, std::string_view separator, Int limit) {
  std::vector<Value> pieces;
  if (limit == 0 || (text.empty() && separator.empty())) return Value::OfList(std::move(pieces));
  while (limit < 0 || static_cast<Int>(pieces.size()) + 1 < limit) {
    const std::size_t end = NextEnd(text, separator);
    if (end == kNone) break;
    if (!call.meter.ChargeBytes(end)) return TooExpensive();
    pieces.emplace_back(std::string(text.substr(0, end)));
    text.remove_prefix(end + separator.size());
  }
  pieces.emplace_back(std::string(text));
  return Value::OfList(std::move(pieces));
}

Outcome Split(const Call& call) {
  return Dispatch(
      call,
      [&call](const std::string& text, const std::string& separator) {
        return SplitText(call, text, separator, -1);
      },
      [&call](const std::string& text, const std::string& separator, Int limit) {
        return SplitText(call, text, separator, limit);
      });
}

/// At most `limit` times; always for a negative one. An empty `old` is found around all code
/// points.
Outcome ReplaceText(const Call& call, std::string_view old, std::string_view other, Int limit) {
  std::string_view rest = *call.args[0].As<std::string>();
  std::string out;
  for (; limit != 0; --limit) {
    const std::size_t at = FindText(rest, old, 0);
    if (at == kNone) break;
    if (!call.meter.ChargeBytes(at + other.size())) return TooExpensive();
    out += rest.substr(0, at);
    out += other;
    rest.remove_prefix(at + old.size());
    if (!old.empty()) continue;
    if (rest.empty()) break;
    const std::size_t length = FirstLength(rest);
    out += rest.substr(0, length);
    rest.remove_prefix(length);
  }
  out += rest;
  return Value(std::move(out));
}

Outcome Replace(const Call& call) {
  return Dispatch(
      call,
      [&call](const std::string&, const std::string& old, const std::string& other) {
        return ReplaceText(call, old, other, -1);
      },
      [&call](const std::string&, const std::string& old, const std::string& other, Int limit) {
        return ReplaceText(call, old, other, limit);
      });
}

Outcome SubstringOf(std::string_view text, Int start, std::optional<Int> end) {
  const std::optional<std::size_t> first = ByteOf(text, start);
  if (!first) return OutOfRange(start);
  const std::optional<std::size_t> behind = end ? ByteOf(text, *end) : text.size();
  if (!behind) return OutOfRange(*end);
  if (*behind < *first) {
    return Failure{"invalid substring range. start: " + std::to_string(start) +
                   ", end: " + std::to_string(*end)};
  }
  return Value(std::string(text.substr(*first, *behind - *first)));
}

Outcome Substring(const Call& call) {
  return Dispatch(
      call,
      [](const std::string& text, Int start) { return SubstringOf(text, start, std::nullopt); },
      [](const std::string& text, Int start, Int end) { return SubstringOf(text, start, end); });
}

Outcome Trim(const Call& call) {
  return Dispatch(call, [](const std::string& text) {
    const std::string_view all = text;
    std::size_t begin = all.size();
    std::size_t end = 0;
    for (std::size_t at = 0; at < all.size();) {
      const std::string_view rest = all.substr(at);
      const std::size_t length = FirstLength(rest);
      if (!IsSpace(FirstCodePoint(rest))) {
        begin = std::min(begin, at);
        end = at + length;
      }
      at += length;
    }
    return Value(begin < end ? text.substr(begin, end - begin) : std::string());
  });
}

std::string ReversedText(const std::string& text) {
  std::string reversed(text.size(), '\0');
  std::size_t left = text.size();
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t length = FirstLength(rest);
    left -= length;
    rest.copy(&reversed[left], length);
    rest.remove_prefix(length);
  }
  return reversed;
}

/// Of a text; the list extension has it for lists.
Outcome Reverse(const Call& call) {
  return Dispatch(
      call, [](const std::string& text) { return Value(ReversedText(text)); },
      [&call](const List& list) -> Outcome {
        if (!call.meter.Charge(call.args[0].Weight())) return TooExpensive();
        return Value::OfList({list.items().rbegin(), list.items().rend()});
      });
}

Outcome JoinList(const Call& call, const List& list, std::string_view separator) {
  if (!call.meter.Charge(call.args[0].Weight() + list.size() * (1 + separator.size() / 16))) {
    return TooExpensive();
  }
  std::string out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto* text = list.items()[i].As<std::string>();
    if (text == nullptr) return NoSuchOverload(call);
    if (i > 0) out += separator;
    out += *text;
  }
  return Value(std::move(out));
}

Outcome Join(const Call& call) {
  return Dispatch(
      call, [&call](const List& list) { return JoinList(call, list, ""); },
      [&call](const List& list, const std::string& separator) {
        return JoinList(call, list, separator);
      });
}

Outcome QuoteString(const Call& call) {
  return Dispatch(call, [](const std::string& text) { return Value(QuotedLiteral(text)); });
}

Outcome Format(const Call& call) {
  return Dispatch(call, [&call](const std::string& text, const List& list) {
    return FormatText(text, list.items(), call.meter);
  });
}

}  // namespace

std::span<const FunctionEntry> StringExtensions() {
  static constexpr auto kTable = std::to_array<FunctionEntry>({
      {"charAt", Style::kMember, CharAt},
      {"indexOf", Style::kMember, IndexOf},
      {"lastIndexOf", Style::kMember, LastIndexOf},
      {"lowerAscii", Style::kMember, LowerAscii},
      {"upperAscii", Style::kMember, UpperAscii},
      {"split", Style::kMember, Split},
      {"replace", Style::kMember, Replace},
      {"substring", Style::kMember, Substring},
      {"trim", Style::kMember, Trim},
      {"reverse", Style::kMember, Reverse},
      {"join", Style::kMember, Join},
      {"strings.quote", Style::kGlobal, QuoteString},
      {"format", Style::kMember, Format},
  });
  return kTable;
}

}  // namespace bindery::cel
