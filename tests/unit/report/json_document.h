#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "report/forms/drift_forms.h"
#include "report/values/drift_document.h"
#include "support/matchers.h"

namespace bindery::testing {

// A drift report that is written down as JSON. What it leaves out is as if nothing were known of
// it.

/// The report, all of it in memory.
class JsonDocument final : public report::DriftDocument {
 public:
  explicit JsonDocument(const Json& report)
      : report_(report::FromJson<report::WholeDrift>(report).value()) {
    std::map<std::string, std::uint32_t> targets;
    for (const report::DriftReportItem& item : report_.items) {
      Entry& entry = entries_.emplace_back();
      entry.id = static_cast<std::int64_t>(entries_.size()) - 1;
      const auto number = static_cast<std::uint32_t>(targets.size());
      entry.severity = item.severity;
      entry.target = targets.try_emplace(item.target, number).first->second;
      attributed_ = attributed_ || item.attribution;
      if (item.state != DriftState::kCorrected) continue;
      const auto over =
          std::chrono::floor<std::chrono::milliseconds>(item.resolved_at.value_or(WallTime{}));
      entry.resolved_at = 1 + over.time_since_epoch().count();
    }
  }

  [[nodiscard]] const report::DriftHead& head() const override { return report_; }
  [[nodiscard]] const Entries& entries() const override { return entries_; }
  [[nodiscard]] bool attributed() const override { return attributed_; }
  Expected<void> Each(const Entries& entries, const TakeItem& take) override {
    for (const Entry& entry : entries) take(report_.items[static_cast<std::size_t>(entry.id)]);
    return {};
  }

 private:
  report::WholeDrift report_;
  Entries entries_;
  bool attributed_ = false;
};

inline std::string DriftIn(ReportFormat format, report::DriftDocument& document,
                           const report::TextStyle& style = {}) {
  std::string text;
  EXPECT_THAT(report::WriteDrift({format}, document, style, "1.2.3",
                                 [&text](std::string_view piece) { text += piece; }),
              IsOk());
  return text;
}

inline std::string DriftIn(ReportFormat format, const Json& report,
                           const report::TextStyle& style = {}) {
  JsonDocument document(report);
  return DriftIn(format, document, style);
}

inline std::string DriftText(const Json& report, const report::TextStyle& style) {
  return DriftIn(ReportFormat::kText, report, style);
}

}  // namespace bindery::testing
