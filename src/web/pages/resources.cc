#include <array>

#include "core/label_selector.h"
#include "web/pages/pages.h"
#include "web/parts.h"
#include "web/table.h"

namespace bindery::web {
namespace {

Html Select(Literal name, std::string_view label, const std::string& chosen, const Json& facets) {
  Html options = El("option", {{"value", ""}}, "any");
  for (const auto& facet : facets.items()) {
    options.Add(El("option", {{"value", facet.key()}, {"selected", "", facet.key() == chosen}},
                   facet.key(), " (", facet.value().dump(), ")"));
  }
  return El("label", {}, label, El("select", {{"name", std::string(name.view())}}, options));
}

Html Filter(const PageContext& context, const Json& report) {
  const Json& facets = ObjectOf(report, "facets");
  return El("form", {{"class", "filter"}, {"role", "search"}, {"data-filter", ""}},
            El("label", {}, "Text",
               Void("input", {{"type", "search"},
                              {"name", "q"},
                              {"value", context.Asked("q")},
                              {"placeholder", "name, target, file, reason"},
                              {"autocomplete", "off"}})),
            Select("state", "State", context.Asked("state"), ObjectOf(facets, "states")),
            Select("kind", "Kind", context.Asked("kind"), ObjectOf(facets, "kinds")),
            Select("label", "Label", context.Asked("label"), ObjectOf(facets, "labels")),
            Void("input", {{"type", "hidden"}, {"name", "sort"}, {"value", context.Asked("sort")}}),
            El("button", {{"type", "submit"}}, "Filter"),
            El("a", {{"href", context.path}, {"class", "reset"}}, "Clear"));
}

/// The title of a column that sorts: once this way, once the other.
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

Html Labels(const Json& labels) {
  Html list;
  for (const auto& label : labels.items()) {
    const std::string value = TextOf(labels, label.key());
    const std::string selector = LabelSelectorText(label.key(), value);
    list.Add(El("a", {{"class", "label"}, {"href", WithQuery("/resources", {{"label", selector}})}},
                label.key() + "=" + value));
  }
  return list.empty() ? list : El("span", {{"class", "labels"}}, list);
}

Html NameCell(const Json& resource) {
  Html cell = ResourceLink(TextOf(resource, "name"));
  if (IsTrue(resource, "suspended")) cell.Add(El("span", {{"class", "tag"}}, "suspended"));
  if (IsTrue(resource, "preview")) cell.Add(El("span", {{"class", "tag"}}, "preview"));
  cell.Add(Labels(ObjectOf(resource, "labels")));
  return cell;
}

Html ReadinessCell(const Json& status) {
  Html cell = Badge(TextOf(status, "state"));
  if (!IsTrue(status, "ready")) {
    cell.Add(El("span", {{"class", "below word"}}, TextOf(status, "reason")));
  }
  return cell;
}

}  // namespace

std::string ResourcesPage(const PageContext& context, const Json& report) {
  const Json& resources = ListOf(report, "resources");
  const std::int64_t total = CountOf(report, "total");
  std::int64_t all = 0;
  for (const Json& count : ObjectOf(ObjectOf(report, "facets"), "states")) {
    all += count.get<std::int64_t>();
  }
  Frame frame;
  frame.title = "Resources";
  frame.section = "/resources";
  frame.summary = total == all
                      ? Counted(total, "resource", "resources") + "."
                      : Figure(total) + " of " + Counted(all, "resource", "resources") + ".";
  frame.before = Filter(context, report);
  if (resources.empty()) {
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
  for (const Json& resource : resources) {
    const Json& status = ObjectOf(resource, "status");
    const Json& conditions = ListOf(status, "conditions");
    table.AddRow({NameCell(resource), ReadinessCell(status), Breakable(TextOf(resource, "kind")),
                  Breakable(TextOf(resource, "target")),
                  El("span", {{"class", "word"}}, PlaceOf(ObjectOf(resource, "source"))),
                  conditions.empty() ? Html() : Ago(context, conditions[0], "lastTransitionTime")});
  }
  Html content = table.Finished();
  content.Add(Pager(context, report, resources.size()));
  return Document(context, frame, content);
}

}  // namespace bindery::web
