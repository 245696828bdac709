#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "report/reports/drift_context.h"
#include "report/reports/drift_item_maker.h"
#include "report/reports/drift_schema_text.h"
#include "report/reports/drift_tally.h"
#include "report/reports/kept_reports.h"
#include "report/reports/reports.h"
#include "report/values/drift_document.h"

namespace bindery::report {
namespace {

/// Differences that ended since the last report are part of this report.
std::optional<WallTime> ResolvedSince(const DriftScope& scope) {
  if (!scope.previous || !scope.resolved_since) return scope.resolved_since;
  return std::min(*scope.previous, *scope.resolved_since);
}

/// Makes items of what a snapshot of the store gives.
class StoredDocument final : public DriftDocument {
 public:
  StoredDocument(const store::ReportReader& store, const DriftScope& scope,
                 std::unique_ptr<store::DriftSnapshot> snapshot)
      : store_(store),
        scope_(scope),
        snapshot_(std::move(snapshot)),
        maker_(store, scope_, context_) {}

  Expected<void> Read(const store::ReportReader& store) {
    auto context = DriftContext::Read(store, scope_);
    if (!context) return Fail(context.error());
    context_ = std::move(*context);
    Tally tally(scope_, context_);
    std::vector<store::DriftEntry> accepted;
    std::vector<store::DriftEntry> notes;
    auto read = snapshot_->EachSince(ResolvedSince(scope_), [&](const store::DriftEntry& entry) {
      tally.Take(entry.record);
      const DriftItem& item = entry.record.item;
      if (item.state == DriftState::kNoted) notes.push_back(entry);
      const bool counts =
          item.severity >= scope_.least && item.drift_class != DriftClass::kJustInTime;
      if (item.state == DriftState::kAccepted && counts) accepted.push_back(entry);
    });
    if (!read) return read;
    head_.generated_at = scope_.now;
    const bool first = !scope_.previous || *scope_.previous == WallTime{};
    head_.previous_at = first ? std::nullopt : scope_.previous;
    head_.least = scope_.least;
    head_.summary = tally.Summary();
    head_.accepted = Accepted(std::move(accepted));
    head_.notes = Notes(std::move(notes));
    head_.failing = std::exchange(context_.failing, {});
    head_.expiring = std::exchange(context_.expiring, {});
    if (scope_.unmanaged != nullptr) head_.unmanaged = *scope_.unmanaged;
    entries_ = std::move(tally).InOrder();
    return {};
  }

  [[nodiscard]] const DriftHead& head() const override { return head_; }
  [[nodiscard]] const Entries& entries() const override { return entries_; }
  [[nodiscard]] bool attributed() const override { return scope_.attribution && !entries_.empty(); }

  std::optional<SourceLine> SourceNear(const std::string& kind,
                                       const std::string& target) override {
    if (!sources_) sources_ = FirstSources();
    const auto found = sources_->find({kind, target});
    if (found == sources_->end()) return std::nullopt;
    return MakeSourceLine(found->second.first, found->second.second);
  }

  Expected<void> Each(const Entries& entries, const TakeItem& take) override {
    std::vector<std::int64_t> ids;
    ids.reserve(entries.size());
    for (const Entry& entry : entries) ids.push_back(entry.id);
    return snapshot_->VisitEach(ids,
                                [&](const store::DriftEntry& entry) { take(maker_.Make(entry)); });
  }

 private:
  /// Accepted differences, the earliest end first.
  std::vector<DriftReportItem> Accepted(std::vector<store::DriftEntry> accepted) {
    const auto end_of = [](const store::DriftEntry& entry) {
      const auto& acceptance = entry.record.item.acceptance;
      return acceptance && acceptance->until ? *acceptance->until : WallTime::max();
    };
    std::sort(accepted.begin(), accepted.end(),
              [&](const store::DriftEntry& a, const store::DriftEntry& b) {
                return std::pair(end_of(a), a.record.id) < std::pair(end_of(b), b.record.id);
              });
    std::vector<DriftReportItem> items;
    for (const store::DriftEntry& entry : accepted) items.push_back(maker_.Make(entry));
    return items;
  }

  std::vector<DriftReportItem> Notes(std::vector<store::DriftEntry> notes) {
    std::sort(
        notes.begin(), notes.end(), [](const store::DriftEntry& a, const store::DriftEntry& b) {
          return std::tie(a.record.target, a.record.id) < std::tie(b.record.target, b.record.id);
        });
    std::vector<DriftReportItem> items;
    for (const store::DriftEntry& entry : notes) items.push_back(maker_.Make(entry));
    return items;
  }

  /// File and line of the first manifest on each target, by its kind and name.
  using Sources = std::map<std::pair<std::string, std::string>, std::pair<std::string, int>>;

  /// A read error is ignored here: every form of the report then fails by itself.
  [[nodiscard]] Sources FirstSources() const {
    Sources sources;
    std::ignore = store_.ReadResources([&](store::ResourceRecord&& record) {
      if (!record.accepted || record.target.name.empty()) return;
      std::pair place(record.source_file, record.source_line);
      const auto [at, added] = sources.try_emplace({record.target.kind, record.target.name}, place);
      if (!added) at->second = std::min(at->second, place);
    });
    return sources;
  }

  const store::ReportReader& store_;
  const DriftScope scope_;
  const std::unique_ptr<store::DriftSnapshot> snapshot_;
  DriftContext context_;
  DriftItemMaker maker_;  // After what it uses.
  DriftHead head_;
  Entries entries_;
  std::optional<Sources> sources_;
};

}  // namespace

Expected<std::unique_ptr<DriftDocument>> ReadDriftDocument(const store::ReportReader& store,
                                                           const DriftScope& scope) {
  auto snapshot = store.SnapshotDrift();
  if (!snapshot) return Fail(snapshot.error());
  auto document = std::make_unique<StoredDocument>(store, scope, std::move(*snapshot));
  if (auto read = document->Read(store); !read) return Fail(read.error());
  return document;
}

Expected<DriftListing> DriftReport(const store::ReportReader& store, const DriftScope& scope,
                                   const ListPage& page) {
  const auto document = ReadDriftDocument(store, scope);
  if (!document) return Fail(document.error());
  DriftDocument::Entries entries = (*document)->entries();
  const ListSlice slice = KeepPage(entries, page);
  DriftListing listing{{(*document)->head(), {}}, slice};
  auto made = (*document)->Each(
      entries, [&](const DriftReportItem& item) { listing.items.push_back(item); });
  if (!made) return Fail(made.error());
  return listing;
}

Expected<std::optional<DriftListing>> FirstOfDrift(const store::ReportReader& store,
                                                   const DriftScope& scope, const ListPage& page,
                                                   KeptReports& kept) {
  const auto version = store.ContentVersion();
  if (!version) return std::nullopt;
  const auto front = GetDriftFront(kept.drift, store, scope);
  if (!front) return Fail(front.error());
  const std::size_t total = front->answer->total;
  const std::size_t begin = std::min(page.offset, total);
  const std::size_t end = begin + std::min(page.limit.value_or(total), total - begin);
  if (end > front->answer->first.size()) return std::nullopt;
  std::vector<std::int64_t> ids;
  for (std::size_t i = begin; i < end; ++i) ids.push_back(front->answer->first[i].id);
  auto items = store::MakeTogether(store, [&]() -> Expected<std::vector<DriftReportItem>> {
    const auto entries = store.DriftNumbered(ids);
    if (!entries) return Fail(entries.error());
    return ListItems(store, scope, *entries);
  });
  if (!items) return Fail(items.error());
  // After the reads: records made meanwhile are not of the front.
  if (front->is_current && store.ContentVersion() != version) return std::nullopt;
  DriftListing listing = MakeListing(*front, scope, {total, page.offset, page.limit});
  listing.items = std::move(*items);
  return listing;
}

Expected<DriftListing> DriftReport(const store::ReportReader& store, const DriftScope& scope,
                                   const ListPage& page, KeptReports& kept) {
  auto first = FirstOfDrift(store, scope, page, kept);
  if (!first) return Fail(first.error());
  return *first ? std::move(**first) : DriftReport(store, scope, page);
}

Json DriftReportSchema() { return ParseJson(kDriftSchemaText).value_or(Json::object()); }

}  // namespace bindery::report
