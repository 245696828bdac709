#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "providers/registry/kinds.h"
#include "report/forms/access_words.h"
#include "report/forms/texts.h"
#include "report/reports/problem_lines.h"
#include "report/text/text_table.h"
#include "report/values/resource_values.h"

namespace bindery::report {
namespace {

Cell ReadyCell(const ReportedStatus& status) {
  if (status.ready) return {"True", Colour::kGreen};
  if (status.state == ResourceState::kSuspended) return {"False", Colour::kDim};
  return {"False", status.state == ResourceState::kStalled ? Colour::kRed : Colour::kYellow};
}

/// The age of the present state.
std::string AgeOfState(const ReportedStatus& status, const TextStyle& style) {
  if (status.conditions.empty()) return "-";
  return FormatTimeAge(status.conditions.front().last_transition_time, style);
}

/// What sets a resource apart: "preview, observe, suspended, ends in 5d3h".
std::string NotesOfResource(const ReportedResource& resource, const TextStyle& style) {
  std::string notes;
  const auto note = [&](const std::string& text) { notes += (notes.empty() ? "" : ", ") + text; };
  if (resource.preview) note("preview");
  if (resource.mode == "observe") note("observe");
  if (resource.suspended) note("suspended");
  const std::string time = TimeBoundsText(resource.time_bounds, style);
  if (!time.empty()) note(time);
  return notes;
}

std::string JoinLabels(const ReportedResource& resource) {
  std::string text;
  for (const auto& [name, value] : resource.labels) {
    text += (text.empty() ? "" : ",") + Printable(name + "=" + value);
  }
  return text;
}

/// "teams/payments.yaml:3"
std::string PlaceOfResource(const ReportedResource& resource) {
  if (!resource.source) return "";
  const int line = resource.source->line;
  return Printable(resource.source->file) + (line > 0 ? ":" + std::to_string(line) : "");
}

using Group = std::vector<const ReportedResource*>;

std::string GroupTitle(std::string_view name, const Group& group) {
  return (name.empty() ? "no kind" : Printable(name)) + " (" + std::to_string(group.size()) + ")";
}

/// The resources as they come, in groups with titles: by kind in the order of kinds, by state with
/// the most urgent first. One group without a title where none is wanted.
std::vector<std::pair<std::string, Group>> GetGroups(const std::vector<ReportedResource>& resources,
                                                     ResourceGroups by) {
  std::vector<std::pair<std::string, Group>> groups;
  if (by == ResourceGroups::kKind) {
    std::map<std::string_view, Group> kinds;
    for (const ReportedResource& resource : resources) kinds[resource.kind].push_back(&resource);
    for (auto& [kind, group] : kinds) {
      std::string title = GroupTitle(kind, group);
      groups.emplace_back(std::move(title), std::move(group));
    }
    return groups;
  }
  if (by == ResourceGroups::kNone) {
    Group all;
    for (const ReportedResource& resource : resources) all.push_back(&resource);
    if (!all.empty()) groups.emplace_back("", std::move(all));
    return groups;
  }
  std::map<ResourceState, Group, std::greater<>> states;
  for (const ReportedResource& resource : resources) {
    states[resource.status.state].push_back(&resource);
  }
  for (auto& [state, group] : states) {
    std::string title = GroupTitle(ToString(state), group);
    groups.emplace_back(std::move(title), std::move(group));
  }
  return groups;
}

/// By kind where a person reads, and there are several kinds: one row per line is for programs.
ResourceGroups GroupsFor(const std::vector<ReportedResource>& resources, const TextStyle& style) {
  if (style.width == 0 || style.wide || !style.titles) return ResourceGroups::kNone;
  const bool several = std::any_of(resources.begin(), resources.end(), [&](const auto& resource) {
    return resource.kind != resources.front().kind;
  });
  return several ? ResourceGroups::kKind : ResourceGroups::kNone;
}

std::vector<Column> ResourceColumns(const TextStyle& style, bool with_kind) {
  std::vector<Column> columns = {
      {.title = "NAME", .shrinks = true, .least = 32, .cut = Cut::kNever},
      {"KIND", true, 16, 3},
      {.title = "TARGET", .shrinks = true, .least = 16, .goes = 4, .cut = Cut::kLeft},
      {"READY"},
      {"REASON"},
      {"AGE"},
      {.title = "NOTES", .goes = 2},
      {"MESSAGE", true, 24, 1}};
  if (style.wide) {
    for (const char* title : {"PROVIDER", "OBSERVED", "SOURCE", "LABELS"})
      columns.push_back({title});
  }
  if (!with_kind) columns.erase(columns.begin() + 1);
  return columns;
}

std::vector<Cell> ResourceCells(const ReportedResource& resource, const TextStyle& style,
                                bool with_kind) {
  const ReportedStatus& status = resource.status;
  std::vector<Cell> cells = {{Printable(resource.name)},         {Printable(resource.kind)},
                             {Printable(resource.target)},       ReadyCell(status),
                             {Printable(status.reason)},         {AgeOfState(status, style)},
                             {NotesOfResource(resource, style)}, {Printable(status.message)}};
  if (style.wide) {
    cells.push_back({Printable(resource.provider)});
    cells.push_back({FormatTimeAge(resource.observed_at, style)});
    cells.push_back({PlaceOfResource(resource)});
    cells.push_back({JoinLabels(resource)});
  }
  if (!with_kind) cells.erase(cells.begin() + 1);
  return cells;
}

std::string ResourcesTable(const std::vector<ReportedResource>& resources, const TextStyle& style,
                           ResourceGroups by) {
  const bool with_kind = by != ResourceGroups::kKind;
  Table table(ResourceColumns(style, with_kind));
  for (const auto& [title, group] : GetGroups(resources, by)) {
    if (!title.empty()) table.AddGroup(title);
    for (const ReportedResource* resource : group) {
      table.AddRow(ResourceCells(*resource, style, with_kind));
    }
  }
  return table.Text(style);
}

/// "  uploadFileInfo.signedUri: [secret]", a line for each.
// NOLINTNEXTLINE(misc-no-recursion): as deep as the outputs
void AddOutputLines(const Json& outputs, const std::string& prefix, std::string& text) {
  for (const auto& item : outputs.items()) {
    const std::string path = prefix + Printable(item.key());
    const Json& value = item.value();
    if (value.is_object() && !value.empty()) {
      AddOutputLines(value, path + ".", text);
      continue;
    }
    text += "  " + path + ": " +
            Printable(value.is_string() ? value.get<std::string>() : CanonicalJson(value)) + "\n";
  }
}

/// The outputs of a lookup are its purpose.
std::string GetOutputs(const ReportedResource& resource) {
  if (resource.outputs.empty() || !providers::IsLookup({resource.api_version, resource.kind}))
    return "";
  std::string text = "\nOutputs:\n";
  AddOutputLines(resource.outputs, "", text);
  return text;
}

/// A line for each text of the problems, with the first place and the number of places.
std::string ProblemsByText(const std::vector<ProblemLine>& problems, const TextStyle& style) {
  constexpr std::size_t kMostTexts = 20;
  using Key = std::tuple<manifests::ProblemSeverity, std::string_view, std::string_view>;
  std::map<Key, std::size_t> places;
  std::vector<std::pair<const ProblemLine*, std::int64_t>> texts;
  for (const ProblemLine& problem : problems) {
    const auto [place, is_new] =
        places.try_emplace({problem.severity, problem.code, problem.message}, texts.size());
    if (is_new) texts.emplace_back(&problem, 0);
    ++texts[place->second].second;
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(texts.size(), kMostTexts); ++i) {
    const auto& [first, count] = texts[i];
    ProblemLine line = *first;
    if (count > 1) line.message += " (and " + std::to_string(count - 1) + " more with this text)";
    text += ProblemLines({line}, style);
  }
  if (texts.size() == problems.size() && texts.size() <= kMostTexts) return text;
  if (texts.size() > kMostTexts) {
    text += Count(static_cast<std::int64_t>(texts.size() - kMostTexts), "more text") + ". ";
  }
  return text + "All of them: bindery validate, or bindery get -o json\n";
}

}  // namespace

std::string ResourceNamesText(const ListedResources& report) {
  std::string text;
  for (const ReportedResource& resource : report.resources) {
    text += Printable(resource.name) + "\n";
  }
  return text;
}

std::string ResourcesText(const ListedResources& report, const TextStyle& style,
                          std::optional<ResourceGroups> by) {
  std::string text = style.titles ? "No resources.\n" : "";
  if (!report.resources.empty()) {
    text = ResourcesTable(report.resources, style, by.value_or(GroupsFor(report.resources, style)));
  }
  if (report.resources.size() == 1) text += GetOutputs(report.resources.front());
  if (report.problems.empty() || !style.titles) return text;
  const auto count = static_cast<std::int64_t>(report.problems.size());
  text += "\n" + report::Count(count, "problem") + " in the manifests:\n";
  return text + ProblemsByText(report.problems, style);
}

}  // namespace bindery::report
