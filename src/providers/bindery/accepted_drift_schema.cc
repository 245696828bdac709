#include "providers/bindery/accepted_drift_schema.h"

#include <string>
#include <utility>

#include "core/text/time_text.h"
#include "manifests/schema/check_text.h"
#include "manifests/schema/checks.h"
#include "providers/bindery/own_kinds.h"

namespace bindery::providers {
namespace {

std::optional<manifests::CheckFailure> CheckDayOrTime(std::string_view text) {
  if (ParseDayOrTime(text)) return std::nullopt;
  return manifests::CheckFailure{"BadTime",
                                 manifests::Quote(text) +
                                     " is not a time: expected a day such as 2026-11-21, which "
                                     "begins at 00:00 UTC, or 2026-11-21T10:20:30Z"};
}

std::optional<manifests::CheckFailure> CheckWithin(std::string_view text) {
  const auto duration = ParseDuration(text);
  if (duration && duration->count() > 0) return std::nullopt;
  return manifests::CheckFailure{
      "BadDuration",
      manifests::Quote(text) + " is not a duration: write a number and a unit such as 12h"};
}

/// A rule that fits every difference turns enforcement off.
std::vector<std::pair<std::string, manifests::CheckFailure>> CheckRestricts(const Json& spec) {
  if (!spec.is_object() || AcceptedDriftRuleIn(spec)) return {};
  return {{"match", manifests::CheckFailure{
                        "FitsEverything",
                        "fits every difference: name a target, role, member, class or condition"}}};
}

manifests::Field Text(const char* name, const char* description, const char* example) {
  manifests::Field field;
  field.name = name;
  field.description = description;
  field.examples = {example};
  field.check = manifests::CheckNotBlank;
  return field;
}

manifests::Field MatchedConditionField() {
  manifests::Field within =
      Text("endsWithin",
           "Only conditions that hold at no time later than this from now, or have "
           "ended.",
           "12h");
  within.check = CheckWithin;
  manifests::Field condition;
  condition.name = "condition";
  condition.type = manifests::FieldType::kObject;
  condition.description = "The condition of the grant; one without a condition does not fit.";
  condition.fields = {
      Text("title", "The pattern of its title.", "JIT access activation"),
      Text("expression", "The pattern of its expression.", "request.time < timestamp(*)"),
      std::move(within)};
  return condition;
}

manifests::Field MatchField() {
  manifests::Field drift_class = Text("class", "The class of the difference.", "undeclared");
  drift_class.choices = {"missing", "undeclared", "condition-changed", "principal-deleted"};
  drift_class.check = nullptr;
  manifests::Field match;
  match.name = "match";
  match.type = manifests::FieldType::kObject;
  match.required = true;
  match.description =
      "Which differences are accepted: those that fit all its keys. The texts are patterns with * "
      "and ?; capitals do not matter. At least one key is needed.";
  match.fields = {
      Text("target", "The full name of the target.", "projects/acme-*"),
      Text("role", "The role, or the relation of a restriction policy.", "roles/viewer"),
      Text("member", "The member, or the principal of a restriction policy.",
           "user:ana@example.com"),
      std::move(drift_class), MatchedConditionField()};
  return match;
}

manifests::KindSchema MakeAcceptedDriftSchema() {
  manifests::Field reason =
      Text("reason", "Why the difference may stay.", "break-glass for incident 42");
  reason.required = true;
  manifests::Field owner = Text("owner", "Who answers for it.", "ana@example.com");
  owner.required = true;
  manifests::Field until =
      Text("until",
           "From then on it is drift again: a day, which begins at 00:00 UTC, or an RFC "
           "3339 time. Without it the acceptance has no end.",
           "2026-12-01");
  until.check = CheckDayOrTime;

  manifests::KindSchema schema;
  schema.token = {kOwnProvider, "AcceptedDrift"};
  schema.description =
      "Differences that may stay: neither repaired nor reported as drift. The same as an entry of "
      "drift.accept in the configuration.";
  schema.read_only = true;
  schema.inputs = {MatchField(), std::move(reason), std::move(owner), std::move(until)};
  schema.check_all = CheckRestricts;
  return schema;
}

}  // namespace

const manifests::KindSchema& AcceptedDriftSchema() {
  static const manifests::KindSchema kSchema = MakeAcceptedDriftSchema();
  return kSchema;
}

}  // namespace bindery::providers
