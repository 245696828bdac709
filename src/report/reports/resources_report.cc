#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "core/text/nearest.h"
#include "manifests/schema/given_values.h"
#include "providers/registry/kinds.h"
#include "report/access/condition_judge.h"
#include "report/reports/kept_reports.h"
#include "report/reports/problem_lines.h"
#include "report/reports/reports.h"
#include "report/reports/resource_selection.h"
#include "report/text/json_fields.h"

namespace bindery {
namespace {

using report::ObjectFromText;

bool IsPreview(const TypeToken& token) {
  const Kind* kind = KnownKinds().Find(token);
  return kind != nullptr && kind->schema().preview;
}

/// kstatus: `Ready` sums up; `Reconciling` and `Stalled` are true only while something is off. The
/// store knows when state or reason last changed, which is when any could have.
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
  // Before the first reading a resource has no outputs.
  if (!resource.outputs.empty()) {
    resource.outputs = GivenValues(resource.inputs, std::move(resource.outputs));
  }
  // The default is in the configuration, which the store does not know.
  resource.mode = StringMember(options, "mode");
  return resource;
}

/// The inputs of a list.
struct Listed {
  std::map<std::string, WallTime> observed;  ///< Targets, by key: when they were last read.
  std::vector<ResourceRecord> page;
  std::size_t total = 0;
};

void NoteObserved(const TargetRecord& target, Listed& listed) {
  if (target.observed) listed.observed[target.target.Key()] = target.observed_at;
}

/// When the targets of the page were last read.
Expected<void> ReadObserved(const ReportReader& store, Listed& listed) {
  std::set<std::string> names;
  for (const ResourceRecord& record : listed.page) names.insert(record.target.name);
  for (const std::string& name : names) {
    const auto targets = store.TargetsNamed(name);
    if (!targets) return Fail(targets.error());
    for (const TargetRecord& target : *targets) NoteObserved(target, listed);
  }
  return {};
}

Expected<Listed> ReadWhole(const ReportReader& store, report::ResourceSelection& selection) {
  Listed listed;
  auto read =
      store.ReadCatalog([&](TargetRecord&& target) { NoteObserved(target, listed); },
                        [&](ResourceRecord&& record) { selection.Take(std::move(record)); });
  if (!read) return Fail(read.error());
  listed.page = selection.Page();
  return listed;
}

/// A page of what the filter lets through, or the one resource that it names.
Expected<Listed> ReadSome(const ReportReader& store, const ResourceFilter& filter,
                          report::ResourceSelection& selection) {
  if (filter.name.empty()) {
    auto read =
        store.ReadResources([&](ResourceRecord&& record) { selection.Take(std::move(record)); });
    if (!read) return Fail(read.error());
  } else {
    auto record = store.Resource(filter.name);
    if (!record) return Fail(record.error());
    if (*record) selection.Take(std::move(**record));
  }
  Listed listed;
  listed.total = selection.total();
  listed.page = selection.Page();
  if (auto read = ReadObserved(store, listed); !read) return Fail(read.error());
  return listed;
}

/// A page of all resources, by name.
Expected<Listed> ReadPageByName(const ReportReader& store, const ListPage& page,
                                const report::ResourceFront& front) {
  auto records = store.ResourcesByName(page.offset, *page.limit);
  if (!records) return Fail(records.error());
  Listed listed;
  listed.total = static_cast<std::size_t>(front.counts.total);
  listed.page = std::move(*records);
  if (auto read = ReadObserved(store, listed); !read) return Fail(read.error());
  return listed;
}

Expected<Listed> ReadListed(const ReportReader& store, const ResourceFilter& filter,
                            const ResourceList& list, const report::ResourceFront* front) {
  const bool by_name = list.order == ResourceOrder::kName && !list.descending;
  if (front != nullptr && filter.empty() && by_name) {
    return ReadPageByName(store, list.page, *front);
  }
  report::ResourceSelection selection(filter, list);
  const bool whole = front == nullptr && filter.name.empty();
  return whole ? ReadWhole(store, selection) : ReadSome(store, filter, selection);
}

/// Makes reports of resources, one after the other.
class Reporter {
 public:
  /// `observed` must outlive it.
  Reporter(WallTime now, const std::map<std::string, WallTime>& observed)
      : observed_(observed), judge_(report::ConditionJudge::At(now)) {}

  ReportedResource Report(const ResourceRecord& record) {
    ReportedResource resource = ReportOf(record);
    const auto time = observed_.find(record.target.Key());
    if (time != observed_.end()) resource.observed_at = time->second;
    resource.time_bounds = judge_.TimeBoundsOf(resource.inputs);
    names_.insert(record.name);
    return resource;
  }

  /// Of the resources that it made reports of.
  [[nodiscard]] const std::set<std::string>& names() const { return names_; }

 private:
  const std::map<std::string, WallTime>& observed_;
  report::ConditionJudge judge_;
  std::set<std::string> names_;
};

std::vector<report::ProblemLine> ProblemsAmong(const std::vector<ManifestProblemRecord>& problems,
                                               const ResourceFilter& filter,
                                               const std::set<std::string>& names) {
  std::vector<report::ProblemLine> lines;
  for (const ManifestProblemRecord& problem : problems) {
    if (filter.empty() || names.contains(problem.resource)) {
      lines.push_back(report::LineOfProblem(problem));
    }
  }
  return lines;
}

}  // namespace

Expected<ListedResources> ResourcesReport(const ReportReader& store, const ResourceFilter& filter,
                                          WallTime now, const ResourceList& list) {
  KeptReports nothing;
  return ResourcesReport(store, filter, now, list, nothing);
}

Expected<ListedResources> ResourcesReport(const ReportReader& store, const ResourceFilter& filter,
                                          WallTime now, const ResourceList& list,
                                          KeptReports& kept) {
  std::shared_ptr<const report::ResourceFront> front;  // Of a page: its facets are those of all.
  if (list.page.limit) {
    auto all = kept.resources.Get(store, now, "", [&] { return report::ReadResourceFront(store); });
    if (!all) return Fail(all.error());
    front = std::move(*all);
  }
  const auto read = ReadListed(store, filter, list, front.get());
  if (!read) return Fail(read.error());
  auto problems = store.Problems();
  if (!problems) return Fail(problems.error());
  Reporter reporter(now, read->observed);

  ListedResources listed;
  for (const ResourceRecord& record : read->page) {
    listed.resources.push_back(reporter.Report(record));
  }
  listed.problems = ProblemsAmong(*problems, filter, reporter.names());
  if (list.page.limit) {
    listed.total = read->total;
    listed.offset = list.page.offset;
    listed.limit = list.page.limit;
    listed.facets = front->facets;
  }
  return listed;
}

Expected<ListedResources> EachResource(const ReportReader& store, const ResourceFilter& filter,
                                       WallTime now,
                                       const std::function<void(const ReportedResource&)>& take) {
  Listed all;
  auto read = store.ReadCatalog([&](TargetRecord&& target) { NoteObserved(target, all); },
                                [](ResourceRecord&& /*record*/) {});
  if (!read) return Fail(read.error());
  const auto problems = store.Problems();
  if (!problems) return Fail(problems.error());
  const report::ResourceSelection selection(filter, {});
  Reporter reporter(now, all.observed);
  auto given = store.EachResourceByName([&](ResourceRecord&& record) {
    if (selection.Wants(record)) take(reporter.Report(record));
  });
  if (!given) return Fail(given.error());
  ListedResources listed;
  listed.problems = ProblemsAmong(*problems, filter, reporter.names());
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
