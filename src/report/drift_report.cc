#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "core/time_text.h"
#include "providers/kinds.h"
#include "report/attributions.h"
#include "report/condition_judge.h"
#include "report/drift_context.h"
#include "report/drift_document.h"
#include "report/drift_schema_text.h"
#include "report/drift_tally.h"
#include "report/json_fields.h"
#include "report/reports.h"

namespace bindery {
namespace {

using report::DriftContext;

bool IsLookupChange(const DriftRecord& record) {
  return record.item.drift_class == DriftClass::kLookupChanged;
}

/// Null for a difference that concerns the target as a whole, or an output of a lookup.
Json GrantJson(const DriftRecord& record) {
  const Grant& grant = record.item.grant;
  if (IsLookupChange(record)) return nullptr;
  if (grant.role.empty() && grant.principal.empty()) return nullptr;
  return ToJson(grant, TraitsOf(record.target).words);
}

/// Null for what stands in no manifest on record.
Json SourceOf(const DriftEntry& entry) {
  if (!entry.resource) return nullptr;
  return report::SourceJson(entry.resource->source_file, entry.resource->source_line);
}

Json ItemJson(const DriftEntry& entry, const DriftScope& scope, const DriftContext& context,
              report::ConditionJudge& judge) {
  const DriftRecord& record = entry.record;
  const DriftItem& item = record.item;
  const std::string_view change = report::ChangeOf(record, scope);
  Json json = {
      {"id", record.id},
      {"class", ToString(item.drift_class)},
      {"severity", ToString(item.severity)},
      {"state", ToString(item.state)},
      {"cause", ToString(item.cause)},
      {"target", record.target.name},
      {"kind", record.target.kind},
      {"resource", item.resource},
      {"source", SourceOf(entry)},
      {"grant", GrantJson(record)},
      {"desired", item.desired},
      {"observed", item.observed},
      {"firstSeen", report::TimeOrNull(record.first_seen)},
      {"lastSeen", report::TimeOrNull(record.last_seen)},
      {"resolvedAt", record.resolved_at ? report::TimeOrNull(*record.resolved_at) : Json()},
      {"resolvedBy", record.resolved_by},
      {"action", report::ActionOn(entry, context)},
      {"change", change.empty() ? Json() : Json(change)}};
  if (const Json& bounds = judge.Judge(item.grant.condition).time_bounds; !bounds.is_null()) {
    json["timeBounds"] = bounds;
  }
  if (IsLookupChange(record)) json["field"] = item.grant.role;
  if (item.state == DriftState::kAccepted && item.acceptance) {
    const auto& until = item.acceptance->until;
    json["acceptance"] = {{"reason", item.acceptance->reason},
                          {"owner", item.acceptance->owner},
                          {"until", until ? report::TimeOrNull(*until) : Json()}};
  }
  return json;
}

/// Whatever went since the last report is part of this one.
std::optional<WallTime> ResolvedSince(const DriftScope& scope) {
  if (!scope.previous || !scope.resolved_since) return scope.resolved_since;
  return std::min(*scope.previous, *scope.resolved_since);
}

/// Makes items of what a snapshot of the store gives.
class StoredDocument final : public DriftDocument {
 public:
  StoredDocument(const ReportReader& store, const DriftScope& scope,
                 std::unique_ptr<DriftSnapshot> snapshot)
      : store_(store),
        scope_(scope),
        snapshot_(std::move(snapshot)),
        judge_(report::ConditionJudge::At(scope.now)),
        attributions_(store, scope.attribution) {}

  Expected<void> Read(const ReportReader& store) {
    report::Tally tally(scope_);
    std::vector<DriftEntry> accepted;
    auto read = snapshot_->EachSince(ResolvedSince(scope_), [&](const DriftEntry& entry) {
      tally.Take(entry.record);
      const DriftItem& item = entry.record.item;
      const bool counts = item.severity >= scope_.least;
      if (item.state == DriftState::kAccepted && counts) accepted.push_back(entry);
    });
    if (!read) return read;
    auto context = DriftContext::Read(store, scope_);
    if (!context) return Fail(context.error());
    context_ = std::move(*context);
    Json summary = tally.Summary(context_);
    head_ = {{"version", kDriftReportVersion},
             {"generatedAt", FormatRfc3339(scope_.now)},
             {"previousAt", scope_.previous ? report::TimeOrNull(*scope_.previous) : Json()},
             {"leastSeverity", ToString(scope_.least)},
             {"summary", std::move(summary)},
             {"items", Json::array()},
             {"accepted", AcceptedJson(std::move(accepted))},
             {"failing", std::exchange(context_.failing, nullptr)},
             {"expiring", std::exchange(context_.expiring, nullptr)}};
    entries_ = std::move(tally).InOrder();
    return {};
  }

  [[nodiscard]] const Json& head() const override { return head_; }
  [[nodiscard]] const Entries& entries() const override { return entries_; }
  [[nodiscard]] bool attributed() const override { return scope_.attribution && !entries_.empty(); }

  Json SourceNear(const std::string& kind, const std::string& target) override {
    if (!sources_) sources_ = FirstSources();
    const auto found = sources_->find({kind, target});
    if (found == sources_->end()) return nullptr;
    return report::SourceJson(found->second.first, found->second.second);
  }

  Expected<void> Each(const Entries& entries, const TakeItem& take) override {
    std::vector<std::int64_t> ids;
    ids.reserve(entries.size());
    for (const Entry& entry : entries) ids.push_back(entry.id);
    return snapshot_->EachOf(ids, [&](const DriftEntry& entry) {
      Json item = ItemJson(entry, scope_, context_, judge_);
      attributions_.AddTo(item, entry.record);
      take(item);
    });
  }

 private:
  /// What may stay, that which is drift again the soonest first.
  Json AcceptedJson(std::vector<DriftEntry> accepted) {
    const auto end_of = [](const DriftEntry& entry) {
      const auto& acceptance = entry.record.item.acceptance;
      return acceptance && acceptance->until ? *acceptance->until : WallTime::max();
    };
    std::sort(accepted.begin(), accepted.end(), [&](const DriftEntry& a, const DriftEntry& b) {
      return std::pair(end_of(a), a.record.id) < std::pair(end_of(b), b.record.id);
    });
    Json list = Json::array();
    for (const DriftEntry& entry : accepted) {
      Json item = ItemJson(entry, scope_, context_, judge_);
      attributions_.AddTo(item, entry.record);
      list.push_back(std::move(item));
    }
    return list;
  }

  /// File and line of the first manifest on each target, by its kind and name.
  using Sources = std::map<std::pair<std::string, std::string>, std::pair<std::string, int>>;

  /// What cannot be read is in no form of the report either, which then says so.
  [[nodiscard]] Sources FirstSources() const {
    Sources sources;
    std::ignore = store_.ReadResources([&](ResourceRecord&& record) {
      if (!record.accepted || record.target.name.empty()) return;
      std::pair place(record.source_file, record.source_line);
      const auto [at, added] = sources.try_emplace({record.target.kind, record.target.name}, place);
      if (!added) at->second = std::min(at->second, place);
    });
    return sources;
  }

  const ReportReader& store_;
  const DriftScope scope_;
  const std::unique_ptr<DriftSnapshot> snapshot_;
  report::ConditionJudge judge_;
  report::Attributions attributions_;
  DriftContext context_;
  Json head_;
  Entries entries_;
  std::optional<Sources> sources_;
};

}  // namespace

Expected<std::unique_ptr<DriftDocument>> ReadDriftDocument(const ReportReader& store,
                                                           const DriftScope& scope) {
  auto snapshot = store.SnapshotDrift();
  if (!snapshot) return Fail(snapshot.error());
  auto document = std::make_unique<StoredDocument>(store, scope, std::move(*snapshot));
  if (auto read = document->Read(store); !read) return Fail(read.error());
  return document;
}

Expected<Json> DriftReport(const ReportReader& store, const DriftScope& scope,
                           const std::optional<ListPage>& page) {
  const ListPage shown = page.value_or(ListPage());
  const auto document = ReadDriftDocument(store, scope);
  if (!document) return Fail(document.error());
  const DriftDocument::Entries& all = (*document)->entries();
  const std::size_t first = std::min(shown.offset, all.size());
  const std::size_t count = std::min(shown.limit.value_or(all.size()), all.size() - first);
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
  Json items = Json::array();
  auto made = (*document)->Each({begin, begin + static_cast<std::ptrdiff_t>(count)},
                                [&](const Json& item) { items.push_back(item); });
  if (!made) return Fail(made.error());
  Json report = (*document)->head();
  report["items"] = std::move(items);
  if (!page) return report;
  report["total"] = all.size();
  report["offset"] = shown.offset;
  report["limit"] = shown.limit ? Json(*shown.limit) : Json();
  return report;
}

Json DriftReportSchema() { return ParseJson(report::kDriftSchemaText).value_or(Json::object()); }

}  // namespace bindery
