// All kinds of bindings on a resource with an allow policy: who holds one role. They differ in
// their row alone.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "providers/google/iam_kinds.h"
#include "providers/google/iam_names.h"
#include "providers/google/iam_policy_client.h"
#include "providers/google/iam_spec.h"
#include "providers/google/lockout.h"
#include "providers/google/members.h"
#include "providers/google/service_agents.h"
#include "providers/google/severities.h"
#include "reconcilers/bindings.h"
#include "reconcilers/policy_diff.h"

namespace bindery {
namespace {

constexpr BindingWords kWords{"role", "members"};

bool SameMember(const std::string& a, const std::string& b) {
  return NormalMember(a) == NormalMember(b);
}

const Json& BindingsOf(const Json& policy) {
  static const Json kNone = Json::array();
  const Json* bindings = FindMember(policy, "bindings");
  return bindings == nullptr ? kNone : *bindings;
}

Observation ObservationOf(Json policy) {
  Observation seen;
  seen.etag = StringMember(policy, "etag");
  seen.grants = DistinctGrants(GrantsOf(BindingsOf(policy), kWords), NormalMember);
  seen.exists = !seen.grants.empty();
  seen.document = std::move(policy);
  return seen;
}

KindTraits TraitsOf(const IamRow& row) {
  KindTraits traits;
  traits.policy = PolicyNameOf(row);
  traits.service = row.service;
  traits.keeps_undeclared = !IsOfInterface(row);
  traits.is_container = row.container;
  traits.provider_type = "cloudnative";
  traits.words = kIamWords;
  traits.binding_words = kWords;
  traits.principals = &MemberRules();
  traits.widening = &IamSeverities();
  return traits;
}

class IamBinding final : public Kind {
 public:
  explicit IamBinding(const IamRow& row)
      : Kind(IamBindingSchema(row), TraitsOf(row)),
        row_(row),
        rules_{MemberRules(), schema().token.kind, &IamSeverities(),
               IsOfInterface(row) ? nullptr : KeepGrantsOfGoogle} {}

  [[nodiscard]] Expected<Declaration> Declare(const Json& spec,
                                              const std::string& default_project) const override {
    Declaration declared;
    Expected<std::string> target = ReadIamName(row_, StringMember(spec, "name"), default_project);
    if (!target) return Fail(std::move(target.error()));
    declared.target = std::move(*target);
    declared.role = StringMember(spec, "role");
    std::optional<Condition> condition;
    if (const Json* given = FindMember(spec, "condition"); given != nullptr) {
      condition = Condition{StringMember(*given, "expression"), StringMember(*given, "title"),
                            StringMember(*given, "description")};
    }
    if (const Json* members = FindMember(spec, "members"); members != nullptr) {
      for (const Json& member : *members) {
        declared.grants.push_back({declared.role, member.get<std::string>(), condition});
      }
      declared.grants = DistinctGrants(std::move(declared.grants), NormalMember);
    }
    return declared;
  }

  [[nodiscard]] Expected<PolicyCall> Reading(const Connection& connection,
                                             const std::string& target,
                                             std::chrono::milliseconds timeout) const override {
    return IamPolicyClient::Reading(EndpointOf(connection), target, timeout);
  }

  [[nodiscard]] Expected<Observation> Understand(const PolicyCall& call,
                                                 const std::string& body) const override {
    Expected<Json> policy = IamPolicyClient::Understand(call, body);
    if (!policy) return Fail(std::move(policy.error()));
    return ObservationOf(std::move(*policy));
  }

  [[nodiscard]] TargetPlan Plan(const Desired& desired, const Observation& now) const override {
    if (!desired.restore) return DiffGrants(desired, now.grants, rules_);
    return DiffExactly(desired, GrantsOf(BindingsOf(*desired.restore), kWords), now.grants, rules_);
  }

  [[nodiscard]] std::vector<RefusedRemovals> Refuse(const TargetPlan& plan, const Observation& now,
                                                    const std::string& own) const override {
    return RefuseLockout(row_, plan, now, own);
  }

  [[nodiscard]] Expected<PolicyCall> Writing(const Connection& connection,
                                             const std::string& target, const TargetPlan& plan,
                                             const Observation& now,
                                             std::chrono::milliseconds timeout) const override {
    // Without one the write would replace whatever is there by now.
    if (now.etag.empty()) {
      return Fail(Code::kInternal, "nothing is written to a policy that came without an etag");
    }
    // The document goes back as it came, but for the bindings, with the etag it was read with.
    Json policy = Json::object();
    for (const auto& [name, value] : now.document.items()) {
      policy[name] = name == "bindings" ? Json() : value;
    }
    policy["bindings"] =
        EditBindings(BindingsOf(now.document), kWords, plan.adds, plan.removes, SameMember);
    // Cloud Storage refuses it, in words that do not say so.
    if (row_.bare_body && policy["bindings"].empty()) {
      return Fail(Code::kFailedPrecondition,
                  "Cloud Storage accepts no policy without a binding: keep or declare one, such as "
                  "roles/storage.legacyBucketOwner for the owners of the project");
    }
    return IamPolicyClient::Writing(EndpointOf(connection), target, std::move(policy), timeout);
  }

  [[nodiscard]] Json Outputs(const std::string& target, const Observation& now) const override {
    Json outputs = Json::object();
    outputs["id"] = target;
    outputs["etag"] = now.etag;
    outputs["project"] = QuotaProject(target);
    return outputs;
  }

  [[nodiscard]] Expected<ResourceId> ParseId(const std::string& id,
                                             const std::string& default_project) const override {
    return ParseIamId(id, default_project, row_);
  }

  [[nodiscard]] std::vector<std::string> Roles(const Observation& now) const override {
    return RolesIn(now.grants);
  }

  [[nodiscard]] Expected<Json> Inputs(const std::string& target, const std::string& role,
                                      const Observation& now) const override {
    return IamSpec(target, role, now.grants);
  }

  [[nodiscard]] Expected<std::vector<std::string>> MissingPermissions(
      const Connection& connection, const std::string& target, bool to_write,
      std::chrono::milliseconds timeout) const override {
    // Some services cannot be asked; what they call the permission may not be known.
    if (row_.test == IamVerb::kNone || row_.permission.empty()) return std::vector<std::string>();
    const std::string prefix(row_.permission);
    std::vector<std::string> needed = {prefix + ".getIamPolicy"};
    if (to_write) needed.push_back(prefix + ".setIamPolicy");
    const auto held = Client(connection).TestPermissions(target, needed, timeout);
    if (!held) return Fail(held.error());
    std::vector<std::string> missing;
    for (const std::string& permission : needed) {
      if (std::find(held->begin(), held->end(), permission) == held->end()) {
        missing.push_back(permission);
      }
    }
    // Holding none of them is also what may be answered where there is no such resource.
    if (missing.size() == needed.size()) {
      const auto seen = Observe(connection, target, timeout);
      if (!seen && seen.error().code == Code::kNotFound) return Fail(seen.error());
    }
    return missing;
  }

  [[nodiscard]] std::string QuotaProject(const std::string& target) const override {
    return std::string(VariableOf(row_, target, "project"));
  }

 private:
  [[nodiscard]] IamPolicyClient Client(const Connection& connection) const {
    return {EndpointOf(connection), connection.transport, connection.authorizer};
  }
  [[nodiscard]] IamPolicyClient::Endpoint EndpointOf(const Connection& connection) const {
    return {row_, connection.BaseUrl(traits().service)};
  }

  const IamRow& row_;
  const DiffRules rules_;
};

}  // namespace

std::unique_ptr<Kind> MakeIamBinding(const IamRow& row) {
  return std::make_unique<IamBinding>(row);
}

}  // namespace bindery
