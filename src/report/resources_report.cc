#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/nearest.h"
#include "manifests/given_values.h"
#include "providers/kinds.h"
#include "report/condition_judge.h"
#include "report/json_fields.h"
#include "report/problem_lines.h"
#include "report/reports.h"
#include "report/resource_selection.h"

namespace bindery {
namespace {

using report::ObjectFromText;

bool IsPreview(const TypeToken& token) {
  const Kind* kind = KnownKinds().Find(token);
  return kind != nullptr && kind->schema().preview;
}

/// kstatus: `Ready` sums up; `Reconciling` and `Stalled` are true only while something is off. The
/// store knows when state or reason last changed, which is when any of them could have.
std::vector<ReportedCondition> Conditions(const ResourceRecord& record) {
  constexpr std::array<ResourceState, 3> kTypes = {
      ResourceState::kReady, ResourceState::kReconciling, ResourceState::kStalled};
  std::vector<ReportedCondition> conditions;
  for (const ResourceState type : kTypes) {
    const bool holds = record.status.state == type;
    const bool tells = holds || type == ResourceState::kReady;
    conditions.push_back({type, holds ? "True" : "False", record.status.reason,
                          tells ? record.status.message : std::string(), record.status_since});
  }
  return conditions;
}

ReportedStatus StatusOf(const ResourceRecord& record) {
  return {record.status.state == ResourceState::kReady,
          record.status.state,
          record.status.reason,
          record.status.message,
          record.generation,
          record.observed_generation,
          Conditions(record)};
}

ReportedResource ReportOf(const ResourceRecord& record) {
  const Json options = ObjectFromText(record.options);
  ReportedResource resource;
  resource.name = record.name;
  resource.api_version = record.token.api_version;
  resource.kind = record.token.kind;
  resource.target = record.target.name;
  resource.provider = record.provider;
  resource.source = SourceLineOf(record.source_file, record.source_line);
  report::ReadJson(ObjectFromText(record.labels), resource.labels);
  resource.accepted = record.accepted;
  resource.preview = IsPreview(record.token);
  resource.suspended = record.suspended || report::BoolMember(options, "suspend");
  resource.status = StatusOf(record);
  resource.inputs = ObjectFromText(record.spec);
  resource.outputs = ObjectFromText(record.outputs);
  // Before anything was read there is nothing that it gives.
  if (!resource.outputs.empty()) {
    resource.outputs = GivenValues(resource.inputs, std::move(resource.outputs));
  }
  // Without one it is the configuration's, which the store does not know.
  resource.mode = StringMember(options, "mode");
  return resource;
}

/// What a list is made of.
struct Listed {
  std::map<std::string, WallTime> observed;  ///< Targets, by key: when they were last read.
  std::vector<ResourceRecord> page;
  std::size_t total = 0;
  report::Facets facets;
};

/// The one resource that the filter names.
Expected<void> ReadNamed(const ReportReader& store, const std::string& name, Listed& listed,
                         report::ResourceSelection& selection) {
  auto record = store.Resource(name);
  if (!record) return Fail(record.error());
  if (!*record) return {};
  const auto targets = store.TargetsNamed((*record)->target.name);
  if (!targets) return Fail(targets.error());
  for (const TargetRecord& target : *targets) {
    if (target.observed) listed.observed[target.target.Key()] = target.observed_at;
  }
  selection.Take(std::move(**record));
  return {};
}

Expected<void> ReadAll(const ReportReader& store, bool with_facets, Listed& listed,
                       report::ResourceSelection& selection) {
  return store.ReadCatalog(
      [&](TargetRecord&& target) {
        if (target.observed) listed.observed[target.target.Key()] = target.observed_at;
      },
      [&](ResourceRecord&& record) {
        if (with_facets) listed.facets.Take(record);
        selection.Take(std::move(record));
      });
}

Expected<Listed> ReadListed(const ReportReader& store, const ResourceFilter& filter,
                            const ResourceList& list) {
  Listed listed;
  report::ResourceSelection selection(filter, list);
  // The facets of a page are those of all resources.
  const bool with_facets = list.page.limit.has_value();
  auto read = filter.name.empty() || with_facets ? ReadAll(store, with_facets, listed, selection)
                                                 : ReadNamed(store, filter.name, listed, selection);
  if (!read) return Fail(read.error());
  listed.total = selection.total();
  listed.page = selection.Page();
  return listed;
}

}  // namespace

Expected<ListedResources> ResourcesReport(const ReportReader& store, const ResourceFilter& filter,
                                          WallTime now, const ResourceList& list) {
  const auto read = ReadListed(store, filter, list);
  if (!read) return Fail(read.error());
  auto problems = store.Problems();
  if (!problems) return Fail(problems.error());
  report::ConditionJudge judge = report::ConditionJudge::At(now);

  ListedResources listed;
  std::set<std::string> names;
  for (const ResourceRecord& record : read->page) {
    ReportedResource resource = ReportOf(record);
    const auto time = read->observed.find(record.target.Key());
    if (time != read->observed.end()) resource.observed_at = time->second;
    resource.time_bounds = judge.TimeBoundsOf(resource.inputs);
    listed.resources.push_back(std::move(resource));
    names.insert(record.name);
  }
  for (const ManifestProblemRecord& problem : *problems) {
    if (filter.empty() || names.contains(problem.resource)) {
      listed.problems.push_back(report::LineOfProblem(problem));
    }
  }
  if (list.page.limit) {
    listed.total = read->total;
    listed.offset = list.page.offset;
    listed.limit = list.page.limit;
    listed.facets = read->facets.Counts();
  }
  return listed;
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
