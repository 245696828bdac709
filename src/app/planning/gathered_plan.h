#pragma once

#include <memory>
#include <vector>

#include "report/values/plan_values.h"
#include "server/control.h"

namespace bindery::app {

/// Puts the plans of parts of the targets together, in the order of Add().
class GatheredPlan {
 public:
  /// `takers`: get the lines, so that nobody holds them; if empty, the plan has the lines.
  explicit GatheredPlan(std::vector<std::shared_ptr<server::PlanLines>> takers)
      : takers_(std::move(takers)) {}

  void Add(report::PassPlan part);
  /// Begins anew.
  void Clear();
  [[nodiscard]] report::PassPlan Take() && { return std::move(plan_); }

 private:
  void Give(const report::PlanLine& line) const;

  std::vector<std::shared_ptr<server::PlanLines>> takers_;
  report::PassPlan plan_;
};

}  // namespace bindery::app
