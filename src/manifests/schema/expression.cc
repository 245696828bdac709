#include "manifests/schema/expression.h"

#include <algorithm>
#include <charconv>
#include <unordered_set>
#include <utility>

#include "manifests/schema/check_text.h"

namespace bindery::manifests {
namespace {

constexpr std::string_view kOpen = "${";
constexpr std::string_view kEscape = "$${";
/// No list is longer; a longer number would not fit.
constexpr std::size_t kMaxIndexDigits = 9;
constexpr std::size_t kLongestResource = 253;

bool IsNameCharacter(char c) { return IsAsciiLetterOrDigit(c) || c == '_' || c == '-'; }

/// The whole character that begins at a byte.
std::string_view Character(std::string_view text, std::size_t at) {
  std::size_t size = 1;
  while (at + size < text.size() && (static_cast<unsigned char>(text[at + size]) & 0xC0U) == 0x80U)
    ++size;
  return text.substr(at, size);
}

/// Reads one path from a text, up to the first character that cannot belong to it.
class PathReader {
 public:
  PathReader(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  tl::expected<FieldPath, TextFault> Read() {
    FieldPath path;
    if (Next() != '[' && !ReadName(path)) return Fault(at_, "a name is expected here");
    while (!fault_ && (Next() == '.' || Next() == '[')) {
      if (Next() == '[') {
        ReadBrackets(path);
        continue;
      }
      ++at_;
      if (!ReadName(path)) {
        fault_ = {at_, "a name is expected behind \".\"; an odd one is written [\"…\"]"};
      }
    }
    if (fault_) return tl::unexpected(std::move(*fault_));
    return path;
  }

  [[nodiscard]] std::size_t at() const { return at_; }

 private:
  static tl::unexpected<TextFault> Fault(std::size_t offset, std::string message) {
    return tl::unexpected(TextFault{offset, std::move(message)});
  }

  /// NUL at the end: no part of a path.
  [[nodiscard]] char Next() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  bool ReadName(FieldPath& path) {
    const std::size_t start = at_;
    while (IsNameCharacter(Next())) ++at_;
    if (at_ == start) return false;
    path.push_back({std::string(text_.substr(start, at_ - start))});
    return true;
  }

  void ReadBrackets(FieldPath& path) {
    const std::size_t start = at_++;
    const bool first = path.empty();
    const bool read = Next() == '"' ? ReadQuoted(path) : ReadIndex(path);
    if (fault_) return;
    if (!read || Next() != ']') {
      fault_ = {start, "an index such as [0] or a name such as [\"odd.name\"] is expected here"};
    } else if (first && path.front().index) {
      fault_ = {start, "a name is expected before an index"};
    }
    ++at_;
  }

  bool ReadIndex(FieldPath& path) {
    const std::size_t start = at_;
    while (Next() >= '0' && Next() <= '9') ++at_;
    if (at_ == start || at_ - start > kMaxIndexDigits) return false;
    std::size_t index = 0;
    std::from_chars(text_.data() + start, text_.data() + at_, index);
    path.push_back({"", index});
    return true;
  }

  /// `\"` and `\\` are what they are elsewhere.
  bool ReadQuoted(FieldPath& path) {
    const std::size_t start = at_++;
    std::string name;
    for (; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
      if (at_ < text_.size()) name += text_[at_];
    }
    if (at_ >= text_.size()) {
      fault_ = {start, "the quote is not closed"};
      return false;
    }
    if (name.empty()) {
      fault_ = {start, "the name is empty"};
      return false;
    }
    ++at_;
    path.push_back({std::move(name), std::nullopt, true});
    return true;
  }

  std::string_view text_;
  std::size_t at_;
  std::optional<TextFault> fault_;
};

/// Reads the `${…}` at `start`.
tl::expected<TemplatePiece, TextFault> ReadExpression(std::string_view text, std::size_t start) {
  const auto fail = [&](std::size_t offset, std::string message) {
    return tl::unexpected(
        TextFault{offset, std::move(message) + "; a literal \"${\" is written \"$${\""});
  };
  const std::size_t inside = start + kOpen.size();
  if (text.find('}', inside) == std::string_view::npos) {
    return fail(start, "the reference is not closed: \"}\" is missing");
  }
  if (text[inside] == '}') {
    return fail(start, "the reference is empty: write ${NAME.FIELD}");
  }
  PathReader reader(text, inside);
  tl::expected<FieldPath, TextFault> path = reader.Read();
  if (!path) return fail(path.error().offset, "bad reference: " + path.error().message);
  const std::size_t end = reader.at();
  if (end >= text.size() || text[end] != '}') {
    return fail(end, "bad reference: " +
                         (end < text.size() ? Quote(Character(text, end)) + " is not expected here"
                                            : std::string("\"}\" is missing")));
  }
  return TemplatePiece{std::string(text.substr(start, end + 1 - start)), std::move(*path), start};
}

}  // namespace

tl::expected<FieldPath, TextFault> ParseFieldPath(std::string_view text) {
  PathReader reader(text, 0);
  tl::expected<FieldPath, TextFault> path = reader.Read();
  if (path && reader.at() < text.size()) {
    return tl::unexpected(
        TextFault{reader.at(), Quote(Character(text, reader.at())) + " is not expected here"});
  }
  return path;
}

std::string PathText(const FieldPath& path) {
  std::string text;
  for (const PathStep& step : path) {
    if (step.index) {
      text += "[" + std::to_string(*step.index) + "]";
    } else if (std::all_of(step.name.begin(), step.name.end(), IsNameCharacter) && !step.quoted) {
      text += (text.empty() ? "" : ".") + step.name;
    } else {
      text += "[" + Quote(step.name) + "]";
    }
  }
  return text;
}

tl::expected<Template, TextFault> ParseTemplate(std::string_view text) {
  Template pieces;
  std::string literal;
  std::size_t literal_at = 0;
  const auto end_literal = [&](std::size_t next) {
    if (!literal.empty()) pieces.push_back({std::exchange(literal, {}), std::nullopt, literal_at});
    literal_at = next;
  };
  for (std::size_t at = 0; at < text.size();) {
    if (text.compare(at, kEscape.size(), kEscape) == 0) {
      literal += kOpen;
      at += kEscape.size();
    } else if (text.compare(at, kOpen.size(), kOpen) == 0) {
      tl::expected<TemplatePiece, TextFault> piece = ReadExpression(text, at);
      if (!piece) return tl::unexpected(std::move(piece.error()));
      at += piece->text.size();
      end_literal(at);
      pieces.push_back(std::move(*piece));
    } else {
      literal += text[at++];
    }
  }
  end_literal(text.size());
  return pieces;
}

bool HasExpression(const Template& pieces) {
  return std::any_of(pieces.begin(), pieces.end(),
                     [](const TemplatePiece& piece) { return piece.path.has_value(); });
}

bool IsLoneExpression(const Template& pieces) {
  return pieces.size() == 1 && pieces.front().path.has_value();
}

std::string LiteralText(const Template& pieces) {
  std::string text;
  for (const TemplatePiece& piece : pieces) text += piece.text;
  return text;
}

NamedPath SplitName(const FieldPath& path, const KnownName& known) {
  if (path.empty()) return {};
  std::size_t steps = 1;
  std::string name = path.front().name;
  std::string longer;
  for (std::size_t i = 0; i < path.size() && !path[i].quoted && !path[i].index; ++i) {
    longer += (i == 0 ? "" : ".") + path[i].name;
    if (longer.size() > kLongestResource) break;
    const bool leaves_a_field = i + 1 < path.size();
    const bool found_before = i > 0 && known(name);
    if (!known(longer) || (!leaves_a_field && found_before)) continue;
    name = longer;
    steps = i + 1;
  }
  return {std::move(name),
          FieldPath(path.begin() + static_cast<std::ptrdiff_t>(steps), path.end())};
}

FieldPath MakePath(const Reference& reference) {
  tl::expected<Template, TextFault> pieces = ParseTemplate(reference.text);
  if (!pieces || !IsLoneExpression(*pieces)) return {};
  return std::move(*pieces->front().path);
}

std::vector<std::string> PossibleNames(const FieldPath& path) {
  std::vector<std::string> names;
  if (path.empty()) return names;
  names.push_back(path.front().name);
  if (path.front().quoted) return names;
  for (std::size_t i = 1; i + 1 < path.size() && !path[i].quoted && !path[i].index; ++i) {
    std::string longer = names.back() + "." + path[i].name;
    if (longer.size() > kLongestResource) break;
    names.push_back(std::move(longer));
  }
  std::reverse(names.begin(), names.end());
  return names;
}

std::vector<std::string> ListDependencies(const Manifest& manifest, const KnownName& known) {
  std::vector<std::string> names;
  std::unordered_set<std::string> seen;
  const auto add = [&](std::string name) {
    if (seen.insert(name).second) names.push_back(std::move(name));
  };
  if (manifest.references != nullptr) {
    for (const Reference& reference : *manifest.references) {
      add(SplitName(MakePath(reference), known).name);
    }
  }
  for (const std::string& name : manifest.options.extra_options().depends_on) add(name);
  return names;
}

}  // namespace bindery::manifests
