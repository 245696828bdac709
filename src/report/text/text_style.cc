#include "report/text/text_style.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/text/printable.h"
#include "core/text/time_text.h"

namespace bindery::report {
namespace {

std::string_view GetCode(Colour colour) {
  switch (colour) {
    case Colour::kNone:
      return "";
    case Colour::kRed:
      return "31";
    case Colour::kGreen:
      return "32";
    case Colour::kYellow:
      return "33";
    case Colour::kCyan:
      return "36";
    case Colour::kBold:
      return "1";
    case Colour::kDim:
      return "2";
  }
  return "";
}

bool StartsCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

}  // namespace

std::string Paint(std::string_view text, Colour colour, const TextStyle& style) {
  if (!style.colour || colour == Colour::kNone || text.empty()) return std::string(text);
  return "\x1b[" + std::string(GetCode(colour)) + "m" + std::string(text) + "\x1b[0m";
}

std::string Printable(std::string_view text) { return bindery::Printable(text); }

std::string Shown(const Json& value, std::string_view name) {
  return Printable(StringMember(value, name));
}

std::size_t ShownWidth(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), StartsCharacter));
}

std::string CutTo(std::string_view text, std::size_t width) {
  if (ShownWidth(text) <= width) return std::string(text);
  if (width == 0) return {};
  std::string cut;
  std::size_t characters = 0;
  for (const char c : text) {
    if (StartsCharacter(c) && ++characters == width) break;
    cut += c;
  }
  return cut + "…";
}

std::string CutFromLeft(std::string_view text, std::size_t width) {
  const std::size_t shown = ShownWidth(text);
  if (shown <= width) return std::string(text);
  if (width == 0) return {};
  std::size_t left = shown - width + 1;
  std::size_t at = 0;
  while (at < text.size() && (left > 0 || !StartsCharacter(text[at]))) {
    if (StartsCharacter(text[at])) --left;
    ++at;
  }
  return "…" + std::string(text.substr(at));
}

std::string FormatTimeAge(const std::optional<WallTime>& time, const TextStyle& style) {
  if (!time) return "-";
  // Whole seconds: nobody reads more, and a clock that is a little behind shows no negative age.
  const auto age = std::chrono::duration_cast<std::chrono::seconds>(style.now - *time);
  return age <= std::chrono::seconds(0) ? "0s" : FormatAge(age);
}

std::string FormatTimeAge(WallTime time, const TextStyle& style) {
  return FormatTimeAge(time == WallTime{} ? std::nullopt : std::optional(time), style);
}

std::string TimeText(WallTime time) {
  return time == WallTime{} ? std::string() : FormatRfc3339(time);
}

std::string JoinShown(const Json& strings) {
  std::string joined;
  for (const Json& text : strings) {
    if (!text.is_string()) continue;
    joined += (joined.empty() ? "" : ", ") + Printable(text.get<std::string>());
  }
  return joined;
}

std::string JoinShown(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : ", ") + Printable(text);
  return joined;
}

std::string TakeFirst(const std::vector<std::string>& texts, std::size_t most) {
  std::string first;
  for (std::size_t i = 0; i < texts.size() && i < most; ++i)
    first += (i > 0 ? ", " : "") + texts[i];
  if (texts.size() > most) first += " and " + std::to_string(texts.size() - most) + " more";
  return first;
}

}  // namespace bindery::report
