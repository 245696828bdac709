#include "manifests/schema/hints.h"

#include <algorithm>

#include "manifests/schema/check_text.h"
#include "yaml/source_lines.h"

namespace bindery::manifests {
namespace {

using yaml::Node;
using yaml::NodeKind;

constexpr auto kNowhere = std::string_view::npos;

/// What people write in front of an item besides "- ".
std::string_view Bullet(std::string_view text) {
  for (const std::string_view bullet :
       {"\u2022", "\u2013", "\u2014", "\u2212", "\u00B7", "*", "+"}) {
    if (text.starts_with(bullet)) return bullet;
  }
  return text.starts_with('-') && text.size() > 1 && text[1] != ' ' ? text.substr(0, 1)
                                                                    : std::string_view();
}

std::string_view Trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

}  // namespace

std::string HintForMap(const Node& found) {
  if (found.kind == NodeKind::kNull) return "; its fields are on the lines below, indented further";
  if (found.kind == NodeKind::kList) return "; write one map, without \"- \" or brackets";
  if (found.kind != NodeKind::kString || found.quoted) return "";
  if (yaml::KeyWithoutSpace(found.text) == 0) return "";
  return "; a space is missing after the colon: write " +
         Quote(yaml::WithSpaceAfterKey(found.text));
}

std::string HintForList(const Node& found) {
  if (found.kind == NodeKind::kMap) return "; each item of a list begins with \"- \"";
  if (found.kind != NodeKind::kString) return "";
  if (!found.quoted) {
    const std::string_view bullet = Bullet(found.text);
    if (bullet == "-") {
      // The lines below were joined to the first.
      const std::string_view first = found.text;
      return "; a space is missing after the dash: write " +
             Quote("- " + std::string(first.substr(1, first.find(" -") - 1)));
    }
    if (!bullet.empty()) {
      return "; each item of a list begins with \"- \", not with " + Quote(bullet);
    }
  }
  std::string inner;
  for (const std::string_view part : Split(found.text, ',')) {
    if (Trimmed(part).empty()) continue;
    inner += (inner.empty() ? "" : ", ") + std::string(Trimmed(part));
  }
  if (inner.empty() || inner.find_first_of("[]{}()\"'\n") != std::string::npos) {
    return "; put its items in brackets, or each on a line of its own behind \"- \"";
  }
  const std::string shown = Quote("[" + inner + "]");
  return "; write " + shown.substr(1, shown.size() - 2) +
         ", or each item on a line of its own behind \"- \"";
}

std::string HintForText(const Node& found) {
  if (found.kind == NodeKind::kList && found.items.size() == 1 &&
      found.items[0].kind == NodeKind::kString) {
    return "; write " + Quote(found.items[0].text) + " without brackets or \"- \"";
  }
  const bool pair = found.kind == NodeKind::kMap && found.fields.size() == 1 &&
                    found.fields[0].value.kind == NodeKind::kString;
  if (!pair) return "";
  return "; write " + Quote(found.fields[0].key + ":" + found.fields[0].value.text) +
         " without a space after the colon";
}

std::string HintForRefused(const Node& found) {
  if (IsTemplateText(found.text)) {
    return "; " + Quote(yaml::TemplateMarker(found.text)) +
           " is the syntax of a template: render it and put the result here";
  }
  if (const yaml::LookAlike character = yaml::FindLookAlike(found.text); !character.part.empty()) {
    return "; it holds " + std::string(character.what);
  }
  if (found.quoted) return "";
  if (const std::size_t dash = found.text.find(" - "); dash != kNowhere) {
    return "; the line below is read as part of it: begin both \"- \" in one column";
  }
  return "";
}

bool IsTemplateText(std::string_view text) {
  const auto holds = [&](std::string_view open, std::string_view close) {
    const std::size_t at = text.find(open);
    return at != kNowhere && text.find(close, at) != kNowhere;
  };
  return holds("{{", "}}") || holds("{%", "%}") || holds("<%", "%>");
}

bool IsKubernetesVersion(std::string_view api_version) {
  const std::size_t slash = api_version.rfind('/');
  const std::string_view group =
      slash == kNowhere ? std::string_view() : api_version.substr(0, slash);
  const std::string_view version = slash == kNowhere ? api_version : api_version.substr(slash + 1);
  const bool group_fits = slash == kNowhere || HasOnlyCharacters(group, ".-");
  return group_fits && version.size() > 1 && version[0] == 'v' && version[1] >= '1' &&
         version[1] <= '9';
}

std::string HintForNothing(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == kNowhere) return "";
  const std::string_view value = Trimmed(line.substr(colon + 1));
  if (value.size() < 2 || value[1] == ' ') return "";
  if (value[0] == '#') return "; \"#\" begins a comment: a text that begins with it needs quotes";
  if (value[0] == '&') return "; \"&\" begins an anchor: a text that begins with it needs quotes";
  return "";
}

}  // namespace bindery::manifests
