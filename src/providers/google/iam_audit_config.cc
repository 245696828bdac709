// Audit configurations: one manifest declares the logged access to one service.

#include "providers/google/allow_policy_kind.h"
#include "providers/google/iam_spec.h"
#include "providers/google/roles/audit_configs.h"

namespace bindery::google {
namespace {

class IamAuditConfig final : public AllowPolicyKind {
 public:
  explicit IamAuditConfig(const IamRow& row) : AllowPolicyKind(row, IamShape::kAuditConfig) {}

  [[nodiscard]] std::vector<Grant> GrantsIn(const Json& spec) const override {
    return ListAuditUnits(Json::array({spec}));
  }

  [[nodiscard]] Expected<reconcilers::ResourceId> ParseId(
      const std::string& id, const std::string& default_project) const override {
    const auto space = id.find(' ');
    Expected<IamId> parsed = ParseIamId(id.substr(0, space), default_project, row());
    if (!parsed) return Fail(std::move(parsed.error()));
    reconcilers::ResourceId named{std::move(parsed->target), ""};
    const std::string service = space == std::string::npos ? "" : id.substr(space + 1);
    if (service.empty()) return named;
    if (service.find(' ') != std::string::npos) {
      return Fail(Code::kInvalidArgument,
                  "\"" + id +
                      "\" is not of the form NAME SERVICE: the name of the resource, a "
                      "space, and the service, such as storage.googleapis.com or allServices");
    }
    named.role = IsSetting(service) ? service : std::string(kSettings) + service;
    return named;
  }

  [[nodiscard]] std::vector<std::string> Roles(const reconcilers::Observation& now) const override {
    return SettingsIn(now.grants);
  }

  [[nodiscard]] Expected<Json> Inputs(const std::string& target, const std::string& part,
                                      const reconcilers::Observation& now) const override {
    return IamAuditConfigSpec(target, part, now.grants);
  }

 private:
  void Claim(const Json& spec, reconcilers::Declaration& declared) const override {
    declared.role = std::string(kSettings) + StringMember(spec, "service");
  }
};

}  // namespace

std::unique_ptr<reconcilers::Kind> MakeIamAuditConfig(const IamRow& row) {
  return std::make_unique<IamAuditConfig>(row);
}

}  // namespace bindery::google
