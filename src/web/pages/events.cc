#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "web/filter.h"
#include "web/pages/event_table.h"
#include "web/pages/pages.h"
#include "web/parts.h"
#include "web/table.h"

namespace bindery::web {
namespace {

/// Most events are about a target, whose resources are not listed.
Html Concerned(const report::EventLine& event) {
  if (event.target.empty()) return ResourceLink(event.resource);
  if (event.resource.empty()) {
    const std::string shown = ShortName(event.target);
    return El("span", {{"class", NameClass(shown)}, {"title", event.target}}, InOneLine(shown));
  }
  return El("span", {{"title", event.target}}, ResourceLink(event.resource));
}

Html ActorCell(const std::string& actor) {
  if (actor.empty()) return {};
  const std::string look = NameClass(actor);
  return El("span", {{"class", look}, {"title", actor, look != "name"}}, InOneLine(actor));
}

/// The length of a page.
std::size_t GetLimit(const PageContext& context) {
  std::string text = context.Asked("limit");
  if (text.empty()) text = kPageLength;
  std::size_t limit = 0;
  std::from_chars(text.data(), text.data() + text.size(), limit);
  return limit;
}

/// The links to the events around those shown, with the same filter. The oldest and the newest that
/// are shown are known by their ids, so that both stay in place while new events come.
Html EventPager(const PageContext& context, const std::vector<report::EventLine>& newest_first,
                bool newest) {
  const auto to = [&](const Query& place, const char* words) {
    const Query none = {{"before", ""}, {"after", ""}, {"oldest", ""}};
    const Query query = Replaced(Replaced(context.query, none), place);
    return El("a", {{"href", WithQuery(context.path, query)}}, words);
  };
  Html links;
  if (!newest) links.Add(to({}, "↑ Newest"));
  if (!newest_first.empty()) {
    const std::string last = std::to_string(newest_first.front().id);
    const std::string first = std::to_string(newest_first.back().id);
    if (!newest) links.Add(to({{"after", last}, {"oldest", "true"}}, "← Newer"));
    const bool older = newest_first.size() >= GetLimit(context) || !context.Asked("oldest").empty();
    if (older) links.Add(to({{"before", first}}, "Older →"));
  }
  if (links.empty()) return {};
  return El("nav", {{"class", "pager"}, {"aria-label", "Parts of the list"}}, links);
}

/// The table with a row for each event.
Html EventRows(const PageContext& context, const std::vector<report::EventLine>& events,
               Table table) {
  if (events.empty()) return Nothing("Nothing happened yet.");
  for (const report::EventLine& event : events) {
    const bool warns = event.type == EventType::kWarning;
    table.AddRow({warns ? Badge("Warning", event.reason) : Name(event.reason),
                  Ago(context, event.time), Concerned(event),
                  Sentence("e" + std::to_string(event.id), event.message), ActorCell(event.actor)});
  }
  return table.Finished();
}

/// In an asked order.
Html SortableEvents(const PageContext& context, const std::vector<report::EventLine>& events,
                    const char* caption) {
  const auto by = [](const char* name) { return ListOrder{name, "time"}; };
  Table table(caption,
              {Sorted(context, "What", by("reason")), Sorted(context, "When", by("time")),
               Sorted(context, "About", by("about")), Sorted(context, "Message", by("message")),
               Sorted(context, "By", by("actor"))});
  return EventRows(context, events, std::move(table));
}

}  // namespace

Html EventTable(const PageContext& context, const std::vector<report::EventLine>& events,
                std::string_view caption) {
  return EventRows(
      context, events,
      Table(std::string(caption), {{"What"}, {"When"}, {"About"}, {"Message"}, {"By"}}));
}

std::string EventsPage(const PageContext& context, const report::EventList& report) {
  Frame frame;
  frame.title = "Events";
  frame.section = "/events";
  frame.list = true;
  frame.has_csv = true;
  const bool sorted = report.total.has_value();
  std::vector<report::EventLine> newest_first = report.events;
  if (!sorted) std::reverse(newest_first.begin(), newest_first.end());
  const auto count = static_cast<std::int64_t>(report.total.value_or(newest_first.size()));
  const bool newest = context.Asked("before").empty() && context.Asked("oldest").empty();
  const std::string resource = context.Asked("resource");
  frame.summary = (newest && !sorted && count > 0 ? "The newest " : "") +
                  Counted(count, "event", "events") +
                  (resource.empty() ? "." : " of " + resource + ".");
  frame.searches = true;
  frame.before = FilterForm(context)
                     .Search("message, name, reason, actor")
                     .Select("type", "Type", MakeChoices(report::kAllOf<EventType>))
                     .Text("reason", "Reason", "PolicyWritten")
                     .Text("resource", "Resource", "any")
                     .Text("actor", "By", "bindery")
                     .Text("since", "Since", "24h, 2026-11-21")
                     .Text("until", "Until", "2026-11-22")
                     .Finished();
  const report::ListSlice slice = {report.total.value_or(0), report.offset.value_or(0),
                                   GetLimit(context)};
  const Html pager = sorted ? Pager(context, slice, newest_first.size())
                            : EventPager(context, newest_first, newest);
  if (newest_first.empty()) {
    const char* why = context.query.empty() ? "Nothing happened yet." : "No event fits the filter.";
    return Document(context, frame, Nothing(why).Add(pager));
  }
  const char* caption = sorted ? "Events" : "Events, newest first";
  return Document(context, frame, SortableEvents(context, newest_first, caption).Add(pager));
}

}  // namespace bindery::web
