#include <algorithm>
#include <string>
#include <utility>

#include "yaml/mistakes.h"
#include "yaml/source_lines.h"

namespace bindery::yaml {
namespace {

constexpr std::string_view kWhite = " \t\r\n";
constexpr std::string_view kInvalidJson = "not valid JSON: ";

/// The input of the detectors.
struct JsonScene {
  std::string_view text;
  std::size_t token = 0;   ///< Where the refused token begins.
  std::size_t before = 0;  ///< The last character before it that is no white space.
  std::string_view said;   ///< By the parser.

  [[nodiscard]] char Before() const { return before < text.size() ? text[before] : '\0'; }
  [[nodiscard]] std::string_view Rest() const { return text.substr(token); }
};

/// The parser stops within a token, or at the end.
std::size_t StartOfToken(std::string_view text, std::size_t offset, std::string_view said) {
  offset = std::min(offset, text.empty() ? 0 : text.size() - 1);
  if (said.find("unexpected string literal") != std::string_view::npos && text[offset] == '"') {
    std::size_t quote = offset;
    while (quote > 0 && (text[--quote] != '"' || (quote > 0 && text[quote - 1] == '\\'))) {
    }
    return quote;
  }
  const std::string_view ends = " \t\r\n,:[]{}\"";
  while (offset > 0 && ends.find(text[offset]) == std::string_view::npos &&
         ends.find(text[offset - 1]) == std::string_view::npos) {
    --offset;
  }
  return offset;
}

Fault FaultAtOffset(const JsonScene& scene, std::size_t offset, std::string message) {
  return {PositionAt(scene.text, offset), std::string(kInvalidJson) + std::move(message)};
}

std::optional<Fault> CommentInJson(const JsonScene& scene) {
  const std::string_view rest = scene.Rest();
  if (!rest.starts_with("//") && !rest.starts_with("/*") && !rest.starts_with('#')) {
    return std::nullopt;
  }
  return FaultAtOffset(
      scene, scene.token,
      "JSON has no comments: remove it, or name the file .yaml, where a comment begins with "
      "\"#\"");
}

std::optional<Fault> TemplateInJson(const JsonScene& scene) {
  // Of "{{" the parser refuses the second.
  const std::size_t from = scene.Before() == '{' ? scene.before : scene.token;
  for (const std::string_view marker : {"{{", "{%", "<%", "{#"}) {
    if (!scene.text.substr(from).starts_with(marker)) continue;
    return FaultAtOffset(
        scene, from,
        "\"" + std::string(marker) +
            "\" is the syntax of a template (Helm, Jinja): render the template and put the "
            "result here");
  }
  return std::nullopt;
}

std::optional<Fault> TrailingComma(const JsonScene& scene) {
  const char sign = scene.Rest().empty() ? '\0' : scene.Rest().front();
  if ((sign != ']' && sign != '}') || scene.Before() != ',') return std::nullopt;
  return FaultAtOffset(
      scene, scene.before,
      std::string("a comma before \"") + sign + "\": remove it, none follows the last value");
}

std::optional<Fault> Quotes(const JsonScene& scene) {
  const std::string_view rest = scene.Rest();
  if (rest.starts_with('\'')) {
    return FaultAtOffset(scene, scene.token,
                         "a text is in double quotes in JSON, not in single ones");
  }
  if (const LookAlike found = FindLookAlike(rest);
      found.part.data() == rest.data() && !found.part.empty()) {
    return FaultAtOffset(scene, scene.token, std::string(found.what));
  }
  return std::nullopt;
}

std::optional<Fault> IsYaml(const JsonScene& scene) {
  if (scene.before != std::string_view::npos) return std::nullopt;
  const std::string_view rest = scene.Rest();
  const std::string_view line = rest.substr(0, rest.find('\n'));
  if (!line.starts_with("---") && line.find(": ") == std::string_view::npos) return std::nullopt;
  return FaultAtOffset(scene, scene.token, "this is YAML: give the file a name that ends in .yaml");
}

std::optional<Fault> UnquotedKey(const JsonScene& scene) {
  const std::string_view rest = scene.Rest();
  const bool letter = !rest.empty() && ((rest.front() >= 'a' && rest.front() <= 'z') ||
                                        (rest.front() >= 'A' && rest.front() <= 'Z'));
  if (!letter || scene.said.find("object key") == std::string_view::npos) return std::nullopt;
  return FaultAtOffset(scene, scene.token,
                       "a key is in double quotes in JSON: write \"" +
                           std::string(rest.substr(0, rest.find_first_of(" \t\r\n:,"))) +
                           "\" with them");
}

std::optional<Fault> SecondValue(const JsonScene& scene) {
  if (scene.said.find("; expected end of input") == std::string_view::npos) return std::nullopt;
  return FaultAtOffset(
      scene, scene.token,
      "a JSON file holds one manifest: put the second one into a file of its own, or use "
      "YAML with \"---\" between them");
}

std::optional<Fault> MissingComma(const JsonScene& scene) {
  const bool awaited = scene.said.find("; expected '}'") != std::string_view::npos ||
                       scene.said.find("; expected ']'") != std::string_view::npos;
  if (!awaited || scene.token >= scene.text.size() ||
      scene.said.find("end of input") != std::string_view::npos) {
    return std::nullopt;
  }
  const bool value = std::string_view("\"[{-0123456789tfn").find(scene.text[scene.token]) !=
                     std::string_view::npos;
  if (!value ||
      std::string_view("\"]}0123456789el").find(scene.Before()) == std::string_view::npos) {
    return std::nullopt;
  }
  return FaultAtOffset(scene, scene.before + 1, "a comma is missing here");
}

std::optional<Fault> CutOff(const JsonScene& scene) {
  if (scene.said.find("unexpected end of input") == std::string_view::npos) return std::nullopt;
  return FaultAtOffset(scene, scene.text.size() - 1,
                       "the text ends before its last bracket is closed: is it cut off?");
}

}  // namespace

Fault ExplainJsonFault(std::string_view text, std::size_t offset, Fault refusal) {
  if (text.empty()) return refusal;
  JsonScene scene{text, StartOfToken(text, offset, refusal.message), std::string_view::npos,
                  refusal.message};
  if (scene.token > 0) scene.before = text.find_last_not_of(kWhite, scene.token - 1);
  for (const auto detect : {CommentInJson, TemplateInJson, TrailingComma, Quotes, IsYaml,
                            UnquotedKey, SecondValue, CutOff, MissingComma}) {
    if (auto found = detect(scene)) return *std::move(found);
  }
  return refusal;
}

}  // namespace bindery::yaml
