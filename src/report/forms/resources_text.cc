#include <string>
#include <utility>
#include <vector>

#include "providers/registry/kinds.h"
#include "report/forms/access_words.h"
#include "report/forms/texts.h"
#include "report/reports/problem_lines.h"
#include "report/text/text_table.h"
#include "report/values/resource_values.h"

namespace bindery {
namespace {

using report::Cell;
using report::Colour;

Cell ReadyCell(const ReportedStatus& status) {
  if (status.ready) return {"True", Colour::kGreen};
  if (status.state == ResourceState::kSuspended) return {"False", Colour::kDim};
  return {"False", status.state == ResourceState::kStalled ? Colour::kRed : Colour::kYellow};
}

/// The age of the present state.
std::string AgeOfState(const ReportedStatus& status, const TextStyle& style) {
  if (status.conditions.empty()) return "-";
  return report::AgeOf(status.conditions.front().last_transition_time, style);
}

/// What sets a resource apart: "preview, observe, suspended, ends in 5d3h".
std::string NotesOfResource(const ReportedResource& resource, const TextStyle& style) {
  std::string notes;
  const auto note = [&](const std::string& text) { notes += (notes.empty() ? "" : ", ") + text; };
  if (resource.preview) note("preview");
  if (resource.mode == "observe") note("observe");
  if (resource.suspended) note("suspended");
  const std::string time = report::TimeBoundsText(resource.time_bounds, style);
  if (!time.empty()) note(time);
  return notes;
}

std::string LabelsOf(const ReportedResource& resource) {
  std::string text;
  for (const auto& [name, value] : resource.labels) {
    text += (text.empty() ? "" : ",") + report::Printable(name + "=" + value);
  }
  return text;
}

/// "teams/payments.yaml:3"
std::string PlaceOfResource(const ReportedResource& resource) {
  if (!resource.source) return "";
  const int line = resource.source->line;
  return report::Printable(resource.source->file) + (line > 0 ? ":" + std::to_string(line) : "");
}

std::string ResourcesTable(const std::vector<ReportedResource>& resources, const TextStyle& style) {
  std::vector<report::Column> columns = {
      {"NAME", true, 32},
      {"KIND", true, 16, 3},
      {.title = "TARGET", .shrinks = true, .least = 16, .goes = 4, .cut = report::Cut::kLeft},
      {"READY"},
      {"REASON"},
      {"AGE"},
      {.title = "NOTES", .goes = 2},
      {"MESSAGE", true, 24, 1}};
  if (style.wide) {
    for (const char* title : {"PROVIDER", "OBSERVED", "SOURCE", "LABELS"})
      columns.push_back({title});
  }
  report::Table table(std::move(columns));
  for (const ReportedResource& resource : resources) {
    const ReportedStatus& status = resource.status;
    std::vector<Cell> cells = {
        {report::Printable(resource.name)},   {report::Printable(resource.kind)},
        {report::Printable(resource.target)}, ReadyCell(status),
        {report::Printable(status.reason)},   {AgeOfState(status, style)},
        {NotesOfResource(resource, style)},   {report::Printable(status.message)}};
    if (style.wide) {
      cells.push_back({report::Printable(resource.provider)});
      cells.push_back({report::AgeOf(resource.observed_at, style)});
      cells.push_back({PlaceOfResource(resource)});
      cells.push_back({LabelsOf(resource)});
    }
    table.AddRow(std::move(cells));
  }
  return table.Text(style);
}

/// "  uploadFileInfo.signedUri: [secret]", a line for each.
// NOLINTNEXTLINE(misc-no-recursion): as deep as the outputs
void AddOutputLines(const Json& outputs, const std::string& prefix, std::string& text) {
  for (const auto& item : outputs.items()) {
    const std::string path = prefix + report::Printable(item.key());
    const Json& value = item.value();
    if (value.is_object() && !value.empty()) {
      AddOutputLines(value, path + ".", text);
      continue;
    }
    text += "  " + path + ": " +
            report::Printable(value.is_string() ? value.get<std::string>() : CanonicalJson(value)) +
            "\n";
  }
}

/// The outputs of a lookup are its purpose.
std::string OutputsOf(const ReportedResource& resource) {
  if (resource.outputs.empty() || !IsLookup({resource.api_version, resource.kind})) return "";
  std::string text = "\nOutputs:\n";
  AddOutputLines(resource.outputs, "", text);
  return text;
}

}  // namespace

std::string ResourceNamesText(const ListedResources& report) {
  std::string text;
  for (const ReportedResource& resource : report.resources) {
    text += report::Printable(resource.name) + "\n";
  }
  return text;
}

std::string ResourcesText(const ListedResources& report, const TextStyle& style) {
  std::string text = style.titles ? "No resources.\n" : "";
  if (!report.resources.empty()) text = ResourcesTable(report.resources, style);
  if (report.resources.size() == 1) text += OutputsOf(report.resources.front());
  if (report.problems.empty() || !style.titles) return text;
  const auto count = static_cast<std::int64_t>(report.problems.size());
  text += "\n" + report::Count(count, "problem") + " in the manifests:\n";
  return text + report::ProblemLines(report.problems, style);
}

}  // namespace bindery
