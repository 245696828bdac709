// Datadog's restriction queries of logs: roles that see only the logs of a query.

#include <optional>
#include <string>
#include <utility>

#include "manifests/schema/check_text.h"
#include "providers/datadog/checks.h"
#include "providers/datadog/clients/logs_restriction_query_client.h"
#include "providers/datadog/listed_policy.h"
#include "providers/datadog/principals.h"
#include "providers/datadog/provider.h"
#include "providers/datadog/schemas.h"

namespace bindery::datadog {
namespace {

constexpr const char* kRestricted = "restricted";
constexpr std::string_view kRolePrincipal = "role:";

/// A role without a restriction query sees all logs that its permissions allow.
std::optional<Severity> LossInQuery(const Grant& /*grant*/) { return Severity::kHigh; }

const GrantSeverities& QuerySeverities() {
  static const GrantSeverities kSeverities = {.of_loss = LossInQuery};
  return kSeverities;
}

const reconcilers::DiffRules& QueryRules() {
  static const reconcilers::DiffRules kRules{
      RestrictionPrincipals(), LogsRestrictionQuerySchema().token.kind, &QuerySeverities()};
  return kRules;
}

std::vector<Grant> GrantsOfRoles(const Json* ids) {
  std::vector<Grant> grants;
  if (ids == nullptr || !ids->is_array()) return grants;
  for (const Json& id : *ids) {
    if (!id.is_string()) continue;
    grants.push_back({kRestricted, std::string(kRolePrincipal) + id.get<std::string>()});
  }
  return grants;
}

std::vector<std::string> RolesOfGrants(const std::vector<Grant>& grants) {
  std::vector<std::string> ids;
  for (const Grant& grant : grants) {
    if (grant.principal.starts_with(kRolePrincipal)) {
      ids.push_back(grant.principal.substr(kRolePrincipal.size()));
    }
  }
  return ids;
}

class LogsRestrictionQuery final : public ListedPolicy {
 public:
  using ListedPolicy::ListedPolicy;

  [[nodiscard]] std::vector<Grant> GrantsIn(const Json& spec) const override {
    return Distinct(GrantsOfRoles(FindMember(spec, "roleIds")));
  }

  [[nodiscard]] Expected<cloud::PolicyCall> BuildGet(
      const cloud::Connection& connection, const std::string& target,
      std::chrono::milliseconds timeout) const override {
    return LogsRestrictionQueryClient::Reading(connection.BaseUrl(traits().service), target,
                                               timeout);
  }

  [[nodiscard]] Expected<reconcilers::Observation> ParseResponse(
      const cloud::PolicyCall& call, const std::string& body) const override {
    Expected<Json> query = LogsRestrictionQueryClient::ParseResponse(call, body);
    if (!query) return Fail(std::move(query.error()));
    reconcilers::Observation seen;
    seen.grants = Distinct(GrantsOfRoles(FindMember(*query, "roles")));
    seen.exists = !seen.grants.empty();
    seen.document = {{"id", StringMember(*query, "id")},
                     {"restriction_query", StringMember(*query, "query")},
                     {"bindings", MakeBindings(seen.grants)}};
    return seen;
  }

  [[nodiscard]] Expected<cloud::PolicyCall> BuildSet(
      const cloud::Connection& connection, const std::string& target,
      const reconcilers::TargetPlan& plan, const reconcilers::Observation& now,
      std::chrono::milliseconds timeout) const override {
    const std::string& base_url = connection.BaseUrl(traits().service);
    const std::string id = StringMember(now.document, "id");
    if (BindingsAfter(plan, now).empty()) {
      return LogsRestrictionQueryClient::Removing(base_url, target, id, timeout);
    }
    return LogsRestrictionQueryClient::Changing(
        base_url, {target, id, RolesOfGrants(plan.adds()), RolesOfGrants(plan.removes())}, timeout);
  }

  [[nodiscard]] Expected<Json> Inputs(const std::string& target, const std::string& /*role*/,
                                      const reconcilers::Observation& now) const override {
    if (!now.exists) {
      return Fail(Code::kNotFound,
                  "no role is restricted to the query " + manifests::Quote(target));
    }
    return Json{{"restrictionQuery", target}, {"roleIds", RolesOfGrants(now.grants)}};
  }
};

}  // namespace

std::unique_ptr<reconcilers::Kind> MakeLogsRestrictionQuery() {
  return std::make_unique<LogsRestrictionQuery>(
      LogsRestrictionQuerySchema(), ListedPolicyTraits(RestrictionPrincipals(), QuerySeverities()),
      QueryRules(), CheckLogsQuery);
}

}  // namespace bindery::datadog
