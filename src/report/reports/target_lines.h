#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "core/access/status.h"
#include "core/base/expected.h"
#include "report/codec/list_slice.h"
#include "report/values/target_values.h"
#include "store/ports/report_reader.h"

namespace bindery::report {

/// What is known of a target besides its own record.
struct TargetStanding {
  std::size_t resources = 0;
  std::size_t open = 0;
  std::size_t held = 0;
  std::optional<Severity> worst;

  void Take(const DriftRecord& record);
};

[[nodiscard]] TargetLine LineOfTarget(const TargetRecord& record, const TargetStanding& standing);

/// TargetsReport of all that have `text` in them, without a list: each is given to `take`. Gives
/// how many there are.
[[nodiscard]] Expected<std::size_t> EachTargetLine(
    const ReportReader& store, const std::string& text,
    const std::function<void(const TargetLine&)>& take);

}  // namespace bindery::report
