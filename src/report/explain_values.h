#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "report/json_codec.h"
#include "report/plan_values.h"

namespace bindery {

/// What the next pass would do for one resource.
struct NextPass {
  bool known = true;
  std::string text = "nothing";  ///< What it does, or why that is nothing or not known.
  PlanAction action = PlanAction::kNone;
  std::vector<PlannedGrant> adds;
  std::vector<PlannedGrant> removes;
  std::string note;  ///< Of the plan.
};

template <>
inline constexpr auto report::kFields<NextPass> = std::tuple{
    report::Field{"known", &NextPass::known},     report::Field{"text", &NextPass::text},
    report::Field{"action", &NextPass::action},   report::Field{"adds", &NextPass::adds},
    report::Field{"removes", &NextPass::removes}, report::Field{"note", &NextPass::note}};

}  // namespace bindery
