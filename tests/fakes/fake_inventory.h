#pragma once

#include <string>
#include <vector>

#include "server/inventory_port.h"

namespace bindery::testing {

/// Answers with one of everything, and notes which scans were asked for.
class FakeInventory final : public server::InventoryPort {
 public:
  [[nodiscard]] Expected<report::Coverage> MakeCoverage(
      const server::CoverageAsked& asked) const override {
    if (asked.by == "colour") return Fail(Code::kInvalidArgument, "no such word");
    report::Coverage coverage;
    coverage.scope = "organizations/1";
    coverage.provider = "cloudnative";
    coverage.classes.unmanaged = 2;
    coverage.grants = 2;
    coverage.by = "role";
    coverage.groups = {{"roles/<viewer>", 2, coverage.classes}};
    coverage.not_looked_at = {"deny policies"};
    return coverage;
  }
  [[nodiscard]] Expected<report::InventoryList> Scans() const override {
    report::InventoryLine line;
    line.scope = "organizations/1";
    line.state = report::InventoryState::kCutOff;
    line.unread = {"the hierarchy: refused"};
    line.error = "UNAVAILABLE: away";
    return report::InventoryList{{line}};
  }
  [[nodiscard]] Expected<report::AccessRecords> RecordsWith(
      const store::ReportReader& store, const std::string& /*permission*/) const override {
    return report::AccessRecords{store};
  }
  Expected<report::InventoryLine> Begin(const std::string& scope, const std::string& provider,
                                        const std::string& actor) override {
    begun.push_back(scope + "|" + provider + "|" + actor.substr(0, actor.find(' ')));
    report::InventoryLine line;
    line.scope = scope;
    return line;
  }

  std::vector<std::string> begun;
};

}  // namespace bindery::testing
