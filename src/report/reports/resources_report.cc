#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <set>
#include <string>
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

namespace bindery::report {
namespace {

bool IsPreview(const TypeToken& token) {
  const reconcilers::Kind* kind = providers::KnownKinds().Find(token);
  return kind != nullptr && kind->schema().preview;
}

/// kstatus: `Ready` sums up; `Reconciling` and `Stalled` are true only while something is off. The
/// store knows when state or reason last changed, which is when any could have.
std::vector<ReportedCondition> Conditions(const store::ResourceRecord& record) {
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

ReportedStatus MakeStatus(const store::ResourceRecord& record) {
  return {record.status.state == ResourceState::kReady,
          record.status.state,
          record.status.reason,
          record.status.message,
          record.generation,
          record.observed_generation,
          Conditions(record)};
}

ReportedResource MakeReport(const store::ResourceRecord& record) {
  const Json options = ObjectFromText(record.options);
  ReportedResource resource;
  resource.name = record.name;
  resource.api_version = record.token.api_version;
  resource.kind = record.token.kind;
  resource.target = record.target.name;
  resource.provider = record.provider;
  resource.source = MakeSourceLine(record.source_file, record.source_line);
  report::ReadJson(ObjectFromText(record.labels), resource.labels);
  resource.accepted = record.accepted;
  resource.preview = IsPreview(record.token);
  resource.suspended = record.suspended || BoolMember(options, "suspend");
  resource.status = MakeStatus(record);
  resource.inputs = ObjectFromText(record.spec);
  resource.outputs = ObjectFromText(record.outputs);
  // Before the first reading a resource has no outputs.
  if (!resource.outputs.empty()) {
    resource.outputs = manifests::GivenValues(resource.inputs, std::move(resource.outputs));
  }
  // The default is in the configuration, which the store does not know.
  resource.mode = StringMember(options, "mode");
  return resource;
}

/// Makes reports of resources, one after the other, and gives them away.
class Reporter {
 public:
  /// All must outlive it.
  Reporter(WallTime now, const std::vector<store::ManifestProblemRecord>& problems,
           const TakeResource& take)
      : judge_(ConditionJudge::At(now)), problems_(problems), take_(take) {
    for (const store::ManifestProblemRecord& problem : problems)
      concerned_.insert(problem.resource);
  }

  void Report(const store::ObservedResource& observed) {
    const store::ResourceRecord& record = observed.resource;
    if (concerned_.contains(record.name)) reported_.insert(record.name);
    take_(ResourceReport(record, observed.observed_at, judge_));
  }

  /// Those of the resources that it made reports of; with `all` those of others too.
  [[nodiscard]] std::vector<ProblemLine> Problems(bool all) const {
    std::vector<ProblemLine> lines;
    for (const store::ManifestProblemRecord& problem : problems_) {
      if (all || reported_.contains(problem.resource)) {
        lines.push_back(LineOfProblem(problem));
      }
    }
    return lines;
  }

 private:
  ConditionJudge judge_;
  const std::vector<store::ManifestProblemRecord>& problems_;
  const TakeResource& take_;
  std::set<std::string> concerned_;
  std::set<std::string> reported_;
};

/// The question of a list, and where its answer comes from.
struct Asked {
  const store::ReportReader& store;
  const ResourceFilter& filter;
  const ResourceList& list;

  [[nodiscard]] bool by_name() const {
    return list.order == ResourceOrder::kName && !list.descending;
  }
};

/// All that the filter lets through, by name.
Expected<void> GiveWhole(const Asked& asked, Reporter& reporter) {
  const ResourceSelection selection(asked.filter, {});
  return asked.store.EachResourceByName([&](store::ObservedResource&& observed) {
    if (selection.Wants(observed.resource)) reporter.Report(observed);
  });
}

/// The resources of the names, some at a time; one that is gone meanwhile is passed over.
Expected<void> GiveNamed(const Asked& asked, const std::vector<std::string>& names,
                         Reporter& reporter) {
  constexpr std::size_t kAtOnce = 128;
  for (std::size_t first = 0; first < names.size(); first += kAtOnce) {
    const auto begin = names.begin() + static_cast<std::ptrdiff_t>(first);
    const std::size_t count = std::min(kAtOnce, names.size() - first);
    const auto records =
        asked.store.ResourcesNamed({begin, begin + static_cast<std::ptrdiff_t>(count)});
    if (!records) return Fail(records.error());
    for (const store::ObservedResource& observed : *records) reporter.Report(observed);
  }
  return {};
}

/// A part of what the filter lets through, or all in another order than by name. Gives the number
/// of resources that the filter lets through.
Expected<std::size_t> GiveSelected(const Asked& asked, Reporter& reporter) {
  ResourceSelection selection(asked.filter, asked.list);
  if (asked.filter.name.empty()) {
    auto read =
        asked.store.ReadResources([&](store::ResourceRecord&& record) { selection.Take(record); });
    if (!read) return Fail(read.error());
  } else {
    const auto record = asked.store.Resource(asked.filter.name);
    if (!record) return Fail(record.error());
    if (*record) selection.Take(**record);
  }
  auto given = GiveNamed(asked, selection.Page(), reporter);
  if (!given) return Fail(given.error());
  return selection.total();
}

/// `names`: of all resources in the order of the list, from which a page is asked; null otherwise.
/// Gives the number of resources without the page.
Expected<std::size_t> Give(const Asked& asked, const OrderedNames* names, Reporter& reporter) {
  const ResourceList& list = asked.list;
  Expected<void> given;
  if (names != nullptr) {
    given = GiveNamed(asked, names->Page(list.page, list.descending), reporter);
  } else if (!list.page.limit && asked.filter.name.empty() && asked.by_name()) {
    given = GiveWhole(asked, reporter);
  } else {
    return GiveSelected(asked, reporter);
  }
  if (!given) return Fail(given.error());
  return names == nullptr ? 0 : names->size();
}

}  // namespace

Expected<ListedResources> ResourcesReport(const store::ReportReader& store,
                                          const ResourceFilter& filter, WallTime now,
                                          const ResourceList& list) {
  KeptReports nothing;
  return ResourcesReport(store, filter, now, list, nothing);
}

Expected<ListedResources> ResourcesReport(const store::ReportReader& store,
                                          const ResourceFilter& filter, WallTime now,
                                          const ResourceList& list, KeptReports& kept) {
  std::vector<ReportedResource> resources;
  auto listed = EachResource({store, now, kept}, filter, list, [&](ReportedResource&& resource) {
    resources.push_back(std::move(resource));
  });
  if (listed) listed->resources = std::move(resources);
  return listed;
}

Expected<ListedResources> EachResource(const ReportSources& sources, const ResourceFilter& filter,
                                       const ResourceList& list, const TakeResource& take) {
  const store::ReportReader& store = sources.store;
  std::shared_ptr<const ResourceFront> front;  // Of a page: its facets are those of all.
  std::shared_ptr<const OrderedNames> names;   // Of a page of all.
  if (list.page.limit) {
    auto all = sources.kept.resources.Get(store, sources.now, "",
                                          [&store] { return ReadResourceFront(store); });
    if (!all) return Fail(all.error());
    front = all->answer;
    if (filter.empty()) names = {front, &front->names};
    if (filter.empty() && list.order != ResourceOrder::kName) {
      auto ordered = sources.kept.orders.Get(
          store, sources.now, std::to_string(static_cast<int>(list.order)),
          [&store, order = list.order] { return ReadOrderedNames(store, order); });
      if (!ordered) return Fail(ordered.error());
      names = ordered->answer;
    }
  }
  const auto problems =
      filter.name.empty() ? store.Problems() : store.ProblemsAbout(filter.name, /*file=*/"");
  if (!problems) return Fail(problems.error());
  Reporter reporter(sources.now, *problems, take);
  const auto total = Give({store, filter, list}, names.get(), reporter);
  if (!total) return Fail(total.error());
  ListedResources listed;
  listed.problems = reporter.Problems(filter.empty());
  if (front != nullptr) {
    listed.total = *total;
    listed.offset = list.page.offset;
    listed.limit = list.page.limit;
    listed.facets = front->facets;
  }
  return listed;
}

ReportedResource ResourceReport(const store::ResourceRecord& record, WallTime observed_at,
                                ConditionJudge& judge) {
  ReportedResource resource = MakeReport(record);
  resource.observed_at = observed_at;
  resource.time_bounds = judge.DescribeTimeBounds(resource.inputs);
  return resource;
}

Expected<store::ResourceRecord> FindResource(const store::ReportReader& store,
                                             const std::string& name) {
  auto found = store.Resource(name);
  if (!found) return Fail(found.error());
  if (*found) return std::move(**found);
  std::vector<std::string> names;
  auto read = store.ReadResources(
      [&](store::ResourceRecord&& record) { names.push_back(std::move(record.name)); });
  if (!read) return Fail(read.error());
  std::sort(names.begin(), names.end());  // Of those that are equally near, the first.
  std::string message = "there is no resource \"" + name + "\"";
  if (const auto nearest = NearestSpelling(name, names)) {
    message += "; did you mean \"" + *nearest + "\"?";
  }
  return Fail(Code::kNotFound, std::move(message));
}

}  // namespace bindery::report
