// Single members: one manifest declares that one member holds one role, beside further members, or
// must not hold the role.

#include "providers/google/allow_policy_kind.h"
#include "providers/google/iam_spec.h"
#include "providers/google/roles/members.h"

namespace bindery::google {
namespace {

bool IsAbsent(const Json& spec) {
  const Json* absent = FindMember(spec, "absent");
  return absent != nullptr && absent->is_boolean() && absent->get<bool>();
}

class IamMember final : public AllowPolicyKind {
 public:
  explicit IamMember(const IamRow& row) : AllowPolicyKind(row, IamShape::kMember) {}

  [[nodiscard]] std::vector<Grant> GrantsIn(const Json& spec) const override {
    if (IsAbsent(spec)) return {};
    return {{StringMember(spec, "role"), StringMember(spec, "member"), ConditionIn(spec)}};
  }

  [[nodiscard]] Expected<reconcilers::ResourceId> ParseId(
      const std::string& id, const std::string& default_project) const override {
    Expected<IamId> parsed = ParseIamId(id, default_project, row());
    if (!parsed) return Fail(std::move(parsed.error()));
    reconcilers::ResourceId named{std::move(parsed->target), std::move(parsed->role)};
    if (!parsed->rest.empty()) {
      const std::string member = NormalMember(parsed->rest.substr(0, parsed->rest.find(' ')));
      named.role = ClaimPart{named.role, member}.Text();
    }
    return named;
  }

  /// Deleted members are none that a manifest can declare.
  [[nodiscard]] std::vector<std::string> Roles(const reconcilers::Observation& now) const override {
    std::vector<std::string> parts;
    for (const Grant& grant : Lasting(now.grants)) {
      if (IsSetting(grant.role) || !DeletedMember(grant.principal).empty()) continue;
      parts.push_back(GetPart(grant));
    }
    return parts;
  }

  [[nodiscard]] Expected<Json> Inputs(const std::string& target, const std::string& part,
                                      const reconcilers::Observation& now) const override {
    return IamMemberSpec(target, part, Lasting(now.grants));
  }

 private:
  static std::string GetPart(const Grant& grant) {
    const std::string member = NormalMember(grant.principal);
    const std::string condition = ConditionOfPart(grant.condition);
    return ClaimPart{grant.role, member, condition}.Text();
  }

  void Claim(const Json& spec, reconcilers::Declaration& declared) const override {
    declared.absent = IsAbsent(spec);
    const Grant grant{StringMember(spec, "role"), StringMember(spec, "member"), ConditionIn(spec)};
    const std::string member = NormalMember(grant.principal);
    // A member that must not hold the role does not hold the role under any condition.
    declared.role = declared.absent ? ClaimPart{grant.role, member, "*"}.Text() : GetPart(grant);
  }
};

}  // namespace

std::unique_ptr<reconcilers::Kind> MakeIamMember(const IamRow& row) {
  return std::make_unique<IamMember>(row);
}

}  // namespace bindery::google
