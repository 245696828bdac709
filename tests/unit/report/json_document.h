#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/time_text.h"
#include "report/drift_document.h"
#include "report/drift_forms.h"
#include "report/json_fields.h"
#include "support/matchers.h"

namespace bindery::testing {

// A drift report that is written down as JSON. What it leaves out is as if nothing were known of
// it.

inline std::optional<WallTime> TimeIn(const Json& value, const char* name) {
  const auto time = ParseRfc3339(StringMember(value, name));
  return time ? std::optional(*time) : std::nullopt;
}

inline std::optional<SourceLine> SourceIn(const Json& value) {
  const Json& source = report::ObjectMember(value, "source");
  return SourceLineOf(StringMember(source, "file"),
                      static_cast<int>(report::IntMember(source, "line")));
}

/// The value whose word is the member of that name.
template <typename Values>
auto WordIn(const Json& value, const char* name, const Values& values) {
  const std::string word = StringMember(value, name);
  for (const auto known : values) {
    if (ToString(known) == word) return known;
  }
  return values.front();
}

inline std::optional<report::Attribution> AttributionIn(const Json& item) {
  if (!item.contains("attribution")) return std::nullopt;
  const Json& json = item.at("attribution");
  report::Attribution made;
  made.actor = StringMember(json, "actor");
  made.impersonator = StringMember(json, "impersonator");
  made.time = TimeIn(json, "time");
  made.method = StringMember(json, "method");
  made.entry = StringMember(json, "entry");
  made.source = StringMember(json, "source");
  if (json.contains("how")) {
    made.how = WordIn(json, "how", std::array{attribution::How::kExact, attribution::How::kPolicy});
  }
  return made;
}

inline DriftReportItem ItemIn(const Json& json) {
  DriftReportItem item;
  item.id = report::IntMember(json, "id");
  item.drift_class = WordIn(json, "class", kAllDriftClasses);
  item.severity = WordIn(json, "severity", kAllSeverities);
  item.state = DriftStateFromString(StringMember(json, "state"));
  item.cause = WordIn(json, "cause", kAllDriftCauses);
  item.target = StringMember(json, "target");
  item.kind = StringMember(json, "kind");
  item.resource = StringMember(json, "resource");
  item.source = SourceIn(json);
  if (const Json& grant = report::ObjectMember(json, "grant"); !grant.empty()) {
    item.grant = GrantFromJson(grant);
    if (grant.contains("relation")) item.words = kRestrictionWords;
  }
  item.field = StringMember(json, "field");
  item.desired = StringMember(json, "desired");
  item.observed = StringMember(json, "observed");
  item.first_seen = TimeIn(json, "firstSeen");
  item.last_seen = TimeIn(json, "lastSeen");
  item.resolved_at = TimeIn(json, "resolvedAt");
  item.resolved_by = StringMember(json, "resolvedBy");
  item.action = StringMember(json, "action");
  item.change = WordIn(
      json, "change",
      std::array{DriftChange::kNone, DriftChange::kNew, DriftChange::kGone, DriftChange::kStill});
  item.time_bounds = report::TimeBoundsFromJson(report::ObjectMember(json, "timeBounds"));
  if (const Json& accepted = report::ObjectMember(json, "acceptance"); !accepted.empty()) {
    item.acceptance = Acceptance{StringMember(accepted, "reason"), StringMember(accepted, "owner"),
                                 TimeIn(accepted, "until")};
  }
  item.attribution = AttributionIn(json);
  return item;
}

inline DriftSummary SummaryIn(const Json& json) {
  const auto number = [](const Json& value, std::string_view name) {
    return report::IntMember(value, name);
  };
  DriftSummary summary;
  summary.targets = number(json, "targets");
  summary.grants = number(json, "grants");
  summary.open = number(json, "open");
  summary.corrected = number(json, "corrected");
  summary.held = number(json, "held");
  summary.accepted = number(json, "accepted");
  summary.in_sync = number(json, "inSync");
  summary.drifted = number(json, "drifted");
  summary.failing = number(json, "failing");
  summary.expiring = number(json, "expiring");
  for (const Severity severity : kAllSeverities) {
    summary.by_severity.at(static_cast<std::size_t>(severity)) =
        number(report::ObjectMember(json, "bySeverity"), ToString(severity));
  }
  for (const DriftCause cause : kAllDriftCauses) {
    summary.by_cause.at(static_cast<std::size_t>(cause)) =
        number(report::ObjectMember(json, "byCause"), ToString(cause));
  }
  const Json& since = report::ObjectMember(json, "sinceLast");
  summary.appeared = number(since, "new");
  summary.gone = number(since, "gone");
  summary.still = number(since, "still");
  return summary;
}

inline DriftHead HeadIn(const Json& json) {
  DriftHead head;
  head.generated_at = TimeIn(json, "generatedAt").value_or(WallTime{});
  head.previous_at = TimeIn(json, "previousAt");
  head.least = WordIn(json, "leastSeverity", kAllSeverities);
  head.summary = SummaryIn(report::ObjectMember(json, "summary"));
  for (const Json& item : report::ArrayMember(json, "accepted")) {
    head.accepted.push_back(ItemIn(item));
  }
  for (const Json& entry : report::ArrayMember(json, "failing")) {
    head.failing.push_back({StringMember(entry, "resource"), StringMember(entry, "target"),
                            StringMember(entry, "reason"), StringMember(entry, "message"),
                            SourceIn(entry)});
  }
  for (const Json& entry : report::ArrayMember(json, "expiring")) {
    head.expiring.push_back({StringMember(entry, "resource"), StringMember(entry, "target"),
                             StringMember(entry, "role"), report::IntMember(entry, "grants"),
                             cel::ParseTimestamp(StringMember(entry, "endsAt")).value(),
                             SourceIn(entry)});
  }
  return head;
}

/// The report, all of it in memory.
class JsonDocument final : public DriftDocument {
 public:
  explicit JsonDocument(const Json& report) : head_(HeadIn(report)) {
    std::map<std::string, std::uint32_t> targets;
    for (const Json& json : report::ArrayMember(report, "items")) {
      const DriftReportItem& item = items_.emplace_back(ItemIn(json));
      Entry& entry = entries_.emplace_back();
      entry.id = static_cast<std::int64_t>(entries_.size()) - 1;
      const auto number = static_cast<std::uint32_t>(targets.size());
      entry.target = targets.try_emplace(item.target, number).first->second;
      attributed_ = attributed_ || item.attribution;
      if (item.state != DriftState::kCorrected) continue;
      const auto over =
          std::chrono::floor<std::chrono::milliseconds>(item.resolved_at.value_or(WallTime{}));
      entry.resolved_at = 1 + over.time_since_epoch().count();
    }
  }

  [[nodiscard]] const DriftHead& head() const override { return head_; }
  [[nodiscard]] const Entries& entries() const override { return entries_; }
  [[nodiscard]] bool attributed() const override { return attributed_; }
  Expected<void> Each(const Entries& entries, const TakeItem& take) override {
    for (const Entry& entry : entries) take(items_[static_cast<std::size_t>(entry.id)]);
    return {};
  }

 private:
  DriftHead head_;
  std::vector<DriftReportItem> items_;
  Entries entries_;
  bool attributed_ = false;
};

inline std::string DriftIn(ReportFormat format, DriftDocument& document,
                           const TextStyle& style = {}) {
  std::string text;
  EXPECT_THAT(WriteDrift({format}, document, style, "1.2.3",
                         [&text](std::string_view piece) { text += piece; }),
              IsOk());
  return text;
}

inline std::string DriftIn(ReportFormat format, const Json& report, const TextStyle& style = {}) {
  JsonDocument document(report);
  return DriftIn(format, document, style);
}

inline std::string DriftText(const Json& report, const TextStyle& style) {
  return DriftIn(ReportFormat::kText, report, style);
}

}  // namespace bindery::testing
