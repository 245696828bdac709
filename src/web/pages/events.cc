#include <algorithm>

#include "web/pages/event_table.h"
#include "web/pages/pages.h"
#include "web/parts.h"
#include "web/table.h"

namespace bindery::web {
namespace {

/// Most events are about a target, whose resources are not listed.
Html Concerned(const EventLine& event) {
  if (event.target.empty()) return ResourceLink(event.resource);
  if (event.resource.empty()) return Breakable(event.target);
  return Html(ResourceLink(event.resource))
      .Add(El("span", {{"class", "below"}}, Breakable(event.target)));
}

}  // namespace

Html EventTable(const PageContext& context, const std::vector<EventLine>& events,
                std::string_view caption) {
  if (events.empty()) return Nothing("Nothing happened yet.");
  Table table(std::string(caption), {{"What"}, {"When"}, {"About"}, {"Message"}, {"By"}});
  for (const EventLine& event : events) {
    const bool warns = event.type == EventType::kWarning;
    table.AddRow({warns ? Badge("Warning", event.reason) : Name(event.reason),
                  Ago(context, event.time), Concerned(event), event.message, Word(event.actor)});
  }
  return table.Finished();
}

std::string EventsPage(const PageContext& context, const EventList& report) {
  Frame frame;
  frame.title = "Events";
  frame.section = "/events";
  const std::string resource = context.Asked("resource");
  std::vector<EventLine> newest_first = report.events;
  std::reverse(newest_first.begin(), newest_first.end());
  const auto count = static_cast<std::int64_t>(newest_first.size());
  frame.summary = "The newest " + Counted(count, "event", "events") +
                  (resource.empty() ? "." : " of " + resource + ".");
  frame.before =
      El("form", {{"class", "filter"}, {"role", "search"}, {"data-filter", ""}},
         El("label", {}, "Resource",
            Void("input", {{"name", "resource"}, {"value", resource}, {"autocomplete", "off"}})),
         El("button", {{"type", "submit"}}, "Show"));
  return Document(context, frame, EventTable(context, newest_first, "Events, newest first"));
}

}  // namespace bindery::web
