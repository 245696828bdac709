#pragma once

#include <string>

#include "core/clock.h"
#include "core/expected.h"
#include "core/json.h"
#include "report/reports.h"
#include "store/report_reader.h"

namespace bindery {

/// {"targets": [{"target", "kind", "provider", "scope", "resources", "grants", "observed",
/// "exists", "observedAt", "open", "held", "severity"}], "total", "offset", "limit"}: every target
/// on record whose name, kind or provider has `text` in it, by kind and name. "open" and "held"
/// count its differences, "severity" is that of the worst, or null.
[[nodiscard]] Expected<Json> TargetsReport(const ReportReader& store, const std::string& text,
                                           const ListPage& page);

/// Which target is meant. A restriction policy's name means something only within its provider:
/// `scope` names one, and may be empty where only one target has that kind and name.
struct TargetName {
  std::string kind;
  std::string name;
  std::string scope;
};

/// One target with all of its policy: what TargetsReport says, and besides "etag", "digest",
/// "everWritten", "policy" (as it was last read), "declares": [{"name", "ready", "reason",
/// "source"}] and "lines": a grant each, of the policy and of what is declared and missing:
/// {"grant", "state": "declared" | "undeclared" | "missing", "source", "timeBounds"}, with
/// `attribution` what differs also "attribution" as in a drift report. kNotFound
/// when there is no such target, kInvalidArgument when several providers have one.
[[nodiscard]] Expected<Json> TargetReport(const ReportReader& store, const TargetName& wanted,
                                          WallTime now, bool attribution = false);

}  // namespace bindery
