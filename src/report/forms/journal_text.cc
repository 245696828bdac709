#include <string>

#include "report/forms/texts.h"
#include "report/text/text_table.h"
#include "report/values/event_values.h"
#include "report/values/revision_values.h"

namespace bindery {
namespace {

using report::Colour;

constexpr std::size_t kDigestShown = 12;

/// The message, with the actor if bindery did not act by itself.
std::string ComposeMessage(const EventLine& event) {
  std::string message = report::Printable(event.message);
  if (event.actor.empty() || event.actor == "bindery") return message;
  return message + " (by " + report::Printable(event.actor) + ")";
}

Colour GetColour(EventType type) {
  return type == EventType::kWarning ? Colour::kYellow : Colour::kNone;
}

/// "+2 -1"; "-" for the first on record, "±0" where no grant came or went.
std::string ListChanges(const RevisionLine& revision) {
  if (!revision.changes) return "-";
  const std::size_t added = revision.changes->added.size();
  const std::size_t removed = revision.changes->removed.size();
  if (added + removed == 0) return "±0";
  std::string text = added > 0 ? "+" + std::to_string(added) : "";
  if (removed > 0) text += (text.empty() ? "-" : " -") + std::to_string(removed);
  return text;
}

}  // namespace

std::string EventsText(const EventList& report, const TextStyle& style) {
  if (report.events.empty()) return style.titles ? "No events.\n" : "";
  report::Table table(
      {{"TIME"},
       {.title = "TYPE", .goes = 3},
       {"REASON"},
       {"RESOURCE", true, 16, 1},
       {.title = "TARGET", .shrinks = true, .least = 16, .goes = 2, .cut = report::Cut::kLeft},
       {"MESSAGE", true, 20}});
  for (const EventLine& event : report.events) {
    table.AddRow({{report::TimeText(event.time)},
                  {std::string(ToString(event.type)), GetColour(event.type)},
                  {report::Printable(event.reason)},
                  {report::Printable(event.resource)},
                  {report::Printable(event.target)},
                  {ComposeMessage(event)}});
  }
  return table.Text(style);
}

std::string LineOfEvent(const EventLine& event, const TextStyle& style) {
  std::string line = report::TimeText(event.time) + "  " +
                     report::Paint(ToString(event.type), GetColour(event.type), style) + "  " +
                     report::Printable(event.reason);
  if (!event.resource.empty()) line += "  " + report::Printable(event.resource);
  if (!event.target.empty()) line += "  " + report::Printable(event.target);
  return line + "  " + ComposeMessage(event) + "\n";
}

std::string HistoryText(const TargetHistory& history, const TextStyle& style) {
  const std::string target = report::Printable(history.target);
  const std::string name = report::Printable(history.name);
  if (!history.note.empty()) return report::Printable(history.note) + ".\n";
  if (history.revisions.empty()) {
    return "No revisions of " + (target.empty() ? name : target) + " are on record.\n";
  }
  report::Table table({{"REVISION"},
                       {"TIME"},
                       {.title = "AGE", .goes = 2},
                       {"ORIGIN"},
                       {"CHANGE"},
                       {"ACTOR", true, 16},
                       {"ETAG", true, 8, 3},
                       {.title = "DIGEST", .goes = 1}});
  for (const RecordedRevision& revision : history.revisions) {
    table.AddRow({{std::to_string(revision.id)},
                  {report::TimeText(revision.time)},
                  {report::FormatTimeAge(revision.time, style)},
                  {std::string(ToString(revision.origin))},
                  {ListChanges(revision)},
                  {report::Printable(revision.actor)},
                  {report::Printable(revision.etag)},
                  {report::Printable(revision.digest).substr(0, kDigestShown)}});
  }
  if (!style.titles) return table.Text(style);
  return report::Paint(target, Colour::kBold, style) + "\n" + table.Text(style) +
         "What one changed: bindery history " + name +
         " REVISION; write one back with: bindery rollback " + name + " REVISION\n";
}

}  // namespace bindery
