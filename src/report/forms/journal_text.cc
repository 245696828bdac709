#include <string>

#include "report/forms/texts.h"
#include "report/text/text_table.h"
#include "report/text/text_wrap.h"
#include "report/values/event_values.h"
#include "report/values/revision_values.h"

namespace bindery::report {
namespace {

constexpr std::size_t kDigestShown = 12;

/// The message, with the actor if bindery did not act by itself.
std::string ComposeLine(const EventLine& event) {
  std::string message = Printable(event.message);
  if (event.actor.empty() || event.actor == "bindery") return message;
  return message + " (by " + Printable(event.actor) + ")";
}

/// In fewer characters the columns beside the message would leave too few to read it.
constexpr int kColumnsForAll = 110;

/// What the event is about, and the message.
std::string ComposeWhole(const EventLine& event) {
  const std::string& about = event.resource.empty() ? event.target : event.resource;
  return (about.empty() ? "" : Printable(about) + ": ") + ComposeLine(event);
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

std::string NarrowEvents(const EventList& report, const TextStyle& style) {
  Table table({{"TIME"}, {"REASON"}, {.title = "MESSAGE", .shrinks = true, .cut = Cut::kWrap}});
  for (const EventLine& event : report.events) {
    table.AddRow({{TimeText(event.time)},
                  {Printable(event.reason), GetColour(event.type)},
                  {ComposeWhole(event)}});
  }
  return table.Text(style);
}

}  // namespace

std::string EventsText(const EventList& report, const TextStyle& style) {
  if (report.events.empty()) return style.titles ? "No events.\n" : "";
  if (style.width > 0 && style.width < kColumnsForAll) return NarrowEvents(report, style);
  Table table({{"TIME"},
               {.title = "TYPE", .goes = 3},
               {"REASON"},
               {"RESOURCE", true, 16, 1},
               {.title = "TARGET", .shrinks = true, .least = 16, .goes = 2, .cut = Cut::kLeft},
               {.title = "MESSAGE", .shrinks = true, .least = 40, .cut = Cut::kWrap}});
  for (const EventLine& event : report.events) {
    table.AddRow({{TimeText(event.time)},
                  {std::string(ToString(event.type)), GetColour(event.type)},
                  {Printable(event.reason)},
                  {Printable(event.resource)},
                  {Printable(event.target)},
                  {ComposeLine(event)}});
  }
  return table.Text(style);
}

std::string LineOfEvent(const EventLine& event, const TextStyle& style) {
  std::string line = TimeText(event.time) + "  " +
                     Paint(ToString(event.type), GetColour(event.type), style) + "  " +
                     Printable(event.reason);
  if (!event.resource.empty()) line += "  " + Printable(event.resource);
  if (!event.target.empty()) line += "  " + Printable(event.target);
  return line + "  " + ComposeLine(event) + "\n";
}

std::string HistoryText(const TargetHistory& history, const TextStyle& style) {
  const std::string target = Printable(history.target);
  const std::string name = Printable(history.name);
  if (!history.note.empty()) return Printable(history.note) + ".\n";
  if (history.revisions.empty()) {
    return "No revisions of " + (target.empty() ? name : target) + " are on record.\n";
  }
  Table table({{"REVISION"},
               {"TIME"},
               {.title = "AGE", .goes = 2},
               {"ORIGIN"},
               {"CHANGE"},
               {"ACTOR", true, 16},
               {"ETAG", true, 8, 3},
               {.title = "DIGEST", .goes = 1}});
  for (const RecordedRevision& revision : history.revisions) {
    table.AddRow({{std::to_string(revision.id)},
                  {TimeText(revision.time)},
                  {FormatTimeAge(revision.time, style)},
                  {std::string(ToString(revision.origin))},
                  {ListChanges(revision)},
                  {Printable(revision.actor)},
                  {Printable(revision.etag)},
                  {Printable(revision.digest).substr(0, kDigestShown)}});
  }
  if (!style.titles) return table.Text(style);
  const std::string next = "What one changed: bindery history " + name +
                           " REVISION; write one back with: bindery rollback " + name + " REVISION";
  return Paint(target, Colour::kBold, style) + "\n" + table.Text(style) + FitLine(next, 2, style) +
         "\n";
}

}  // namespace bindery::report
