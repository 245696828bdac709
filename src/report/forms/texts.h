#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "manifests/schema/problem.h"
#include "report/text/text.h"

namespace bindery::report {

struct AccessAnswers;
struct AccessDiff;
struct EventLine;
struct EventList;
struct Explanation;
struct HoldList;
struct ListedResources;
struct PassPlan;
struct PreflightResult;
struct ReplicaList;
struct RevisionDetail;
struct TargetHistory;
struct Validation;

// The reports as text for people: the same that `-o json` prints, and nothing else. Every text
// ends with a line break. What comes from a cloud or a manifest cannot control the terminal:
// control characters are written as escapes.

/// The groups of a table of resources, with the title of each above its rows.
enum class ResourceGroups { kNone, kKind, kState };

/// `by`: if not set, by kind on a terminal where there are several kinds, else none.
[[nodiscard]] std::string ResourcesText(const ListedResources& report, const TextStyle& style,
                                        std::optional<ResourceGroups> by = std::nullopt);
/// One name per line, for further commands.
[[nodiscard]] std::string ResourceNamesText(const ListedResources& report);
[[nodiscard]] std::string EventsText(const EventList& report, const TextStyle& style);
/// One event of a stream, in a separate line.
[[nodiscard]] std::string LineOfEvent(const EventLine& event, const TextStyle& style);
[[nodiscard]] std::string HistoryText(const TargetHistory& history, const TextStyle& style);
/// A recorded policy, with its changes.
[[nodiscard]] std::string RevisionText(const RevisionDetail& detail, const TextStyle& style);
/// The effect of writing the policy back.
[[nodiscard]] std::string RollbackText(const RevisionDetail& detail, const TextStyle& style);
[[nodiscard]] std::string ReplicasText(const ReplicaList& report, const TextStyle& style);
[[nodiscard]] std::string GuardText(const HoldList& report, const TextStyle& style);
[[nodiscard]] std::string PlanText(const PassPlan& plan, const TextStyle& style);
[[nodiscard]] std::string ValidateText(const Validation& found, const TextStyle& style);
[[nodiscard]] std::string PreflightText(const PreflightResult& result, const TextStyle& style);
[[nodiscard]] std::string AccessText(const AccessAnswers& report, const TextStyle& style);
[[nodiscard]] std::string AccessDiffText(const AccessDiff& diff, const TextStyle& style);
/// Either report of access as RFC 4180 text with a line of titles. A cell that a spreadsheet would
/// take for a formula begins with an apostrophe.
[[nodiscard]] std::string AccessCsv(const AccessAnswers& report);
[[nodiscard]] std::string AccessCsv(const AccessDiff& diff);
[[nodiscard]] std::string ExplainText(const Explanation& report, const TextStyle& style);
/// The problems as a SARIF 2.1.0 log, for code scanning. `version` is bindery's; may be empty.
/// `prefix`: as of MakeUri.
[[nodiscard]] Json ValidateSarif(const std::vector<manifests::Problem>& problems,
                                 const std::string& version = "", const std::string& prefix = "");

}  // namespace bindery::report
