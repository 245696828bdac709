#include "providers/datadog/listed_policy.h"

#include <utility>

#include "providers/datadog/principals.h"
#include "providers/datadog/provider.h"
#include "reconcilers/bindings.h"

namespace bindery::datadog {
namespace {

constexpr reconcilers::BindingWords kListedWords{"relation", "principals"};

const Json& BindingsOfDocument(const Json& document) {
  static const Json kNone = Json::array();
  const Json* bindings = FindMember(document, "bindings");
  return bindings == nullptr ? kNone : *bindings;
}

}  // namespace

Expected<reconcilers::Declaration> ListedPolicy::Declare(
    const Json& spec, const std::string& /*default_project*/) const {
  reconcilers::Declaration declared;
  declared.target = StringMember(spec, schema().inputs.front().name);
  declared.role = kWholePolicy;
  declared.grants = GrantsIn(spec);
  return declared;
}

reconcilers::TargetPlan ListedPolicy::Plan(const reconcilers::Desired& desired,
                                           const reconcilers::Observation& now) const {
  if (!desired.restore) return reconcilers::DiffGrants(desired, now.grants, rules_);
  return reconcilers::DiffExactly(
      desired, reconcilers::ListGrants(BindingsOfDocument(*desired.restore), kListedWords),
      now.grants, rules_);
}

Expected<std::vector<std::string>> ListedPolicy::MissingPermissions(
    const cloud::Connection& connection, const std::string& target, bool /*to_write*/,
    std::chrono::milliseconds timeout) const {
  const auto seen = Observe(connection, target, timeout);
  if (!seen) return Fail(seen.error());
  return std::vector<std::string>{};
}

Json ListedPolicy::Outputs(const std::string& target,
                           const reconcilers::Observation& /*now*/) const {
  return {{"id", target}};
}

Expected<reconcilers::ResourceId> ListedPolicy::ParseId(
    const std::string& id, const std::string& /*default_project*/) const {
  if (const auto fault = check_(id)) return Fail(Code::kInvalidArgument, fault->message);
  return reconcilers::ResourceId{id, ""};
}

std::vector<std::string> ListedPolicy::Roles(const reconcilers::Observation& now) const {
  if (!now.exists) return {};
  return {std::string(kWholePolicy)};
}

std::vector<Grant> ListedPolicy::Distinct(std::vector<Grant> grants) const {
  return reconcilers::DistinctGrants(std::move(grants), rules_.principals.normal);
}

Json ListedPolicy::MakeBindings(const std::vector<Grant>& grants) const {
  return BindingsAfter(reconcilers::ComposePlan(grants, {}), {});
}

Json ListedPolicy::BindingsAfter(const reconcilers::TargetPlan& plan,
                                 const reconcilers::Observation& now) const {
  const auto same = [normal = rules_.principals.normal](const std::string& a,
                                                        const std::string& b) {
    return normal(a) == normal(b);
  };
  return reconcilers::EditBindings(BindingsOfDocument(now.document), kListedWords, plan.adds(),
                                   plan.removes(), same);
}

reconcilers::KindTraits ListedPolicyTraits(const reconcilers::PrincipalRules& principals,
                                           const GrantSeverities& severities) {
  reconcilers::KindTraits traits = DatadogTraits();
  traits.binding_words = kListedWords;
  traits.principals = &principals;
  traits.widening = &severities;
  traits.has_etags = false;
  traits.opens_to = kEveryoneInOrg;
  return traits;
}

}  // namespace bindery::datadog
