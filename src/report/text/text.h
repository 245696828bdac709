#pragma once

#include <string>

#include "core/base/clock.h"

namespace bindery {

struct EventLine;
struct EventList;
struct HoldList;
struct ListedResources;
struct PassPlan;
struct PreflightResult;
struct ReplicaList;
struct RevisionDetail;
struct TargetHistory;
struct Validation;

/// How a text is to look.
struct TextStyle {
  bool colour = false;  ///< ANSI escapes; for terminals.
  int width = 0;        ///< Of the terminal: wide values are cut with "…". 0: nothing is cut.
  WallTime now;         ///< What ages are counted from.
  bool wide = false;    ///< Also what is of use now and then only.
  bool titles = true;   ///< Of tables.
};

// The reports as text for people: the same that `-o json` prints, and nothing else. Every text
// ends with a line break. What comes from a cloud or a manifest cannot control the terminal:
// control characters are written as escapes.

[[nodiscard]] std::string ResourcesText(const ListedResources& report, const TextStyle& style);
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

}  // namespace bindery
