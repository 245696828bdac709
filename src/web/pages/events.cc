#include <algorithm>
#include <charconv>

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
    return El("span", {{"title", event.target}}, Breakable(ShortName(event.target)));
  }
  return El("span", {{"title", event.target}}, ResourceLink(event.resource));
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

}  // namespace

Html EventTable(const PageContext& context, const std::vector<report::EventLine>& events,
                std::string_view caption) {
  if (events.empty()) return Nothing("Nothing happened yet.");
  Table table(std::string(caption), {{"What"}, {"When"}, {"About"}, {"Message"}, {"By"}});
  for (const report::EventLine& event : events) {
    const bool warns = event.type == EventType::kWarning;
    table.AddRow({warns ? Badge("Warning", event.reason) : Name(event.reason),
                  Ago(context, event.time), Concerned(event), event.message, Word(event.actor)});
  }
  return table.Finished();
}

std::string EventsPage(const PageContext& context, const report::EventList& report) {
  Frame frame;
  frame.title = "Events";
  frame.section = "/events";
  frame.list = true;
  frame.has_csv = true;
  std::vector<report::EventLine> newest_first = report.events;
  std::reverse(newest_first.begin(), newest_first.end());
  const auto count = static_cast<std::int64_t>(newest_first.size());
  const bool newest = context.Asked("before").empty() && context.Asked("oldest").empty();
  const std::string resource = context.Asked("resource");
  frame.summary = (newest ? "The newest " : "") + Counted(count, "event", "events") +
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
  if (newest_first.empty()) {
    return Document(
        context, frame,
        Nothing(context.query.empty() ? "Nothing happened yet." : "No event fits the filter.")
            .Add(EventPager(context, newest_first, newest)));
  }
  return Document(context, frame,
                  EventTable(context, newest_first, "Events, newest first")
                      .Add(EventPager(context, newest_first, newest)));
}

}  // namespace bindery::web
