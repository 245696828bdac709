#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <utility>

#include "core/base/json_text.h"
#include "core/text/digest.h"
#include "report/codec/json_stream.h"
#include "report/forms/drift_forms.h"
#include "report/forms/sarif_log.h"
#include "report/text/text_style.h"
#include "report/values/attributions.h"
#include "report/values/drift_items.h"

namespace bindery::report {
namespace {

constexpr const char* kDriftHelp =
    "Declare the difference, repair it, or accept it. The message says what is declared, what was "
    "observed, and what becomes of it.";

struct Rule {
  const char* id;
  const char* description;
};
constexpr std::array<Rule, 6> kRules = {
    {{"missing", "Declared, but not in the policy"},
     {"undeclared", "In the policy, but declared by no manifest"},
     {"condition-changed", "Granted under another condition than declared"},
     {"principal-deleted", "The declared principal was deleted"},
     {"target-missing", "The resource that the policy belongs to is not there"},
     {"lookup-changed", "A lookup gives another result than before"}}};

std::size_t FindIndex(DriftClass drift_class) {
  std::size_t index = 0;
  while (index + 1 < kRules.size() && ToString(drift_class) != kRules.at(index).id) ++index;
  return index;
}

const char* GetLevel(Severity severity) {
  if (severity >= Severity::kHigh) return "error";
  return severity == Severity::kMedium ? "warning" : "note";
}

/// From 0 to 100, as in SARIF: levels are too few to separate critical from high.
double GetRank(Severity severity) {
  switch (severity) {
    case Severity::kCritical:
      return 95;
    case Severity::kHigh:
      return 80;
    case Severity::kMedium:
      return 50;
    case Severity::kLow:
      break;
  }
  return 20;
}

/// Code scanning takes no log with a result without a file: an undeclared difference is shown at a
/// manifest on the same target, and if none exists, at the folder of manifests.
Json MakeLocation(const DriftReportItem& item, DriftDocument& report, const std::string& prefix) {
  Json location = {{"logicalLocations",
                    Json::array({{{"fullyQualifiedName", item.target}, {"kind", "resource"}}})}};
  std::optional<SourceLine> source = item.source;
  if (!source) source = report.SourceNear(item.kind, item.target);
  const std::string file = source ? source->file : "./";
  Json physical = {{"artifactLocation", {{"uri", MakeUri(file, prefix)}}}};
  // A result without a line is refused.
  physical["region"] = {{"startLine", source ? std::max(source->line, 1) : 1}};
  location["physicalLocation"] = std::move(physical);
  return location;
}

/// Equal for the same difference, whatever the state.
std::string GetIdentity(const DriftReportItem& item) {
  const Json grant = item.grant ? MakeJson(*item.grant) : Json::object();
  return std::string(ToString(item.drift_class)) + "\n" + item.kind + "\n" + item.target + "\n" +
         item.resource + "\n" + CompactJson(grant);
}

std::string ComposeMessage(const DriftReportItem& item) {
  const std::string time = DescribeTimeBounds(item);
  const std::string grant = GetGrant(item) + (time.empty() ? "" : " (" + time + ")");
  const std::string made_by = MadeBy(item.attribution);
  return Printable(item.target) + ": " + (grant.empty() ? "" : grant + ": ") +
         "declared: " + Printable(item.desired) + "; observed: " + Printable(item.observed) + "; " +
         Printable(item.action) + (made_by.empty() ? "" : "; changed by " + made_by);
}

Json MakeResult(const DriftReportItem& item, DriftDocument& report, const std::string& prefix) {
  Json properties = {{"severity", ToString(item.severity)},
                     {"state", ToString(item.state)},
                     {"cause", ToString(item.cause)},
                     {"firstSeen", TimeText(item.first_seen)}};
  if (item.time_bounds) properties["timeBounds"] = ToJson(*item.time_bounds);
  if (item.attribution) properties["attribution"] = ToJson(*item.attribution);
  return {{"ruleId", ToString(item.drift_class)},
          {"ruleIndex", FindIndex(item.drift_class)},
          {"level", GetLevel(item.severity)},
          {"rank", GetRank(item.severity)},
          {"message", {{"text", SarifText(ComposeMessage(item))}}},
          {"baselineState", item.change == DriftChange::kNew ? "new" : "unchanged"},
          {"locations", Json::array({MakeLocation(item, report, prefix)})},
          {"partialFingerprints", {{"difference/v1", Sha256Hex(GetIdentity(item))}}},
          {"properties", std::move(properties)}};
}

}  // namespace

/// SARIF 2.1.0 with what is open or held; an undeclared grant has no place in a file.
Expected<void> WriteDriftSarif(DriftDocument& report, const DriftWriting& writing,
                               const TextSink& out) {
  Json rules = Json::array();
  for (const Rule& rule : kRules) {
    rules.push_back(SarifRule(rule.id, rule.description, kDriftHelp, "drift.md"));
  }
  const auto results = [&](const std::function<void(const Json&)>& take) {
    return report.Each(Standing(report.entries()), [&](const DriftReportItem& item) {
      take(MakeResult(item, report, writing.path_prefix));
    });
  };
  Json log = SarifLog(std::move(rules), Json::array(), writing.version);
  // No result: code scanning would show each as open.
  if (const auto& unmanaged = report.head().unmanaged) {
    log["runs"][0]["properties"] = {{"unmanaged", ToJson(*unmanaged)}};
  }
  return WriteJson(log, {"runs", "0", "results"}, results, out);
}

}  // namespace bindery::report
