#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/nearest.h"
#include "manifests/given_values.h"
#include "providers/providers.h"
#include "report/condition_judge.h"
#include "report/json_fields.h"
#include "report/problem_lines.h"
#include "report/reports.h"
#include "report/resource_selection.h"

namespace bindery {
namespace {

using report::ObjectFromText;
using report::ObjectMember;

bool IsPreview(const TypeToken& token) {
  return std::ranges::any_of(Providers(),
                             [&](const Provider* provider) { return provider->IsPreview(token); });
}

/// kstatus: `Ready` sums up; `Reconciling` and `Stalled` are true only while something is off. The
/// store knows when state or reason last changed, which is when any of them could have.
Json Conditions(const ResourceRecord& record) {
  constexpr std::array<ResourceState, 3> kTypes = {
      ResourceState::kReady, ResourceState::kReconciling, ResourceState::kStalled};
  Json conditions = Json::array();
  for (const ResourceState type : kTypes) {
    const bool holds = record.status.state == type;
    const bool tells = holds || type == ResourceState::kReady;
    conditions.push_back({{"type", ToString(type)},
                          {"status", holds ? "True" : "False"},
                          {"reason", record.status.reason},
                          {"message", tells ? record.status.message : std::string()},
                          {"lastTransitionTime", report::TimeOrNull(record.status_since)}});
  }
  return conditions;
}

Json StatusJson(const ResourceRecord& record) {
  return {{"ready", record.status.state == ResourceState::kReady},
          {"state", ToString(record.status.state)},
          {"reason", record.status.reason},
          {"message", record.status.message},
          {"generation", record.generation},
          {"observedGeneration", record.observed_generation},
          {"conditions", Conditions(record)}};
}

Json ResourceJson(const ResourceRecord& record, Json labels, Json observed_at) {
  const Json options = ObjectFromText(record.options);
  Json inputs = ObjectFromText(record.spec);
  Json outputs = ObjectFromText(record.outputs);
  // Before anything was read there is nothing that it gives.
  if (!outputs.empty()) outputs = GivenValues(inputs, std::move(outputs));
  Json resource = {{"name", record.name},
                   {"apiVersion", record.token.api_version},
                   {"kind", record.token.kind},
                   {"target", record.target.name},
                   {"provider", record.provider},
                   {"source", report::SourceJson(record.source_file, record.source_line)},
                   {"labels", std::move(labels)},
                   {"accepted", record.accepted},
                   {"preview", IsPreview(record.token)},
                   {"suspended", record.suspended || report::BoolMember(options, "suspend")},
                   {"observedAt", std::move(observed_at)},
                   {"status", StatusJson(record)},
                   {"inputs", std::move(inputs)},
                   {"outputs", std::move(outputs)}};
  // Without one it is the configuration's, which the store does not know.
  if (const std::string mode = StringMember(options, "mode"); !mode.empty()) {
    resource["mode"] = mode;
  }
  return resource;
}

/// What a list is made of.
struct Listed {
  std::map<std::string, WallTime> observed;  ///< Targets, by key: when they were last read.
  std::vector<ResourceRecord> page;
  std::size_t total = 0;
  report::Facets facets;
};

Expected<Listed> ReadListed(const ReportReader& store, const ResourceFilter& filter,
                            const ResourceList& list) {
  Listed listed;
  report::ResourceSelection selection(filter, list);
  auto read = store.ReadCatalog(
      [&](TargetRecord&& target) {
        if (target.observed) listed.observed[target.target.Key()] = target.observed_at;
      },
      [&](ResourceRecord&& record) {
        if (list.page.limit) listed.facets.Take(record);
        selection.Take(std::move(record));
      });
  if (!read) return Fail(read.error());
  listed.total = selection.total();
  listed.page = selection.Page();
  return listed;
}

}  // namespace

Expected<Json> ResourcesReport(const ReportReader& store, const ResourceFilter& filter,
                               WallTime now, const ResourceList& list) {
  const auto read = ReadListed(store, filter, list);
  if (!read) return Fail(read.error());
  auto problems = store.Problems();
  if (!problems) return Fail(problems.error());
  report::ConditionJudge judge = report::ConditionJudge::At(now);

  Json resources = Json::array();
  std::set<std::string> names;
  for (const ResourceRecord& record : read->page) {
    const auto time = read->observed.find(record.target.Key());
    resources.push_back(ResourceJson(
        record, ObjectFromText(record.labels),
        time == read->observed.end() ? Json(nullptr) : report::TimeOrNull(time->second)));
    Json& resource = resources.back();
    if (Json bounds = judge.TimeBoundsOf(ObjectMember(resource, "inputs")); !bounds.is_null()) {
      resource["timeBounds"] = std::move(bounds);
    }
    names.insert(record.name);
  }
  Json shown = Json::array();
  for (const ManifestProblemRecord& problem : *problems) {
    if (filter.empty() || names.contains(problem.resource))
      shown.push_back(ToJson(report::LineOfProblem(problem)));
  }
  Json report = {{"resources", std::move(resources)}, {"problems", std::move(shown)}};
  if (list.page.limit) {
    report["total"] = read->total;
    report["offset"] = list.page.offset;
    report["limit"] = *list.page.limit;
    report["facets"] = read->facets.ToJson();
  }
  return report;
}

Expected<ResourceRecord> FindResource(const ReportReader& store, const std::string& name) {
  auto found = store.Resource(name);
  if (!found) return Fail(found.error());
  if (*found) return std::move(**found);
  std::vector<std::string> names;
  auto read = store.ReadResources(
      [&](ResourceRecord&& record) { names.push_back(std::move(record.name)); });
  if (!read) return Fail(read.error());
  std::sort(names.begin(), names.end());  // Of those that are equally near, the first.
  std::string message = "there is no resource \"" + name + "\"";
  if (const auto nearest = NearestSpelling(name, names)) {
    message += "; did you mean \"" + *nearest + "\"?";
  }
  return Fail(Code::kNotFound, std::move(message));
}

}  // namespace bindery
