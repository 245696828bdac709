#include <string>

#include "providers/kinds.h"
#include "report/access_words.h"
#include "report/json_fields.h"
#include "report/problem_lines.h"
#include "report/text.h"
#include "report/text_table.h"

namespace bindery {
namespace {

using report::BoolMember;
using report::Cell;
using report::Colour;
using report::ObjectMember;
using report::Shown;

Cell ReadyCell(const Json& status) {
  if (BoolMember(status, "ready")) return {"True", Colour::kGreen};
  const std::string state = StringMember(status, "state");
  if (state == "Suspended") return {"False", Colour::kDim};
  return {"False", state == "Stalled" ? Colour::kRed : Colour::kYellow};
}

/// Since when it is in the state it is in.
std::string AgeOfState(const Json& status, const TextStyle& style) {
  const Json& conditions = report::ArrayMember(status, "conditions");
  if (conditions.empty()) return "-";
  return report::AgeOf(conditions.front(), "lastTransitionTime", style);
}

/// What sets a resource apart: "preview, observe, suspended, ends in 5d3h".
std::string NotesOfResource(const Json& resource, const TextStyle& style) {
  std::string notes;
  const auto note = [&](const std::string& text) { notes += (notes.empty() ? "" : ", ") + text; };
  if (BoolMember(resource, "preview")) note("preview");
  if (StringMember(resource, "mode") == "observe") note("observe");
  if (BoolMember(resource, "suspended")) note("suspended");
  const std::string time = report::TimeBoundsText(ObjectMember(resource, "timeBounds"), style);
  if (!time.empty()) note(time);
  return notes;
}

std::string LabelsOf(const Json& resource) {
  std::string text;
  for (const auto& label : ObjectMember(resource, "labels").items()) {
    if (!label.value().is_string()) continue;
    text += (text.empty() ? "" : ",") +
            report::Printable(label.key() + "=" + label.value().get<std::string>());
  }
  return text;
}

std::string ResourcesTable(const Json& resources, const TextStyle& style) {
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
  for (const Json& resource : resources) {
    const Json& status = ObjectMember(resource, "status");
    std::vector<Cell> cells = {{Shown(resource, "name")},          {Shown(resource, "kind")},
                               {Shown(resource, "target")},        ReadyCell(status),
                               {Shown(status, "reason")},          {AgeOfState(status, style)},
                               {NotesOfResource(resource, style)}, {Shown(status, "message")}};
    if (style.wide) {
      const Json& source = ObjectMember(resource, "source");
      const std::int64_t line = report::IntMember(source, "line");
      cells.push_back({Shown(resource, "provider")});
      cells.push_back({report::AgeOf(resource, "observedAt", style)});
      cells.push_back({Shown(source, "file") + (line > 0 ? ":" + std::to_string(line) : "")});
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

/// What a lookup gives is what it is looked at for.
std::string OutputsOf(const Json& resource) {
  const Json& outputs = ObjectMember(resource, "outputs");
  const TypeToken token = {StringMember(resource, "apiVersion"), StringMember(resource, "kind")};
  if (outputs.empty() || !IsLookup(token)) return "";
  std::string text = "\nOutputs:\n";
  AddOutputLines(outputs, "", text);
  return text;
}

}  // namespace

std::string ResourceNamesText(const Json& report) {
  std::string text;
  for (const Json& resource : report::ArrayMember(report, "resources")) {
    text += Shown(resource, "name") + "\n";
  }
  return text;
}

std::string ResourcesText(const Json& report, const TextStyle& style) {
  const Json& resources = report::ArrayMember(report, "resources");
  std::string text = style.titles ? "No resources.\n" : "";
  if (!resources.empty()) {
    text = ResourcesTable(resources, style);
  }
  if (resources.size() == 1) text += OutputsOf(resources.front());
  std::vector<report::ProblemLine> problems;
  report::ReadJson(report::ArrayMember(report, "problems"), problems);
  if (problems.empty() || !style.titles) return text;
  const auto count = static_cast<std::int64_t>(problems.size());
  text += "\n" + report::Count(count, "problem") + " in the manifests:\n";
  return text + report::ProblemLines(problems, style);
}

}  // namespace bindery
