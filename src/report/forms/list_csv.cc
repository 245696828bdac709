#include "report/forms/list_csv.h"

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/settings/label_selector.h"
#include "report/access/access_report.h"
#include "report/forms/texts.h"
#include "report/text/csv.h"
#include "report/text/text_style.h"

namespace bindery::report {
namespace {

std::string LabelsCell(const std::map<std::string, std::string>& labels) {
  std::string text;
  for (const auto& [name, value] : labels) {
    text += (text.empty() ? "" : " ") + LabelSelectorText(name, value);
  }
  return Printable(text);
}

}  // namespace

std::string ListCsv(const ListedResources& list) {
  std::string text = CsvLine({"name", "state", "reason", "message", "kind", "target", "provider",
                              "file", "line", "labels", "changed", "observed"});
  for (const ReportedResource& resource : list.resources) {
    const ReportedStatus& status = resource.status;
    const WallTime changed =
        status.conditions.empty() ? WallTime{} : status.conditions.front().last_transition_time;
    text += CsvLine(
        {Printable(resource.name), std::string(ToString(status.state)), Printable(status.reason),
         Printable(status.message), Printable(resource.kind), Printable(resource.target),
         Printable(resource.provider), resource.source ? Printable(resource.source->file) : "",
         resource.source ? std::to_string(resource.source->line) : "", LabelsCell(resource.labels),
         TimeText(changed), TimeText(resource.observed_at)});
  }
  return text;
}

std::string ListCsv(const TargetList& list) {
  std::string text = CsvLine({"target", "kind", "provider", "severity", "open", "held",
                              "undeclared", "grants", "resources", "observed"});
  for (const TargetLine& target : list.targets) {
    text += CsvLine({Printable(target.target), Printable(target.kind), Printable(target.provider),
                     target.severity ? std::string(ToString(*target.severity)) : "",
                     std::to_string(target.open), std::to_string(target.held),
                     std::to_string(target.undeclared), std::to_string(target.grants),
                     std::to_string(target.resources), TimeText(target.observed_at)});
  }
  return text;
}

std::string ListCsv(const AccessListing& list) { return AccessCsv(list); }

std::string ListCsv(const EventList& list) {
  std::string text =
      CsvLine({"id", "time", "type", "reason", "resource", "target", "message", "actor"});
  for (const EventLine& event : list.events) {
    text +=
        CsvLine({std::to_string(event.id), TimeText(event.time), std::string(ToString(event.type)),
                 Printable(event.reason), Printable(event.resource), Printable(event.target),
                 Printable(event.message), Printable(event.actor)});
  }
  return text;
}

std::string ListCsv(const ProblemList& list) {
  std::string text =
      CsvLine({"severity", "code", "file", "line", "column", "path", "message", "resource"});
  for (const ProblemLine& problem : list.problems) {
    text += CsvLine({std::string(ToString(problem.severity)), Printable(problem.code),
                     Printable(problem.file), std::to_string(problem.line),
                     std::to_string(problem.column), Printable(problem.path),
                     Printable(problem.message), Printable(problem.resource)});
  }
  return text;
}

std::string ListCsv(const WorkHistory& history) {
  std::string text =
      CsvLine({"time", "openLeast", "openMost", "openLast", "undeclaredLeast", "undeclaredMost",
               "undeclaredLast", "found", "writes", "errors", "calls"});
  for (const HistorySpan& span : history.spans) {
    text += CsvLine({TimeText(span.time), std::to_string(span.open.least),
                     std::to_string(span.open.most), std::to_string(span.open.last),
                     std::to_string(span.undeclared.least), std::to_string(span.undeclared.most),
                     std::to_string(span.undeclared.last), std::to_string(span.found),
                     std::to_string(span.writes), std::to_string(span.errors),
                     std::to_string(span.calls)});
  }
  return text;
}

std::string ListCsv(const ReplicaList& list) {
  std::string text =
      CsvLine({"id", "machine", "state", "term", "version", "started", "seen", "silentSeconds"});
  for (const ReplicaLine& replica : list.replicas) {
    text += CsvLine({Printable(replica.id), Printable(replica.host),
                     std::string(ToString(replica.state)),
                     replica.epoch ? std::to_string(*replica.epoch) : "",
                     Printable(replica.version), TimeText(replica.started_at),
                     TimeText(replica.last_seen_at), std::to_string(replica.silent_seconds)});
  }
  return text;
}

std::string ListCsv(const HoldList& list, const GuardSort& sort) {
  std::string text = CsvLine({"hold", "state", "created", "severity", "cause", "principal", "role",
                              "condition", "expression", "target", "kind", "resources"});
  for (const HoldLine& hold : list.holds) {
    for (const auto& [target, held] : ListRemovals(hold, sort)) {
      std::string resources;
      for (const std::string& name : target->resources) {
        resources += (resources.empty() ? "" : " ") + name;
      }
      const std::optional<Condition>& condition = held->grant.condition;
      text += CsvLine({Printable(hold.digest), std::string(ToString(hold.state)),
                       TimeText(hold.created_at), std::string(held->severity.text()),
                       std::string(held->cause.text()), Printable(held->grant.principal),
                       Printable(held->grant.role), condition ? Printable(condition->title) : "",
                       condition ? Printable(condition->expression) : "", Printable(target->target),
                       Printable(target->kind), Printable(resources)});
    }
  }
  return text;
}

std::string ListCsv(const Coverage& coverage) {
  /// Calls `take` with the name of each class and its grants, in the order of the JSON.
  const auto each = [](const CoverageClasses& classes, const auto& take) {
    std::apply(
        [&](const auto&... fields) {
          (take(std::string(fields.name), std::to_string(classes.*fields.value)), ...);
        },
        kFields<CoverageClasses>);
  };
  if (coverage.by.empty()) {
    std::string text = CsvLine({"class", "grants"});
    each(coverage.classes, [&](const std::string& name, const std::string& count) {
      text += CsvLine({name, count});
    });
    return text;
  }
  std::vector<std::string> titles = {coverage.by, "grants"};
  each(coverage.classes,
       [&](const std::string& name, const std::string& /*count*/) { titles.push_back(name); });
  std::string text = CsvLine(titles);
  for (const CoverageGroup& group : coverage.groups) {
    std::vector<std::string> cells = {Printable(group.name), std::to_string(group.grants)};
    each(group.classes,
         [&](const std::string& /*name*/, const std::string& count) { cells.push_back(count); });
    text += CsvLine(cells);
  }
  return text;
}

}  // namespace bindery::report
