#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "core/time_text.h"
#include "report/drift_document.h"
#include "report/drift_forms.h"
#include "support/matchers.h"

namespace bindery::testing {

/// A report that is there as JSON, whole.
class JsonDocument final : public DriftDocument {
 public:
  explicit JsonDocument(Json report) : head_(std::move(report)) {
    items_ = std::exchange(head_["items"], Json::array());
    std::map<std::string, std::uint32_t> targets;
    for (const Json& item : items_) {
      Entry& entry = entries_.emplace_back();
      entry.id = static_cast<std::int64_t>(entries_.size()) - 1;
      const auto number = static_cast<std::uint32_t>(targets.size());
      entry.target = targets.try_emplace(StringMember(item, "target"), number).first->second;
      attributed_ = attributed_ || item.contains("attribution");
      if (StringMember(item, "state") != "corrected") continue;
      const auto over = ParseRfc3339(StringMember(item, "resolvedAt")).value_or(WallTime{});
      entry.resolved_at =
          1 + std::chrono::floor<std::chrono::milliseconds>(over).time_since_epoch().count();
    }
  }

  [[nodiscard]] const Json& head() const override { return head_; }
  [[nodiscard]] const Entries& entries() const override { return entries_; }
  [[nodiscard]] bool attributed() const override { return attributed_; }
  Expected<void> Each(const Entries& entries, const TakeItem& take) override {
    for (const Entry& entry : entries) take(items_[static_cast<std::size_t>(entry.id)]);
    return {};
  }

 private:
  Json head_;
  Json items_;
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
