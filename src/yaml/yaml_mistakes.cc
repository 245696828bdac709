#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "yaml/indentation.h"
#include "yaml/mistakes.h"
#include "yaml/open_parts.h"
#include "yaml/source_lines.h"

namespace bindery::yaml {
namespace {

constexpr std::string_view kInvalidYaml = "not valid YAML: ";

std::string QuotedPart(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string shown(text.substr(0, kLongest));
  while (text.size() > kLongest && !shown.empty() &&
         (static_cast<unsigned char>(text[shown.size()]) & 0xC0U) == 0x80U) {
    shown.pop_back();  // Not within a character.
  }
  return "\"" + shown + (shown.size() < text.size() ? "...\"" : "\"");
}

/// The input of the detectors.
struct YamlScene {
  const std::vector<SourceLine>& lines;
  const SourceLine& here;      ///< Where the parser gave up.
  const SourceLine* previous;  ///< The line with content before that; may be null.
  const Fault& refusal;
  std::string_view said;  ///< By the parser.
};

Fault FaultAtPart(const SourceLine& line, std::string_view part, std::string message) {
  return {{line.number, line.FindColumn(part)}, std::string(kInvalidYaml) + std::move(message)};
}

/// The characters from the refused column on.
std::string_view Refused(const YamlScene& scene) {
  std::size_t at = 0;
  const std::string_view text = scene.here.text;
  for (int column = 1; column < scene.refusal.at.column && at < text.size(); ++column) {
    do ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U);
  }
  return text.substr(at);
}

/// A line that is not YAML because a template language made the line, or a value of such a form.
std::optional<Fault> TemplateLine(const YamlScene& scene) {
  for (const SourceLine& line : scene.lines) {
    if (line.number > scene.here.number) break;
    const std::string_view body = line.text.substr(line.indent);
    for (const std::string_view marker : {"{{", "{%", "{#", "<%"}) {
      const std::size_t at = body.find(marker);
      const bool begins =
          at == 0 || (at != std::string_view::npos && at > 1 && body[at - 1] == ' ' &&
                      (body[at - 2] == ':' || body[at - 2] == '-'));
      if (!begins) continue;
      return FaultAtPart(line, body.substr(at, marker.size()),
                         QuotedPart(marker) +
                             " is the syntax of a template (Helm, Jinja): manifests are plain "
                             "YAML, render the template and put the result here");
    }
  }
  return std::nullopt;
}

std::optional<Fault> Fence(const YamlScene& scene) {
  for (const SourceLine* line : {&scene.here, scene.previous}) {
    if (line == nullptr || !line->body.starts_with("```")) continue;
    return FaultAtPart(*line, line->body,
                       "\"```\" is Markdown: only what is between these lines is YAML");
  }
  return std::nullopt;
}

/// A line of dashes that is no separator.
std::optional<Fault> Separator(const YamlScene& scene) {
  for (const SourceLine* line : {&scene.here, scene.previous}) {
    if (line == nullptr || line->body.size() < 2 || line->body == "---") {
      if (line == nullptr || line->body != "---" || line->indent == 0) continue;
    }
    const bool dash = line->body == "\u2014" || line->body == "\u2013" ||
                      (line->body.find_first_not_of("- ") == std::string_view::npos);
    if (!dash) continue;
    const std::string what = line->body == "---" ? "an indented \"---\"" : QuotedPart(line->body);
    return FaultAtPart(
        *line, line->body,
        what + " does not separate manifests: write \"---\" at the beginning of the line");
  }
  return std::nullopt;
}

std::optional<Fault> Character(const YamlScene& scene) {
  for (const SourceLine* line : {&scene.here, scene.previous}) {
    if (line == nullptr) continue;
    const LookAlike found = FindLookAlike(line->text.substr(0, line->indent + line->body.size()));
    if (!found.part.empty()) return FaultAtPart(*line, found.part, std::string(found.what));
  }
  return std::nullopt;
}

std::optional<Fault> SpaceAfterColon(const YamlScene& scene) {
  // The parser takes such lines, and the key below them, for one long key: the first is the place.
  const SourceLine* first = KeyWithoutSpace(scene.here.body) > 0 ? &scene.here : nullptr;
  for (auto line = scene.lines.begin() + (&scene.here - scene.lines.data());
       line != scene.lines.begin();) {
    --line;
    if (line->blank()) continue;
    if (KeyWithoutSpace(line->body) == 0) break;
    first = &*line;
  }
  if (first == nullptr) return std::nullopt;
  const std::size_t colon = KeyWithoutSpace(first->body);
  return FaultAtPart(
      *first, first->body.substr(colon),
      "a space is missing after the colon: write " + QuotedPart(WithSpaceAfterKey(first->body)));
}

std::optional<Fault> EqualsSign(const YamlScene& scene) {
  for (const SourceLine* line : {&scene.here, scene.previous}) {
    if (line == nullptr) continue;
    const std::size_t end = line->body.find_first_of(" =:");
    const std::size_t sign =
        end == std::string_view::npos ? end : line->body.find_first_not_of(' ', end);
    if (end == 0 || sign == std::string_view::npos || line->body[sign] != '=') continue;
    return FaultAtPart(*line, line->body.substr(sign),
                       "a field and its value have a colon between them: write " +
                           QuotedPart(std::string(line->body.substr(0, end)) + ": ..."));
  }
  return std::nullopt;
}

std::optional<Fault> ForeignComment(const YamlScene& scene) {
  for (const SourceLine* line : {&scene.here, scene.previous}) {
    if (line == nullptr) continue;
    if (!line->body.starts_with("//") && !line->body.starts_with("/*")) continue;
    return FaultAtPart(
        *line, line->body,
        "a comment begins with \"#\", not with " + QuotedPart(line->body.substr(0, 2)));
  }
  return std::nullopt;
}

/// `*`, `@`, '`', `%`, `!`, `|` and `>` mean something at the beginning of a value.
std::optional<Fault> NeedsQuotes(const YamlScene& scene) {
  const bool alias = scene.said == "alias not found after *" ||
                     scene.said == "the referenced anchor is not defined";
  const bool block = scene.said == "unexpected character in block scalar";
  if (!alias && !block && scene.said != "unknown token") return std::nullopt;
  const std::string_view rest = Refused(scene);
  std::string_view from = rest;
  if (alias || block) {
    // The parser stops behind the sign.
    const auto before = static_cast<std::size_t>(rest.data() - scene.here.text.data()) + 1;
    const std::size_t sign = scene.here.text.substr(0, before).find_last_of(alias ? "*" : "|>");
    if (sign == std::string_view::npos) return std::nullopt;
    from = scene.here.text.substr(sign);
  }
  if (from.empty()) return std::nullopt;
  if (scene.here.body.starts_with("* ")) {
    return FaultAtPart(scene.here, scene.here.body,
                       "an item of a list begins with \"- \", not with \"*\"");
  }
  const std::string_view word = from.substr(0, from.find_first_of(" ,]}"));
  if (alias && word.size() > 1) {
    return FaultAtPart(scene.here, word,
                       QuotedPart(word) +
                           " refers to an anchor that is not there; a text that begins with "
                           "\"*\" needs quotes");
  }
  const std::string sign(from.substr(0, 1));
  const std::string message = "a text that begins with \"" + sign + "\" needs quotes";
  return FaultAtPart(
      scene.here, from,
      block ? message + "; the lines of a text block follow below the " + QuotedPart(sign)
            : message);
}

std::optional<Fault> ColonInValue(const YamlScene& scene) {
  if (scene.said != "illegal map value") return std::nullopt;
  const std::string_view body = scene.here.body;
  const std::size_t first = body.find(": ");
  if (first == std::string_view::npos) return std::nullopt;
  const std::string_view value =
      body.substr(std::min(body.find_first_not_of(' ', first + 1), body.size()));
  if (value.empty() ||
      std::string_view("\"'[{|>&*!").find(value.front()) != std::string_view::npos) {
    return std::nullopt;
  }
  std::size_t second = value.find(": ");
  if (second == std::string_view::npos && value.back() == ':') second = value.size() - 1;
  if (second == std::string_view::npos) return std::nullopt;
  return FaultAtPart(scene.here, value.substr(second),
                     "a text with \": \" in it needs quotes: write '" +
                         std::string(body.substr(0, first)) + ": " + QuotedPart(value) + "'");
}

std::optional<Fault> OpenPart(const YamlScene& scene) {
  const bool quote =
      scene.said == "illegal EOF in scalar" || scene.said == "illegal document indicator in scalar";
  const bool flow =
      scene.said == "end of sequence flow not found" || scene.said == "end of map flow not found";
  const bool after = scene.said == "end of map not found" ||
                     scene.said == "end of sequence not found" || scene.said == "illegal map value";
  const OpenParts parts = ScanParts(scene.lines);
  if ((quote || flow) && parts.quote) {
    return Fault{*parts.quote,
                 std::string(kInvalidYaml) + "the quoted text that begins here has no end"};
  }
  if (flow && parts.bracket) {
    const std::string closing = parts.bracket_sign == '[' ? "\"]\"" : "\"}\"";
    return Fault{*parts.bracket, std::string(kInvalidYaml) + closing +
                                     " is missing: what begins here "
                                     "is not closed"};
  }
  if (flow)
    return FaultAtPart(scene.here, Refused(scene),
                       "a comma is missing between two values, or \": \" "
                       "behind a key");
  if (after && parts.behind_quote && parts.behind_quote->line == scene.here.number) {
    const std::string escaped = parts.behind_sign == '\'' ? "''" : "\\\"";
    return Fault{*parts.behind_quote, std::string(kInvalidYaml) +
                                          "text behind the closing quote: put all of it in quotes, "
                                          "and write a quote within it as " +
                                          escaped};
  }
  return std::nullopt;
}

std::optional<Fault> Indentation(const YamlScene& scene) {
  auto found = FindIndentationFault(scene.lines, scene.here);
  if (!found) return std::nullopt;
  found->message.insert(0, kInvalidYaml);
  return found;
}

/// The parser's own texts in plainer words.
std::string_view Plainly(std::string_view said) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kTexts = {{
      {"illegal map value", "a colon where no field can be: look at this line and the one above"},
      {"end of map not found", "this line does not go on with the fields above it"},
      {"end of sequence not found", "this line does not go on with the list above it"},
      {"end of sequence flow not found", "a list in brackets is not closed"},
      {"end of map flow not found", "a map in braces is not closed"},
      {"illegal block entry", "\"- \" where no list can begin"},
      {"illegal flow end", "a closing bracket without its opening one"},
      {"illegal EOF in scalar", "a quoted text has no end"},
      {"illegal document indicator in scalar", "a quoted text has no end"},
  }};
  for (const auto& [text, plain] : kTexts) {
    if (text == said) return plain;
  }
  return said;
}

/// "mode:observe" in braces, or as a last line.
std::optional<Fault> KeyWithoutValue(const YamlScene& scene) {
  if (!scene.said.starts_with("key \"")) return std::nullopt;
  const std::string_view rest = Refused(scene);
  const std::string_view word = scene.here.body.data() == rest.data()
                                    ? scene.here.body
                                    : rest.substr(0, rest.find_first_of(",}"));
  const std::size_t colon = KeyWithoutSpace(word);
  if (colon == 0) return std::nullopt;
  return FaultAtPart(
      scene.here, word.substr(colon),
      "a space is missing after the colon: write " + QuotedPart(WithSpaceAfterKey(word)));
}

std::optional<Fault> Diagnose(const YamlScene& scene, bool by_parser) {
  if (by_parser) {
    for (const auto detect :
         {TemplateLine, Fence, Separator, ForeignComment, Character, SpaceAfterColon, EqualsSign,
          NeedsQuotes, OpenPart, ColonInValue, Indentation}) {
      if (auto found = detect(scene)) return found;
    }
    return std::nullopt;
  }
  // The reader's messages are good, except for texts that look different to the reader.
  if (scene.said.starts_with("a key must be")) {
    for (const auto detect : {TemplateLine, ForeignComment}) {
      if (auto found = detect(scene)) return found;
    }
  }
  return KeyWithoutValue(scene);
}

}  // namespace

Fault ExplainYamlFault(const Chunk& chunk, Fault refusal) {
  const std::vector<SourceLine> lines = MakeLines(chunk.text, chunk.first_line);
  const bool by_parser = refusal.message.starts_with(kInvalidYaml);
  const std::string said = refusal.message.substr(by_parser ? kInvalidYaml.size() : 0);
  if (!lines.empty() && refusal.code == "InvalidSyntax") {
    const auto index = static_cast<std::size_t>(
        std::clamp<std::ptrdiff_t>(refusal.at.line - chunk.first_line, 0, std::ssize(lines) - 1));
    const SourceLine* previous = nullptr;
    for (std::size_t i = index; i > 0 && previous == nullptr; --i) {
      if (!lines[i - 1].blank()) previous = &lines[i - 1];
    }
    if (auto found = Diagnose({lines, lines[index], previous, refusal, said}, by_parser)) {
      return *std::move(found);
    }
  }
  if (by_parser) refusal.message = std::string(kInvalidYaml) + std::string(Plainly(said));
  return refusal;
}

}  // namespace bindery::yaml
