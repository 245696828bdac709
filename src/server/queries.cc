#include "server/queries.h"

#include <charconv>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/codec/moment.h"
#include "report/explain/explain_report.h"
#include "report/reports/kept_reports.h"
#include "report/reports/overview_report.h"
#include "report/reports/problem_lines.h"
#include "report/reports/reports.h"
#include "report/reports/revision_report.h"
#include "report/reports/target_report.h"
#include "server/list_order.h"
#include "server/whole_lists.h"

namespace bindery::server {
namespace {

using httpd::Request;

constexpr std::int64_t kMostOffset = 1'000'000'000;
/// Of a resource's target, how many revisions are shown with it.
constexpr std::size_t kRevisionsShown = 20;

Expected<void> ReadLabel(const std::string& text, report::ResourceFilter& filter) {
  auto selector = LabelSelector::Parse(text);
  if (!selector) return Fail(selector.error().Wrap("\"label\""));
  filter.labels.Add(std::move(*selector));
  return {};
}

Expected<void> ReadKind(const std::string& text, report::ResourceFilter& filter) {
  filter.kind = ParseTypeToken(text);
  if (filter.kind) return {};
  return Fail(
      Code::kInvalidArgument,
      "\"kind\" must be a type token such as monitoring:RestrictionPolicy, not \"" + text + "\"");
}

Expected<void> ReadState(const std::string& text, report::ResourceFilter& filter) {
  for (const ResourceState state : kAllResourceStates) {
    if (text == ToString(state)) filter.state = state;
  }
  if (filter.state) return {};
  return Fail(Code::kInvalidArgument,
              "\"state\" must be Ready, Suspended, Reconciling or Stalled, not \"" + text + "\"");
}

/// An empty value does not restrict, so that a form may leave fields empty.
Expected<report::ResourceFilter> ReadResourceFilter(const Request& request) {
  report::ResourceFilter filter;
  filter.name = GetText(request, "name");
  filter.text = GetText(request, "q");
  for (const auto& [key, value] : request.query) {
    if (value.empty()) continue;
    Expected<void> read;
    if (key == "kind") read = ReadKind(value, filter);
    if (key == "label") read = ReadLabel(value, filter);
    if (key == "state") read = ReadState(value, filter);
    if (!read) return Fail(read.error());
  }
  const auto not_ready = ReadFlag(request, "notReady");
  if (!not_ready) return Fail(not_ready.error());
  filter.not_ready = *not_ready;
  return filter;
}

Expected<void> ReadOrder(std::string text, report::ResourceList& list) {
  if (text.empty()) return {};
  constexpr std::pair<std::string_view, report::ResourceOrder> kOrders[] = {
      {"name", report::ResourceOrder::kName},      {"kind", report::ResourceOrder::kKind},
      {"target", report::ResourceOrder::kTarget},  {"manifest", report::ResourceOrder::kManifest},
      {"state", report::ResourceOrder::kState},    {"labels", report::ResourceOrder::kLabels},
      {"changed", report::ResourceOrder::kChanged}};
  list.descending = text.starts_with('-');
  if (list.descending) text.erase(0, 1);
  for (const auto& [name, order] : kOrders) {
    if (text != name) continue;
    list.order = order;
    return {};
  }
  return Fail(
      Code::kInvalidArgument,
      "\"sort\" must be name, kind, target, manifest, state, labels or changed, perhaps after a "
      "\"-\"");
}

}  // namespace

Expected<report::ListPage> ReadPage(const Request& request) {
  const auto offset = ReadNumber(request, "offset", {0, kMostOffset}, 0);
  if (!offset) return Fail(offset.error());
  const auto limit = ReadNumber(request, "limit", {1, kMostItems}, 0);
  if (!limit) return Fail(limit.error());
  report::ListPage page;
  page.offset = static_cast<std::size_t>(*offset);
  if (*limit > 0) page.limit = static_cast<std::size_t>(*limit);
  return page;
}

std::string GetText(const Request& request, const std::string& name) {
  const std::string* text = request.FindQuery(name);
  return text == nullptr ? std::string() : *text;
}

Expected<std::int64_t> ReadNumber(const Request& request, const std::string& name,
                                  NumberRange range, std::int64_t fallback) {
  const std::string* text = request.FindQuery(name);
  if (text == nullptr) return fallback;
  std::int64_t number = 0;
  const char* end = text->data() + text->size();
  const auto [stop, failed] = std::from_chars(text->data(), end, number);
  const bool fits = number >= range.least && number <= range.most;
  if (failed == std::errc() && stop == end && fits) return number;
  return Fail(Code::kInvalidArgument, "\"" + name + "\" must be a whole number from " +
                                          std::to_string(range.least) + " to " +
                                          std::to_string(range.most) + ", not \"" + *text + "\"");
}

Expected<bool> ReadFlag(const Request& request, const std::string& name) {
  const std::string text = GetText(request, name);
  if (text.empty() || text == "false") return false;
  if (text == "true") return true;
  return Fail(Code::kInvalidArgument,
              "\"" + name + "\" must be true or false, not \"" + text + "\"");
}

Expected<std::optional<WallTime>> ReadMoment(const Request& request, const std::string& name,
                                             WallTime now) {
  const std::string text = GetText(request, name);
  if (text.empty()) return std::nullopt;
  const Expected<WallTime> moment = report::ParseMoment(text, now);
  if (!moment) return Fail(moment.error().Wrap("\"" + name + "\""));
  return *moment;
}

bool GoesThroughAlways(const Request& /*request*/) { return true; }

Expected<report::DaemonOverview> GetOverview(const QueryContext& asked) {
  auto report =
      report::OverviewReport(asked.parts.store, asked.parts.clock.Wall(), *asked.parts.kept);
  if (!report) return Fail(report.error());
  const Control& control = asked.parts.control;
  report::DaemonOverview overview{std::move(*report),
                                  {},
                                  control.Activity(),
                                  std::string(ToString(control.ReportSettings().mode)),
                                  {}};
  if (asked.parts.hours != nullptr) {
    auto history = report::ReadWorkHistory(*asked.parts.hours, report::kHistoryRanges.front(),
                                           asked.parts.clock.Wall());
    if (!history) return Fail(history.error());
    overview.history = std::move(*history);
  }
  for (const HealthCheck& check : control.Health()) {
    overview.health.push_back({check.name, check.ok, check.ok ? "" : check.detail});
  }
  return overview;
}

Expected<report::ListedResources> GetResources(const QueryContext& asked) {
  std::vector<report::ReportedResource> resources;
  auto listed = EachOfResources(asked, [&](report::ReportedResource&& resource) {
    resources.push_back(std::move(resource));
  });
  if (listed) listed->resources = std::move(resources);
  return listed;
}

Expected<report::ListedResources> EachOfResources(const QueryContext& asked,
                                                  const report::TakeResource& take) {
  const auto filter = ReadResourceFilter(asked.request);
  if (!filter) return Fail(filter.error());
  report::ResourceList list;
  auto ordered = ReadOrder(GetText(asked.request, "sort"), list);
  if (!ordered) return Fail(ordered.error());
  const auto page = ReadPage(asked.request);
  if (!page) return Fail(page.error());
  list.page = *page;
  auto report = report::EachResource(
      {asked.parts.store, asked.parts.clock.Wall(), *asked.parts.kept}, *filter, list, take);
  if (report) report::AddExcerpts(report->problems, asked.parts.manifests);
  return report;
}

Expected<report::Explanation> GetResource(const QueryContext& asked) {
  const report::DriftSettings settings = asked.parts.control.ReportSettings();
  auto report = report::ExplainReport(
      asked.parts.store, {asked.params.at("name"), asked.parts.clock.Wall(), settings.attribution,
                          kRevisionsShown, settings.keeping});
  if (report) report::AddExcerpts(report->problems, asked.parts.manifests);
  return report;
}

Expected<report::RevisionDetail> GetRevision(const QueryContext& asked) {
  const std::string& text = asked.params.at("revision");
  std::int64_t id = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data(), end, id);
  if (failed != std::errc() || stop != end) {
    return Fail(Code::kInvalidArgument, "\"" + text + "\" is not the number of a revision");
  }
  return report::RevisionReport(asked.parts.store, asked.params.at("name"), id);
}

Expected<report::TargetDetail> GetTarget(const QueryContext& asked) {
  const report::TargetName wanted{asked.params.at("kind"), asked.params.at("name"),
                                  GetText(asked.request, "provider")};
  const report::DriftSettings settings = asked.parts.control.ReportSettings();
  return report::TargetReport(asked.parts.store, wanted, asked.parts.clock.Wall(),
                              {settings.attribution, settings.keeping});
}

Expected<report::TargetHistory> GetHistory(const QueryContext& asked) {
  return report::HistoryReport(asked.parts.store, asked.params.at("name"));
}

Expected<report::HoldList> GetGuard(const QueryContext& asked) {
  const bool all = asked.request.FindQuery("all") != nullptr;
  auto guard = report::GuardReport(asked.parts.store,
                                   all ? report::Ended::kInclude : report::Ended::kLeaveOut);
  const std::string order = GetText(asked.request, "sort");
  if (!guard || order.empty()) return guard;
  const auto sort = report::GuardSort::Parse(order);
  if (!sort) {
    return Fail(Code::kInvalidArgument,
                "\"sort\" must be severity, principal, role, target or resources, perhaps after a "
                "\"-\"");
  }
  for (report::HoldLine& hold : guard->holds) report::SortRemovals(hold, *sort);
  return guard;
}

Expected<report::ReplicaList> GetReplicas(const QueryContext& asked) {
  constexpr std::pair<std::string_view, report::ReplicaOrder> kOrders[] = {
      {"machine", report::ReplicaOrder::kMachine}, {"state", report::ReplicaOrder::kState},
      {"term", report::ReplicaOrder::kTerm},       {"version", report::ReplicaOrder::kVersion},
      {"started", report::ReplicaOrder::kStarted}, {"seen", report::ReplicaOrder::kSeen}};
  report::ReplicaOrder order = report::ReplicaOrder::kState;
  bool descending = false;
  if (auto read = ReadListOrder(asked.request, kOrders, order, descending); !read) {
    return Fail(read.error());
  }
  auto list = report::ReplicasReport(asked.parts.store);
  if (list && !GetText(asked.request, "sort").empty()) {
    report::SortReplicas(*list, order, descending);
  }
  return list;
}

}  // namespace bindery::server
