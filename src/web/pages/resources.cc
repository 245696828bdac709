#include <map>
#include <utility>
#include <vector>

#include "core/settings/label_selector.h"
#include "web/pages/pages.h"
#include "web/parts.h"
#include "web/table.h"

namespace bindery::web {
namespace {

/// Words to choose from, and how many resources each stands for.
using Choices = std::vector<std::pair<std::string, std::int64_t>>;

Choices ChoicesOf(const std::map<std::string, std::size_t>& counts) {
  return {counts.begin(), counts.end()};
}

Choices ChoicesOf(const StateCounts& states) {
  const auto word = [](ResourceState state) { return std::string(ToString(state)); };
  return {{word(ResourceState::kReady), states.ready},
          {word(ResourceState::kSuspended), states.suspended},
          {word(ResourceState::kReconciling), states.reconciling},
          {word(ResourceState::kStalled), states.stalled}};
}

Html Select(Literal name, std::string_view label, const std::string& chosen,
            const Choices& choices) {
  Html options = El("option", {{"value", ""}}, "any");
  for (const auto& [word, count] : choices) {
    options.Add(El("option", {{"value", word}, {"selected", "", word == chosen}}, word, " (",
                   std::to_string(count), ")"));
  }
  return El("label", {}, label, El("select", {{"name", std::string(name.view())}}, options));
}

Html Filter(const PageContext& context, const FacetCounts& facets) {
  return El("form", {{"class", "filter"}, {"role", "search"}, {"data-filter", ""}},
            El("label", {}, "Text",
               Void("input", {{"type", "search"},
                              {"name", "q"},
                              {"value", context.Asked("q")},
                              {"placeholder", "name, target, file, reason"},
                              {"autocomplete", "off"}})),
            Select("state", "State", context.Asked("state"), ChoicesOf(facets.states)),
            Select("kind", "Kind", context.Asked("kind"), ChoicesOf(facets.kinds)),
            Select("label", "Label", context.Asked("label"), ChoicesOf(facets.labels)),
            Void("input", {{"type", "hidden"}, {"name", "sort"}, {"value", context.Asked("sort")}}),
            El("button", {{"type", "submit"}}, "Filter"),
            El("a", {{"href", context.path}, {"class", "reset"}}, "Clear"));
}

/// The title of a sorting column: in one direction, then in the reverse direction.
Column Sorted(const PageContext& context, const char* title, const std::string& order) {
  Column column{title};
  std::string now = context.Asked("sort");
  if (now.empty()) now = "name";
  const bool ascending = now == order;
  if (ascending) column.sort = "ascending";
  if (now == "-" + order) column.sort = "descending";
  const Query query =
      Replaced(context.query, {{"sort", ascending ? "-" + order : order}, {"offset", ""}});
  const char* sign = ascending ? " ↑" : column.sort.empty() ? "" : " ↓";
  column.head = El("a", {{"href", WithQuery(context.path, query)}}, title,
                   El("span", {{"aria-hidden", "true"}}, sign));
  return column;
}

Html Labels(const std::map<std::string, std::string>& labels) {
  Html list;
  for (const auto& [name, value] : labels) {
    const std::string selector = LabelSelectorText(name, value);
    list.Add(El("a", {{"class", "label"}, {"href", WithQuery("/resources", {{"label", selector}})}},
                name + "=" + value));
  }
  return list.empty() ? list : El("span", {{"class", "labels"}}, list);
}

Html NameCell(const ReportedResource& resource) {
  Html cell = ResourceLink(resource.name);
  if (resource.suspended) cell.Add(El("span", {{"class", "tag"}}, "suspended"));
  if (resource.preview) cell.Add(El("span", {{"class", "tag"}}, "preview"));
  cell.Add(Labels(resource.labels));
  return cell;
}

Html ReadinessCell(const ReportedStatus& status) {
  Html cell = Badge(ToString(status.state));
  if (!status.ready) cell.Add(El("span", {{"class", "below word"}}, status.reason));
  return cell;
}

Html ChangedCell(const PageContext& context, const ReportedStatus& status) {
  if (status.conditions.empty()) return {};
  return Ago(context, status.conditions.front().last_transition_time);
}

}  // namespace

std::string ResourcesPage(const PageContext& context, const ListedResources& report) {
  const FacetCounts facets = report.facets.value_or(FacetCounts());
  const ListSlice slice = {report.total.value_or(0), report.offset.value_or(0), report.limit};
  const auto total = static_cast<std::int64_t>(slice.total);
  const auto all = facets.states.Sum();
  Frame frame;
  frame.title = "Resources";
  frame.section = "/resources";
  frame.summary = total == all
                      ? Counted(total, "resource", "resources") + "."
                      : Figure(total) + " of " + Counted(all, "resource", "resources") + ".";
  frame.before = Filter(context, facets);
  if (report.resources.empty()) {
    return Document(
        context, frame,
        Nothing(all == 0 ? "No manifest declares anything yet." : "No resource fits the filter."));
  }
  Table table("Declared resources", {Sorted(context, "Name", "name"),
                                     Sorted(context, "State", "state"),
                                     Sorted(context, "Kind", "kind"),
                                     Sorted(context, "Target", "target"),
                                     {"Manifest"},
                                     Sorted(context, "Changed", "changed")});
  for (const ReportedResource& resource : report.resources) {
    table.AddRow({NameCell(resource), ReadinessCell(resource.status), Breakable(resource.kind),
                  Breakable(resource.target), Word(PlaceOf(resource.source)),
                  ChangedCell(context, resource.status)});
  }
  Html content = table.Finished();
  content.Add(Pager(context, slice, report.resources.size()));
  return Document(context, frame, content);
}

}  // namespace bindery::web
