#include "controller/evidence/removal_rules.h"

#include <cstdint>
#include <optional>

#include "core/base/json.h"
#include "core/base/json_text.h"
#include "core/text/digest.h"

namespace bindery::controller {
namespace {

/// 0 if not set.
template <typename Enum>
int GetNumber(const std::optional<Enum>& value) {
  return value ? static_cast<int>(*value) + 1 : 0;
}

/// Rules without a condition have the digest of earlier versions.
void AddCondition(const ConditionMatch& condition, Json& rule) {
  if (!condition.Restricts()) return;
  rule.push_back({condition.title, condition.expression, condition.ends_within.count()});
}

Json RulesAsJson(const TargetRules& rules) {
  Json list = Json::array();
  for (const TargetRule& rule : rules) {
    list.push_back({rule.match, rule.kind, GetNumber(rule.undeclared_roles),
                    GetNumber(rule.self_lockout), GetNumber(rule.last_owner)});
    AddCondition(rule.condition, list.back());
  }
  return list;
}

Json AcceptedAsJson(const AcceptedDriftRules& rules) {
  Json list = Json::array();
  for (const AcceptedDriftRule& rule : rules) {
    const auto& until = rule.acceptance.until;
    const std::int64_t end = until ? std::int64_t{until->time_since_epoch().count()} : 0;
    list.push_back({GetNumber(rule.drift_class), rule.target, rule.role, rule.member, end});
    AddCondition(rule.condition, list.back());
  }
  return list;
}

}  // namespace

std::string RemovalRulesDigest(const CatalogSettings& settings) {
  Json text = {{"mode", static_cast<int>(settings.mode)},
               {"keepUndeclared", settings.keep_undeclared},
               {"targets", RulesAsJson(settings.target_rules)}};
  const auto& kept = settings.protected_principals;
  if (kept && *kept != ProtectedPrincipals()) {
    text["protected"] = {kept->add, kept->remove, static_cast<int>(kept->default_accounts)};
    for (const ProtectedGrants& rule : kept->grants) {
      Json grants = Json::array({rule.principal});
      AddCondition(rule.condition, grants);
      text["protected"].push_back(std::move(grants));
    }
  }
  text["accepted"] = AcceptedAsJson(settings.accepted ? *settings.accepted : AcceptedDriftRules());
  return Sha256Hex(CompactJson(text));
}

void DoubtRemovals(Claims& claims, RemovalEvidence& evidence, ClaimAges& ages) {
  if (claims.resources().empty()) return;
  evidence.rest().Unsettle();
  ages.DoubtAll();
  for (auto& [name, entry] : claims.resources()) entry.progress.settled = false;
}

}  // namespace bindery::controller
