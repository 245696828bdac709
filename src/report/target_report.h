#pragma once

#include <string>

#include "core/clock.h"
#include "core/expected.h"
#include "report/list_slice.h"
#include "report/target_values.h"
#include "store/report_reader.h"

namespace bindery {

/// That page of the targets on record whose name, kind or provider has `text` in it.
[[nodiscard]] Expected<TargetList> TargetsReport(const ReportReader& store, const std::string& text,
                                                 const ListPage& page);

/// Which target is meant. A restriction policy's name means something only within its provider:
/// `scope` names one, and may be empty where only one target has that kind and name.
struct TargetName {
  std::string kind;
  std::string name;
  std::string scope;
};

/// One target with all of its policy; with `attribution` also who made the lines that differ.
/// kNotFound when no such target exists, kInvalidArgument when several providers have one.
[[nodiscard]] Expected<TargetDetail> TargetReport(const ReportReader& store,
                                                  const TargetName& wanted, WallTime now,
                                                  bool attribution = false);

}  // namespace bindery
