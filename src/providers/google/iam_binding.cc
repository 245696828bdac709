// Bindings on a resource with an allow policy: one manifest declares all members of one role.

#include "providers/google/allow_policy_kind.h"
#include "providers/google/iam_spec.h"
#include "providers/google/roles/members.h"
#include "reconcilers/bindings.h"

namespace bindery::google {
namespace {

class IamBinding final : public AllowPolicyKind {
 public:
  explicit IamBinding(const IamRow& row) : AllowPolicyKind(row, IamShape::kBinding) {}

  [[nodiscard]] std::vector<Grant> GrantsIn(const Json& spec) const override {
    std::vector<Grant> grants;
    const Json* members = FindMember(spec, "members");
    if (members == nullptr) return grants;
    const std::string role = StringMember(spec, "role");
    const std::optional<Condition> condition = ConditionIn(spec);
    for (const Json& member : *members) {
      if (member.is_string()) grants.push_back({role, member.get<std::string>(), condition});
    }
    return reconcilers::DistinctGrants(std::move(grants), NormalMember);
  }

  [[nodiscard]] Expected<reconcilers::ResourceId> ParseId(
      const std::string& id, const std::string& default_project) const override {
    Expected<IamId> parsed = ParseIamId(id, default_project, row());
    if (!parsed) return Fail(std::move(parsed.error()));
    // The title of the condition follows the role.
    return reconcilers::ResourceId{std::move(parsed->target), std::move(parsed->role)};
  }

  [[nodiscard]] std::vector<std::string> Roles(const reconcilers::Observation& now) const override {
    return RolesIn(Lasting(now.grants));
  }

  [[nodiscard]] Expected<Json> Inputs(const std::string& target, const std::string& role,
                                      const reconcilers::Observation& now) const override {
    return IamBindingSpec(target, role, Lasting(now.grants));
  }

 private:
  void Claim(const Json& spec, reconcilers::Declaration& declared) const override {
    declared.role = StringMember(spec, "role");
  }
};

}  // namespace

std::unique_ptr<reconcilers::Kind> MakeIamBinding(const IamRow& row) {
  return std::make_unique<IamBinding>(row);
}

}  // namespace bindery::google
