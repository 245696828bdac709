#include "report/forms/coverage_text.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "report/text/text_style.h"
#include "report/text/text_table.h"
#include "report/text/text_wrap.h"

namespace bindery::report {
namespace {

std::string ClassTable(const Coverage& coverage, const TextStyle& style) {
  Table table({{"CLASS"}, {"GRANTS"}, {.title = "WHAT THEY ARE", .goes = 1}});
  const CoverageClasses& classes = coverage.classes;
  const auto add = [&](const char* name, std::int64_t count, const char* words) {
    table.AddRow({{name}, {std::to_string(count)}, {words}});
  };
  add("declared", classes.declared, "a manifest declares exactly this grant");
  add("accepted", classes.accepted, "the configuration or a manifest says that it may stay");
  add("justInTime", classes.just_in_time, "given on request, for some time");
  add("serviceAgents", classes.service_agents, "made by the cloud for its own services");
  add("undeclared", classes.undeclared, "nobody declares it, on a target with manifests");
  add("unmanaged", classes.unmanaged, "on a target without a manifest");
  add("tombstones", classes.tombstones, "of deleted principals");
  add("all", coverage.grants, "");
  return table.Text(style);
}

std::string GroupTable(const Coverage& coverage, const TextStyle& style) {
  // A principal and a role are never cut.
  Table table({{.title = coverage.by, .shrinks = true, .least = 16, .cut = Cut::kNever},
               {"GRANTS"},
               {"DECLARED"},
               {.title = "ACCEPTED", .goes = 2},
               {.title = "JUST-IN-TIME", .goes = 2},
               {.title = "AGENTS", .goes = 2},
               {"UNDECLARED"},
               {"UNMANAGED"},
               {.title = "TOMBSTONES", .goes = 1}});
  for (const CoverageGroup& group : coverage.groups) {
    const CoverageClasses& classes = group.classes;
    table.AddRow({{Printable(group.name)},
                  {std::to_string(group.grants)},
                  {std::to_string(classes.declared)},
                  {std::to_string(classes.accepted)},
                  {std::to_string(classes.just_in_time)},
                  {std::to_string(classes.service_agents)},
                  {std::to_string(classes.undeclared)},
                  {std::to_string(classes.unmanaged)},
                  {std::to_string(classes.tombstones)}});
  }
  return table.Text(style);
}

/// A line of what was not looked at; a long list at its end is for other forms.
std::string FoldedLine(const std::string& line) {
  constexpr std::size_t kLong = 160;
  const std::size_t list = line.size() > kLong ? line.rfind(": ") : std::string::npos;
  if (list == std::string::npos) return Printable(line);
  return Printable(line.substr(0, list)) + " (-o json names them)";
}

}  // namespace

std::string CoverageText(const Coverage& coverage, const TextStyle& style) {
  const std::string head = Printable(coverage.scope) + " (" + Printable(coverage.provider) +
                           "), as of " + TimeText(coverage.as_of) + ", " +
                           FormatTimeAge(coverage.as_of, style) +
                           " ago. What the scan found may have been up to " +
                           std::to_string(coverage.index_hours) + " hours old.";
  std::string text = FitLine(head, 0, style) + "\n\n";
  text += ClassTable(coverage, style);
  text += "\n" + report::Count(coverage.grants, "grant") + " in " +
          report::Count(coverage.policies, "policy") + "; the conditions of " +
          std::to_string(coverage.ended_conditions) + " have ended.\n";
  if (!coverage.by.empty()) text += "\n" + GroupTable(coverage, style);
  text += "\nNot looked at:\n";
  for (const std::string& line : coverage.not_looked_at) {
    text += FitLine("- " + FoldedLine(line), 2, style) + "\n";
  }
  return text;
}

}  // namespace bindery::report
