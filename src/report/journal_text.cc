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

}  // namespace

std::string EventsText(const Json& report, const TextStyle& style) {
  const Json& events = report::ArrayMember(report, "events");
  if (events.empty()) return "No events.\n";
  report::Table table({{"TIME"},
                       {.title = "TYPE", .goes = 3},
                       {"REASON"},
                       {"RESOURCE", true, 16, 1},
                       {"TARGET", true, 16, 2},
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
  report::Table table(
      {{"REVISION"}, {"TIME"}, {"AGE"}, {"ORIGIN"}, {"ACTOR", true}, {"ETAG", true}, {"DIGEST"}});
  for (const Json& revision : revisions) {
    table.AddRow({{std::to_string(report::IntMember(revision, "id"))},
                  {Shown(revision, "time")},
                  {report::AgeOf(revision, "time", style)},
                  {Shown(revision, "origin")},
                  {Shown(revision, "actor")},
                  {Shown(revision, "etag")},
                  {Shown(revision, "digest").substr(0, kDigestShown)}});
  }
  return report::Paint(target, Colour::kBold, style) + "\n" + table.Text(style) +
         "Write one back with: bindery rollback " + Shown(report, "name") + " REVISION\n";
}

}  // namespace bindery
