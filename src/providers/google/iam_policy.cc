// Whole policies: one manifest declares all grants on a resource, and optionally its audit
// configuration.

#include <iterator>

#include "providers/google/allow_policy_kind.h"
#include "providers/google/iam_spec.h"
#include "providers/google/roles/audit_configs.h"
#include "providers/google/roles/members.h"
#include "reconcilers/bindings.h"
#include "reconcilers/tombstones.h"

namespace bindery::google {
namespace {

class IamPolicy final : public AllowPolicyKind {
 public:
  explicit IamPolicy(const IamRow& row) : AllowPolicyKind(row, IamShape::kPolicy) {}

  [[nodiscard]] std::vector<Grant> GrantsIn(const Json& spec) const override {
    std::vector<Grant> grants;
    if (const Json* bindings = FindMember(spec, "bindings"); bindings != nullptr) {
      grants = reconcilers::ListGrants(*bindings, {"role", "members"});
    }
    if (const Json* configs = FindMember(spec, kAuditConfigs); configs != nullptr) {
      std::vector<Grant> units = ListAuditUnits(*configs);
      std::move(units.begin(), units.end(), std::back_inserter(grants));
    }
    return reconcilers::DistinctGrants(std::move(grants), NormalMember);
  }

  [[nodiscard]] Expected<reconcilers::ResourceId> ParseId(
      const std::string& id, const std::string& default_project) const override {
    Expected<IamId> parsed = ParseIamId(id, default_project, row());
    if (!parsed) return Fail(std::move(parsed.error()));
    if (parsed->role.empty()) return reconcilers::ResourceId{std::move(parsed->target), ""};
    return Fail(Code::kInvalidArgument, "\"" + id +
                                            "\" names a role: the id of a whole policy is "
                                            "the name of its resource");
  }

  [[nodiscard]] std::vector<std::string> Roles(const reconcilers::Observation& now) const override {
    if (reconcilers::ListLiving(Lasting(now.grants), MemberRules()).empty()) return {};
    const bool audit = FindMember(now.document, kAuditConfigs) != nullptr;
    return {std::string(audit ? kPolicyAndSettings : kWholePolicy)};
  }

  [[nodiscard]] Expected<Json> Inputs(const std::string& target, const std::string& /*part*/,
                                      const reconcilers::Observation& now) const override {
    return IamPolicySpec(target, Lasting(now.grants));
  }

 private:
  void Claim(const Json& spec, reconcilers::Declaration& declared) const override {
    const bool audit = FindMember(spec, kAuditConfigs) != nullptr;
    declared.role = audit ? kPolicyAndSettings : kWholePolicy;
    declared.leaves_others = true;
  }
};

}  // namespace

std::unique_ptr<reconcilers::Kind> MakeIamPolicy(const IamRow& row) {
  return std::make_unique<IamPolicy>(row);
}

}  // namespace bindery::google
