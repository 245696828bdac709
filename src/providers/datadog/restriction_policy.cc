// Datadog restriction policies: access to one monitoring resource.

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "providers/datadog/checks.h"
#include "providers/datadog/clients/restriction_policy_client.h"
#include "providers/datadog/principals.h"
#include "providers/datadog/provider.h"
#include "providers/datadog/schemas.h"
#include "providers/datadog/severities.h"
#include "reconcilers/bindings.h"
#include "reconcilers/policy_diff.h"

namespace bindery::datadog {
namespace {

constexpr reconcilers::BindingWords kRelationWords{"relation", "principals"};

const reconcilers::DiffRules& Rules() {
  static const reconcilers::DiffRules kRules{
      RestrictionPrincipals(), RestrictionPolicySchema().token.kind, &RestrictionSeverities()};
  return kRules;
}

bool SamePrincipal(const std::string& a, const std::string& b) {
  return reconcilers::NormalPrincipal(a) == reconcilers::NormalPrincipal(b);
}

const Json& MakeBindings(const Json& document) {
  static const Json kNone = Json::array();
  const Json* at = &document;
  for (const char* step : {"data", "attributes", "bindings"}) {
    at = FindMember(*at, step);
    if (at == nullptr) return kNone;
  }
  return *at;
}

Json EmptyDocument(const std::string& resource_id) {
  return {{"data",
           {{"type", "restriction_policy"},
            {"id", resource_id},
            {"attributes", {{"bindings", Json::array()}}}}}};
}

bool HasAttributes(const Json& document) {
  const Json* data = FindMember(document, "data");
  const Json* attributes = data == nullptr ? nullptr : FindMember(*data, "attributes");
  return attributes != nullptr && attributes->is_object();
}

reconcilers::Observation SeenIn(Json document) {
  reconcilers::Observation seen;
  seen.grants =
      reconcilers::DistinctGrants(reconcilers::ListGrants(MakeBindings(document), kRelationWords),
                                  reconcilers::NormalPrincipal);
  seen.exists = !seen.grants.empty();
  seen.document = std::move(document);
  return seen;
}

/// The service stores principals sorted; a sorted request equals the answer.
void SortPrincipals(Json& bindings) {
  for (Json& entry : bindings) {
    if (!entry.is_object() || !entry.contains(kRelationWords.principals)) continue;
    Json& principals = entry[kRelationWords.principals];
    if (principals.is_array()) std::sort(principals.begin(), principals.end());
  }
}

/// Each relation once, as manifests have to give them.
Json BindingsOfGrants(const std::vector<Grant>& grants) {
  Json bindings = Json::array();
  std::set<std::string> seen;
  for (const Grant& grant : grants) {
    if (!seen.insert(grant.role + "\n" + reconcilers::NormalPrincipal(grant.principal)).second)
      continue;
    auto entry = std::find_if(bindings.begin(), bindings.end(), [&](const Json& binding) {
      return StringMember(binding, kRelationWords.role) == grant.role;
    });
    if (entry == bindings.end()) {
      bindings.push_back(
          {{kRelationWords.role, grant.role}, {kRelationWords.principals, Json::array()}});
      entry = std::prev(bindings.end());
    }
    (*entry)[kRelationWords.principals].push_back(grant.principal);
  }
  return bindings;
}

class RestrictionPolicy final : public reconcilers::Kind {
 public:
  using reconcilers::Kind::Kind;

  [[nodiscard]] Expected<reconcilers::Declaration> Declare(
      const Json& spec, const std::string& /*default_project*/) const override {
    reconcilers::Declaration declared;
    declared.target = StringMember(spec, "resourceId");
    declared.role = kWholePolicy;
    declared.grants = GrantsIn(spec);
    return declared;
  }

  [[nodiscard]] std::vector<Grant> GrantsIn(const Json& spec) const override {
    const Json* bindings = FindMember(spec, "bindings");
    if (bindings == nullptr) return {};
    return reconcilers::DistinctGrants(reconcilers::ListGrants(*bindings, kRelationWords),
                                       reconcilers::NormalPrincipal);
  }

  [[nodiscard]] Expected<cloud::PolicyCall> BuildGet(
      const cloud::Connection& connection, const std::string& target,
      std::chrono::milliseconds timeout) const override {
    return RestrictionPolicyClient::BuildGet(connection.BaseUrl(traits().service), target, timeout);
  }

  [[nodiscard]] Expected<reconcilers::Observation> ParseResponse(
      const cloud::PolicyCall& call, const std::string& body) const override {
    Expected<Json> document = RestrictionPolicyClient::ParseResponse(call, body);
    if (!document) return Fail(std::move(document.error()));
    return SeenIn(std::move(*document));
  }

  [[nodiscard]] reconcilers::TargetPlan Plan(const reconcilers::Desired& desired,
                                             const reconcilers::Observation& now) const override {
    if (!desired.restore) return reconcilers::DiffGrants(desired, now.grants, Rules());
    return reconcilers::DiffExactly(
        desired, reconcilers::ListGrants(MakeBindings(*desired.restore), kRelationWords),
        now.grants, Rules());
  }

  [[nodiscard]] Expected<cloud::PolicyCall> BuildSet(
      const cloud::Connection& connection, const std::string& target,
      const reconcilers::TargetPlan& plan, const reconcilers::Observation& now,
      std::chrono::milliseconds timeout) const override {
    const std::string& base_url = connection.BaseUrl(traits().service);
    Json bindings = reconcilers::EditBindings(MakeBindings(now.document), kRelationWords,
                                              plan.adds(), plan.removes(), SamePrincipal);
    SortPrincipals(bindings);
    // No bindings and no policy are one and the same to the service; deleting says it plainly.
    if (bindings.empty()) return RestrictionPolicyClient::Removing(base_url, target, timeout);
    Json document = HasAttributes(now.document) ? now.document : EmptyDocument(target);
    document["data"]["attributes"]["bindings"] = std::move(bindings);
    return RestrictionPolicyClient::BuildSet(base_url, target, document, timeout);
  }

  /// No operation tells the caller's permissions, and no role's permission gates these policies:
  /// the caller's access to the resource counts. A read shows at least that the keys are good.
  [[nodiscard]] Expected<std::vector<std::string>> MissingPermissions(
      const cloud::Connection& connection, const std::string& target, bool /*to_write*/,
      std::chrono::milliseconds timeout) const override {
    const auto seen = Observe(connection, target, timeout);
    if (!seen) return Fail(seen.error());
    return std::vector<std::string>{};
  }

  [[nodiscard]] Json Outputs(const std::string& target,
                             const reconcilers::Observation& /*now*/) const override {
    return {{"id", target}};
  }

  [[nodiscard]] Expected<reconcilers::ResourceId> ParseId(
      const std::string& id, const std::string& /*default_project*/) const override {
    const auto fault = CheckResourceId(id);
    if (fault && !fault->warning) return Fail(Code::kInvalidArgument, fault->message);
    return reconcilers::ResourceId{id, ""};
  }

  [[nodiscard]] std::vector<std::string> Roles(const reconcilers::Observation& now) const override {
    if (!now.exists) return {};
    return {std::string(kWholePolicy)};
  }

  [[nodiscard]] Expected<Json> Inputs(const std::string& target, const std::string& /*role*/,
                                      const reconcilers::Observation& now) const override {
    if (now.exists) return Json{{"resourceId", target}, {"bindings", BindingsOfGrants(now.grants)}};
    return Fail(Code::kNotFound,
                target +
                    " has no restriction policy: it is open to everyone in the organization, as "
                    "far as it exists, which the service does not tell");
  }
};

}  // namespace

std::unique_ptr<reconcilers::Kind> MakeRestrictionPolicy() {
  reconcilers::KindTraits traits = DatadogTraits();
  traits.binding_words = kRelationWords;
  traits.bindings_in = {"data", "attributes"};
  traits.principals = &RestrictionPrincipals();
  traits.widening = &RestrictionSeverities();
  traits.has_etags = false;
  traits.opens_to = kEveryoneInOrg;
  return std::make_unique<RestrictionPolicy>(RestrictionPolicySchema(), std::move(traits));
}

}  // namespace bindery::datadog
