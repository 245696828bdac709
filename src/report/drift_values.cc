#include "report/drift_values.h"

#include <utility>

#include "core/time_text.h"
#include "report/reports.h"

namespace bindery {
namespace {

Json TimeJson(const std::optional<WallTime>& time) {
  return time ? Json(FormatRfc3339(*time)) : Json();
}

Json ToJson(const FailingResource& failing) {
  return {{"resource", failing.resource},
          {"target", failing.target},
          {"reason", failing.reason},
          {"message", failing.message},
          {"source", report::JsonOf(failing.source)}};
}

Json ToJson(const ExpiringGrants& expiring) {
  return {{"resource", expiring.resource},
          {"target", expiring.target},
          {"role", expiring.role},
          {"grants", expiring.grants},
          {"endsAt", cel::ToString(expiring.ends_at)},
          {"source", report::JsonOf(expiring.source)}};
}

template <typename Values>
Json ListJson(const Values& values) {
  Json list = Json::array();
  for (const auto& value : values) list.push_back(ToJson(value));
  return list;
}

}  // namespace

std::string_view ToString(DriftChange change) {
  switch (change) {
    case DriftChange::kNew:
      return "new";
    case DriftChange::kGone:
      return "gone";
    case DriftChange::kStill:
      return "still";
    case DriftChange::kNone:
      break;
  }
  return "";
}

Json ToJson(const DriftReportItem& item) {
  const std::string_view change = ToString(item.change);
  Json json = {{"id", item.id},
               {"class", ToString(item.drift_class)},
               {"severity", ToString(item.severity)},
               {"state", ToString(item.state)},
               {"cause", ToString(item.cause)},
               {"target", item.target},
               {"kind", item.kind},
               {"resource", item.resource},
               {"source", report::JsonOf(item.source)},
               {"grant", item.grant ? ToJson(*item.grant, item.words) : Json()},
               {"desired", item.desired},
               {"observed", item.observed},
               {"firstSeen", TimeJson(item.first_seen)},
               {"lastSeen", TimeJson(item.last_seen)},
               {"resolvedAt", TimeJson(item.resolved_at)},
               {"resolvedBy", item.resolved_by},
               {"action", item.action},
               {"change", change.empty() ? Json() : Json(change)}};
  if (item.time_bounds) json["timeBounds"] = report::ToJson(*item.time_bounds);
  if (item.drift_class == DriftClass::kLookupChanged) json["field"] = item.field;
  if (item.acceptance) {
    json["acceptance"] = {{"reason", item.acceptance->reason},
                          {"owner", item.acceptance->owner},
                          {"until", TimeJson(item.acceptance->until)}};
  }
  if (item.attribution) json["attribution"] = report::ToJson(*item.attribution);
  return json;
}

Json ToJson(const DriftSummary& summary) {
  Json severities = Json::object();
  for (const Severity severity : kWorstFirst) {
    severities[std::string(ToString(severity))] = summary.Of(severity);
  }
  constexpr std::array kForeignFirst = {DriftCause::kForeign, DriftCause::kUnknown,
                                        DriftCause::kExpiry, DriftCause::kManifest};
  Json causes = Json::object();
  for (const DriftCause cause : kForeignFirst) {
    causes[std::string(ToString(cause))] = summary.Of(cause);
  }
  return {
      {"targets", summary.targets},
      {"grants", summary.grants},
      {"open", summary.open},
      {"corrected", summary.corrected},
      {"held", summary.held},
      {"accepted", summary.accepted},
      {"inSync", summary.in_sync},
      {"drifted", summary.drifted},
      {"failing", summary.failing},
      {"expiring", summary.expiring},
      {"bySeverity", std::move(severities)},
      {"byCause", std::move(causes)},
      {"sinceLast", {{"new", summary.appeared}, {"gone", summary.gone}, {"still", summary.still}}}};
}

Json ToJson(const DriftHead& head) {
  return {
      {"version", kDriftReportVersion},           {"generatedAt", FormatRfc3339(head.generated_at)},
      {"previousAt", TimeJson(head.previous_at)}, {"leastSeverity", ToString(head.least)},
      {"summary", ToJson(head.summary)},          {"items", Json::array()},
      {"accepted", ListJson(head.accepted)},      {"failing", ListJson(head.failing)},
      {"expiring", ListJson(head.expiring)}};
}

}  // namespace bindery
