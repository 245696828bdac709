#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <utility>

#include "web/filter.h"
#include "web/pages/pages.h"
#include "web/parts.h"
#include "web/table.h"

namespace bindery::web {
namespace {

/// The maximum number of groups on the page.
constexpr std::size_t kMostGroups = 500;

constexpr std::array<const char*, 6> kGroupings = {"project", "folder",    "kind",
                                                   "role",    "principal", "severity"};

Html ClassesTable(const report::Coverage& report) {
  Table table("Grants by who answers for them",
              {{"Class"}, {.title = "Grants", .number = true}, {"What they are"}});
  const report::CoverageClasses& classes = report.classes;
  const auto add = [&](const char* name, std::int64_t count, const char* words) {
    table.AddRow({std::string(name), Figure(count), std::string(words)});
  };
  add("Declared", classes.declared, "A manifest declares exactly this grant.");
  add("Accepted", classes.accepted, "The configuration or a manifest says that it may stay.");
  add("Just-in-time", classes.just_in_time, "A service gave it on request, for some time.");
  add("Service agents", classes.service_agents, "The cloud made it for its own services.");
  add("Undeclared", classes.undeclared, "Nobody declares it, on a target with manifests.");
  add("Unmanaged", classes.unmanaged, "It is on a target without a manifest.");
  add("Tombstones", classes.tombstones, "Its principal is deleted.");
  return table.Finished();
}

Html GroupLinks(const PageContext& context) {
  Html links;
  for (const char* by : kGroupings) {
    links.Add(
        El("a",
           {{"href", WithQuery("/coverage", Replaced(context.query, {{"by", by}, {"sort", ""}}))},
            {"aria-current", "page", context.Asked("by") == by}},
           std::string("By ") + by));
  }
  return El("p", {{"class", "pager"}}, links);
}

Html GroupsTable(const PageContext& context, const report::Coverage& report) {
  const auto number = [&](const char* title, const char* name) {
    Column column = Sorted(context, title, {name, ""});
    column.number = true;
    return column;
  };
  Table table("Grants by " + report.by,
              {Sorted(context, Capital(report.by).c_str(), {"name", ""}),
               number("Grants", "grants"), number("Declared", "declared"),
               number("Accepted", "accepted"), number("Just-in-time", "justInTime"),
               number("Agents", "serviceAgents"), number("Undeclared", "undeclared"),
               number("Unmanaged", "unmanaged"), number("Tombstones", "tombstones")});
  const std::size_t shown = std::min(report.groups.size(), kMostGroups);
  for (const report::CoverageGroup& group : std::span(report.groups).first(shown)) {
    const report::CoverageClasses& classes = group.classes;
    table.AddRow({WholeName("span", "name", group.name), Figure(group.grants),
                  Figure(classes.declared), Figure(classes.accepted), Figure(classes.just_in_time),
                  Figure(classes.service_agents), Figure(classes.undeclared),
                  Figure(classes.unmanaged), Figure(classes.tombstones)});
  }
  Html content = table.Finished();
  if (shown < report.groups.size()) {
    content.Add(CommandHint("The first " + Figure(static_cast<std::int64_t>(shown)) + " of " +
                                Figure(std::ssize(report.groups)) + ". All:",
                            "bindery coverage --by " + report.by + " -o json"));
  }
  return content;
}

/// A line of what was not looked at; a long list at its end is folded.
Html NotLookedAt(const std::string& line) {
  constexpr std::size_t kLong = 160;
  const std::size_t list = line.size() > kLong ? line.rfind(": ") : std::string::npos;
  if (list == std::string::npos) return El("li", {}, line);
  return El(
      "li", {},
      El("details", {}, El("summary", {}, line.substr(0, list)), Breakable(line.substr(list + 2))));
}

}  // namespace

std::string CoveragePage(const PageContext& context, const report::Coverage& report) {
  Frame frame;
  frame.title = "Coverage";
  frame.section = "/coverage";
  frame.dense = true;
  if (report.scope.empty()) {
    frame.summary = "No scan is finished.";
    return Document(context, frame,
                    Nothing("A scan reads all policies of an organization, a folder or a project. "
                            "Then this page says of every grant who answers for it.")
                        .Add(CommandHint("To scan:", "bindery scan --scope organizations/NUMBER")));
  }
  frame.summary = "Of " + Counted(report.grants, "grant", "grants") + " in " + report.scope + ", " +
                  Figure(report.classes.undeclared + report.classes.unmanaged) +
                  " are declared by nobody.";
  frame.has_csv = true;
  Html content = El("p", {}, "Scanned ", Ago(context, report.as_of),
                    ". What the scan found may have been up to ",
                    std::to_string(report.index_hours), " hours old. The conditions of ",
                    Counted(report.ended_conditions, "grant", "grants"), " have ended.");
  content.Add(ClassesTable(report));
  content.Add(GroupLinks(context));
  if (!report.by.empty()) content.Add(GroupsTable(context, report));
  Html list;
  for (const std::string& line : report.not_looked_at) list.Add(NotLookedAt(line));
  content.Add(MakeSection("Not looked at", El("ul", {}, list)));
  return Document(context, frame, content);
}

}  // namespace bindery::web
