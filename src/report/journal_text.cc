#include <string>

#include "report/json_fields.h"
#include "report/text.h"
#include "report/text_table.h"

namespace bindery {
namespace {

using report::Colour;
using report::Shown;

constexpr std::size_t kDigestShown = 12;

/// The message, and who did it when it was not bindery by itself.
std::string MessageOf(const Json& event) {
  const std::string actor = Shown(event, "actor");
  std::string message = Shown(event, "message");
  if (actor.empty() || actor == "bindery") return message;
  return message + " (by " + actor + ")";
}

/// "+2 -1"; "-" for the first on record, "±0" where no grant came or went.
std::string ChangesOf(const Json& revision) {
  const Json* changes = FindMember(revision, "changes");
  if (changes == nullptr || !changes->is_object()) return "-";
  const std::size_t added = report::ArrayMember(*changes, "added").size();
  const std::size_t removed = report::ArrayMember(*changes, "removed").size();
  if (added + removed == 0) return "±0";
  std::string text = added > 0 ? "+" + std::to_string(added) : "";
  if (removed > 0) text += (text.empty() ? "-" : " -") + std::to_string(removed);
  return text;
}

}  // namespace

std::string EventsText(const Json& report, const TextStyle& style) {
  const Json& events = report::ArrayMember(report, "events");
  if (events.empty()) return style.titles ? "No events.\n" : "";
  report::Table table(
      {{"TIME"},
       {.title = "TYPE", .goes = 3},
       {"REASON"},
       {"RESOURCE", true, 16, 1},
       {.title = "TARGET", .shrinks = true, .least = 16, .goes = 2, .cut = report::Cut::kLeft},
       {"MESSAGE", true, 20}});
  for (const Json& event : events) {
    const bool warning = StringMember(event, "type") == "Warning";
    table.AddRow({{Shown(event, "time")},
                  {Shown(event, "type"), warning ? Colour::kYellow : Colour::kNone},
                  {Shown(event, "reason")},
                  {Shown(event, "resource")},
                  {Shown(event, "target")},
                  {MessageOf(event)}});
  }
  return table.Text(style);
}

std::string EventLine(const Json& event, const TextStyle& style) {
  const bool warning = StringMember(event, "type") == "Warning";
  std::string line =
      Shown(event, "time") + "  " +
      report::Paint(Shown(event, "type"), warning ? Colour::kYellow : Colour::kNone, style) + "  " +
      Shown(event, "reason");
  for (const char* member : {"resource", "target"}) {
    if (const std::string text = Shown(event, member); !text.empty()) line += "  " + text;
  }
  return line + "  " + MessageOf(event) + "\n";
}

std::string HistoryText(const Json& report, const TextStyle& style) {
  const std::string target = Shown(report, "target");
  const Json& revisions = report::ArrayMember(report, "revisions");
  if (const std::string note = Shown(report, "note"); !note.empty()) return note + ".\n";
  if (revisions.empty()) {
    return "No revisions of " + (target.empty() ? Shown(report, "name") : target) +
           " are on record.\n";
  }
  report::Table table({{"REVISION"},
                       {"TIME"},
                       {.title = "AGE", .goes = 2},
                       {"ORIGIN"},
                       {"CHANGE"},
                       {"ACTOR", true, 16},
                       {"ETAG", true, 8, 3},
                       {.title = "DIGEST", .goes = 1}});
  for (const Json& revision : revisions) {
    table.AddRow({{std::to_string(report::IntMember(revision, "id"))},
                  {Shown(revision, "time")},
                  {report::AgeOf(revision, "time", style)},
                  {Shown(revision, "origin")},
                  {ChangesOf(revision)},
                  {Shown(revision, "actor")},
                  {Shown(revision, "etag")},
                  {Shown(revision, "digest").substr(0, kDigestShown)}});
  }
  if (!style.titles) return table.Text(style);
  const std::string name = Shown(report, "name");
  return report::Paint(target, Colour::kBold, style) + "\n" + table.Text(style) +
         "What one changed: bindery history " + name +
         " REVISION; write one back with: bindery rollback " + name + " REVISION\n";
}

}  // namespace bindery
