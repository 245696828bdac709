#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/settings/label_selector.h"
#include "web/filter.h"
#include "web/manifest_link.h"
#include "web/pages/pages.h"
#include "web/parts.h"
#include "web/table.h"

namespace bindery::web {
namespace {

/// Words to choose from, each with the number of its resources.
std::vector<Choice> CountedChoices(const std::map<std::string, std::size_t>& counts) {
  std::vector<Choice> choices;
  for (const auto& [word, count] : counts) {
    choices.emplace_back(word, word + " (" + std::to_string(count) + ")");
  }
  return choices;
}

std::vector<Choice> CountedChoices(const report::StateCounts& states) {
  const std::array<std::pair<ResourceState, std::int64_t>, 4> counts = {
      {{ResourceState::kReady, states.ready},
       {ResourceState::kSuspended, states.suspended},
       {ResourceState::kReconciling, states.reconciling},
       {ResourceState::kStalled, states.stalled}}};
  std::vector<Choice> choices;
  for (const auto& [state, count] : counts) {
    const std::string word(ToString(state));
    choices.emplace_back(word, word + " (" + std::to_string(count) + ")");
  }
  return choices;
}

Html Filter(const PageContext& context, const report::FacetCounts& facets) {
  return FilterForm(context)
      .Search("name, target, file, reason")
      .Select("state", "State", CountedChoices(facets.states))
      .Select("kind", "Kind", CountedChoices(facets.kinds))
      .Select("label", "Label", CountedChoices(facets.labels))
      .Finished();
}

/// The first labels; the page of the resource has all.
Html Labels(const std::map<std::string, std::string>& labels) {
  constexpr std::size_t kMost = 2;
  Html list;
  std::string rest;
  std::size_t number = 0;
  for (const auto& [name, value] : labels) {
    const std::string words = name + "=" + value;
    if (++number > kMost) {
      rest += (rest.empty() ? "" : ", ") + words;
      continue;
    }
    const std::string selector = LabelSelectorText(name, value);
    list.Add(El("a",
                {{"class", "label"},
                 {"title", words},
                 {"href", WithQuery("/resources", {{"label", selector}})}},
                words));
  }
  if (!rest.empty()) {
    list.Add(
        El("span", {{"class", "hint"}, {"title", rest}}, "+" + std::to_string(number - kMost)));
  }
  return list.empty() ? list : El("span", {{"class", "labels"}}, list);
}

Html NameCell(const report::ReportedResource& resource) {
  Html cell = ResourceLink(resource.name);
  const bool is_told = resource.status.state == ResourceState::kSuspended;
  if (resource.suspended && !is_told) cell.Add(El("span", {{"class", "tag"}}, "suspended"));
  if (resource.preview) cell.Add(El("span", {{"class", "tag"}}, "preview"));
  return cell;
}

/// The reason, with the look of the state: both side by side would take a second line.
Html ReadinessCell(const report::ReportedStatus& status) {
  const std::string_view state = ToString(status.state);
  if (status.ready || status.reason.empty() || status.reason == state) return Badge(state);
  return El("span", {{"title", std::string(state)}}, El("span", {{"class", "unseen"}}, state, ": "),
            Badge(state, status.reason));
}

Html DeclaredTargetCell(const std::string& target) {
  if (target.empty()) return {};
  const std::string shown = ShortName(target);
  return El("span", {{"class", NameClass(shown)}, {"title", target}}, InOneLine(shown));
}

Html ChangedCell(const PageContext& context, const report::ReportedStatus& status) {
  if (status.conditions.empty()) return {};
  return Ago(context, status.conditions.front().last_transition_time);
}

}  // namespace

std::string ResourcesPage(const PageContext& context, const report::ListedResources& report) {
  const report::FacetCounts facets = report.facets.value_or(report::FacetCounts());
  const report::ListSlice slice = {report.total.value_or(0), report.offset.value_or(0),
                                   report.limit};
  const auto total = static_cast<std::int64_t>(slice.total);
  const auto all = facets.states.Sum();
  Frame frame;
  frame.title = "Resources";
  frame.section = "/resources";
  frame.summary = total == all
                      ? Counted(total, "resource", "resources") + "."
                      : Figure(total) + " of " + Counted(all, "resource", "resources") + ".";
  frame.list = true;
  frame.has_csv = true;
  frame.searches = true;
  frame.before = Filter(context, facets);
  if (report.resources.empty()) {
    return Document(context, frame,
                    all == 0 ? FirstManifests("No manifest declares anything yet.")
                             : Nothing("No resource fits the filter."));
  }
  const auto by = [](const char* name) { return ListOrder{name, "name"}; };
  Table table("Declared resources",
              {Sorted(context, "Name", by("name")), Sorted(context, "State", by("state")),
               Sorted(context, "Kind", by("kind")), Sorted(context, "Target", by("target")),
               Sorted(context, "Manifest", by("manifest")), Sorted(context, "Labels", by("labels")),
               Sorted(context, "Changed", by("changed"))});
  for (const report::ReportedResource& resource : report.resources) {
    table.AddRow({NameCell(resource), ReadinessCell(resource.status), Breakable(resource.kind),
                  DeclaredTargetCell(resource.target), ManifestName(context, resource.source),
                  Labels(resource.labels), ChangedCell(context, resource.status)});
  }
  Html content = table.Finished();
  content.Add(Pager(context, slice, report.resources.size()));
  return Document(context, frame, content);
}

}  // namespace bindery::web
