#include "core/text/time_text.h"
#include "notify/message.h"

namespace bindery::notify {
namespace {

constexpr std::size_t kLongestText = 2'800;  // Slack: 3000 characters in a block.
constexpr std::size_t kMostLines = 10;

/// In Slack's form: markup characters are escaped.
std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&') {
      escaped += "&amp;";
    } else if (c == '<') {
      escaped += "&lt;";
    } else if (c == '>') {
      escaped += "&gt;";
    } else {
      escaped += c == '\n' ? ' ' : c;
    }
  }
  return escaped;
}

/// Cut where a character begins.
std::string Clipped(std::string text, std::size_t most = kLongestText) {
  if (text.size() <= most) return text;
  const auto continues = [&text](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
  };
  while (most > 0 && continues(most)) --most;
  text.resize(most);
  return text + "…";
}

/// "*DriftFound* (high) projects/…: 3 differences"
std::string Line(const Event& event) {
  std::string line = event.type == EventType::kWarning ? ":warning: *" : "*";
  line += Escaped(event.reason) + "*";
  if (event.severity) line += " (" + std::string(ToString(*event.severity)) + ")";
  const std::string& subject = event.resource.empty() ? event.target : event.resource;
  if (!subject.empty()) line += " " + Escaped(subject);
  return line + ": " + Escaped(event.message);
}

/// Place and time: read after the subject.
std::string Context(const Notice& entry, const std::string& source) {
  std::string text = Escaped(source) + " · " + FormatRfc3339(entry.event.time);
  if (!entry.event.actor.empty() && entry.event.actor != "bindery") {
    text += " · by " + Escaped(entry.event.actor);
  }
  std::size_t shown = 0;
  for (const store::ResourceMention& resource : entry.resources) {
    constexpr std::size_t kMost = 5;
    if (++shown > kMost) return text + " · …";
    text += " · " + Escaped(resource.name);
    if (!resource.source_file.empty()) {
      text +=
          " (" + Escaped(resource.source_file) + ":" + std::to_string(resource.source_line) + ")";
    }
  }
  return text;
}

Json Markdown(std::string text) { return {{"type", "mrkdwn"}, {"text", Clipped(std::move(text))}}; }

Json Blocks(std::string text, std::string context) {
  return Json::array(
      {{{"type", "section"}, {"text", Markdown(std::move(text))}},
       {{"type", "context"}, {"elements", Json::array({Markdown(std::move(context))})}}});
}

}  // namespace

Json SlackMessage(std::span<const Notice> entries, const std::string& source) {
  if (entries.size() == 1) {
    const std::string line = Line(entries.front().event);
    return {{"text", Clipped(line)}, {"blocks", Blocks(line, Context(entries.front(), source))}};
  }
  constexpr std::size_t kLongestLine = 250;
  std::string text = "*" + std::to_string(entries.size()) + " events*";
  std::size_t shown = 0;
  for (const Notice& entry : entries) {
    if (shown == kMostLines) break;
    ++shown;
    text += "\n" + Clipped(Line(entry.event), kLongestLine);
  }
  if (entries.size() > shown) {
    text += "\nand " + std::to_string(entries.size() - shown) + " more: bindery events";
  }
  const std::string context = Escaped(source) + " · " + FormatRfc3339(entries.front().event.time) +
                              " to " + FormatRfc3339(entries.back().event.time);
  return {{"text", text}, {"blocks", Blocks(text, context)}};
}

}  // namespace bindery::notify
