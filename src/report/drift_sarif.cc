#include <array>
#include <utility>

#include "core/digest.h"
#include "report/attributions.h"
#include "report/drift_forms.h"
#include "report/drift_items.h"
#include "report/json_fields.h"
#include "report/json_stream.h"
#include "report/sarif_log.h"
#include "report/text_style.h"

namespace bindery::report {
namespace {

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

std::size_t IndexOf(const std::string& drift_class) {
  std::size_t index = 0;
  while (index + 1 < kRules.size() && drift_class != kRules.at(index).id) ++index;
  return index;
}

const char* LevelOf(const std::string& severity) {
  if (severity == "critical" || severity == "high") return "error";
  return severity == "medium" ? "warning" : "note";
}

/// From 0 to 100, as SARIF has it: levels are too few to tell a critical one from a high one.
double RankOf(const std::string& severity) {
  if (severity == "critical") return 95;
  if (severity == "high") return 80;
  return severity == "medium" ? 50 : 20;
}

/// Code scanning takes no log in which a result has no file: what stands in no manifest is shown at
/// one that declares something on its target, and where there is none, at the folder of manifests.
Json LocationOf(const Json& item, DriftDocument& report) {
  Json location = {
      {"logicalLocations", Json::array({{{"fullyQualifiedName", StringMember(item, "target")},
                                         {"kind", "resource"}}})}};
  Json source = ObjectMember(item, "source");
  if (source.empty()) {
    source = report.SourceNear(StringMember(item, "kind"), StringMember(item, "target"));
  }
  if (source.is_null() || source.empty()) source = {{"file", "."}};
  Json physical = {{"artifactLocation", {{"uri", UriOf(StringMember(source, "file"))}}}};
  if (IntMember(source, "line") > 0) physical["region"] = {{"startLine", source.at("line")}};
  location["physicalLocation"] = std::move(physical);
  return location;
}

Json ResultOf(const Json& item, DriftDocument& report) {
  const std::string severity = StringMember(item, "severity");
  const std::string time = TimeBoundsOf(item);
  const std::string grant = GrantOf(item) + (time.empty() ? "" : " (" + time + ")");
  const std::string made_by = MadeBy(item);
  const std::string text = Shown(item, "target") + ": " + (grant.empty() ? "" : grant + ": ") +
                           "declared: " + Shown(item, "desired") +
                           "; observed: " + Shown(item, "observed") + "; " + Shown(item, "action") +
                           (made_by.empty() ? "" : "; changed by " + made_by);
  const std::string identity =
      StringMember(item, "class") + "\n" + StringMember(item, "kind") + "\n" +
      StringMember(item, "target") + "\n" + StringMember(item, "resource") + "\n" +
      ObjectMember(item, "grant").dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::string change = StringMember(item, "change");
  Json properties = {{"severity", severity},
                     {"state", StringMember(item, "state")},
                     {"cause", StringMember(item, "cause")},
                     {"firstSeen", StringMember(item, "firstSeen")}};
  if (const Json* bounds = FindMember(item, "timeBounds")) properties["timeBounds"] = *bounds;
  if (const Json* who = FindMember(item, "attribution")) properties["attribution"] = *who;
  return {{"ruleId", StringMember(item, "class")},
          {"ruleIndex", IndexOf(StringMember(item, "class"))},
          {"level", LevelOf(severity)},
          {"rank", RankOf(severity)},
          {"message", {{"text", text}}},
          {"baselineState", change == "new" ? "new" : "unchanged"},
          {"locations", Json::array({LocationOf(item, report)})},
          {"partialFingerprints", {{"difference/v1", Sha256Hex(identity)}}},
          {"properties", std::move(properties)}};
}

}  // namespace

/// SARIF 2.1.0 with what is open or held; what no manifest declares has no place in a file.
Expected<void> WriteDriftSarif(DriftDocument& report, const DriftWriting& writing,
                               const TextSink& out) {
  Json rules = Json::array();
  for (const Rule& rule : kRules) {
    rules.push_back({{"id", rule.id}, {"shortDescription", {{"text", rule.description}}}});
  }
  const auto results = [&](const DriftDocument::TakeItem& take) {
    return report.Each(Standing(report.entries()),
                       [&](const Json& item) { take(ResultOf(item, report)); });
  };
  return WriteJson(SarifLog(std::move(rules), Json::array(), writing.version),
                   {"runs", "0", "results"}, results, out);
}

}  // namespace bindery::report
