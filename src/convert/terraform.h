#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "convert/terraform_scope.h"
#include "convert/terraform_types.h"

namespace bindery::convert {

/// Terraform's JSON configuration, of one file.
class Terraform final : public TerraformScope {
 public:
  using TerraformScope::TerraformScope;
  void Run(const yaml::Node& root);

 private:
  struct Plan {
    TerraformBlock block;
    std::string name;
    const manifests::KindSchema* kind = nullptr;
    const manifests::TerraformType* type = nullptr;
    std::optional<Repetition> repetition = {};  ///< Of a block that makes several resources.
    /// "TYPE.NAME", or "TYPE.NAME[\"KEY\"]" of one resource of several.
    [[nodiscard]] std::string MakeAddress() const {
      return block.labels[0] + "." + block.labels[1] + (repetition ? repetition->suffix : "");
    }
  };
  using Visit = std::function<void(const TerraformBlock&)>;

  /// All blocks of the type, in each form that JSON allows.
  void ForEach(const yaml::Node& root, const std::string& type, std::size_t labels,
               const Visit& visit);
  void ForEachBelow(const yaml::Node& node, TerraformBlock block, std::size_t labels,
                    const Visit& visit);
  /// The blocks under a key of a body: a single block, or a list.
  [[nodiscard]] std::vector<const yaml::Node*> Nested(const yaml::Node& node,
                                                      const std::string& path);

  void NameResource(const TerraformBlock& block, bool data);
  /// The plans of a resource of a known kind, or the reason why there is no plan.
  void PlanResource(const TerraformBlock& block, const Counterpart& of);
  void NamePlan(Plan plan);
  /// Keeps a data source with a whole policy: each resource that refers to the policy includes it.
  void NamePolicy(const TerraformBlock& block);
  void ReadImport(const TerraformBlock& block);
  void ReadMoved(const TerraformBlock& block);
  void Make(const Plan& plan);

  [[nodiscard]] std::optional<yaml::Node> MakeSpec(const Plan& plan,
                                                   std::vector<std::string>& refers_to);
  /// The same for a policy in the resource's block.
  [[nodiscard]] std::optional<yaml::Node> TargetSpec(const Plan& plan,
                                                     std::vector<std::string>& refers_to);
  /// The same for a policy in a data source.
  [[nodiscard]] std::optional<yaml::Node> PolicySpec(const Plan& plan,
                                                     std::vector<std::string>& refers_to);
  /// The fields of a block under the names of a manifest.
  [[nodiscard]] std::optional<yaml::Node> Fields(const yaml::Node& body,
                                                 const manifests::FieldList& fields,
                                                 const std::string& path,
                                                 std::vector<std::string>& refers_to);
  [[nodiscard]] std::optional<yaml::Node> FieldValue(const yaml::Node& node,
                                                     const manifests::Field& field,
                                                     const std::string& path,
                                                     std::vector<std::string>& refers_to);

  /// Holds the claim of the resource: no converted binding may take the resource's grants.
  void HoldClaim(const TerraformBlock& block, const Counterpart& of);

  [[nodiscard]] yaml::Node BuildOptions(const Plan& plan, const yaml::Node& spec);
  void ReadMetaArgument(const yaml::Node::Entry& entry, const Plan& plan, yaml::Node& options);
  void TakeAddressed(const Plan& plan, const yaml::Node& spec, yaml::Node& options);
  /// The id of an import, with the full name in place of Terraform's name. Nothing if the id names
  /// another resource.
  [[nodiscard]] std::optional<yaml::Node> ImportId(const Plan& plan, const yaml::Node& spec,
                                                   const yaml::Node& id) const;
  void ReadLifecycle(const yaml::Node& node, const Plan& plan, yaml::Node& options);
  void ReadTimeouts(const yaml::Node& node, const std::string& path, yaml::Node& options);
  [[nodiscard]] std::optional<yaml::Node> Ignored(const yaml::Node& node,
                                                  const manifests::KindSchema& kind,
                                                  const std::string& path);
  [[nodiscard]] std::optional<yaml::Node> Dependencies(const yaml::Node& node,
                                                       const std::string& path);

  std::map<std::string, TerraformBlock> policies_;  ///< Whole policies by "data.TYPE.NAME".
  std::vector<std::pair<TerraformBlock, Counterpart>> found_;
  std::vector<Plan> plans_;
  std::map<std::string, std::string> made_;                ///< Manifests by Plan::MakeAddress().
  std::map<std::string, yaml::Node> imports_;              ///< Ids by address.
  std::map<std::string, std::vector<yaml::Node>> former_;  ///< Former names by address.
};

/// The argument with a whole policy.
inline constexpr std::string_view kPolicyData = "policy_data";

/// The keys of a body that name no field of the resource.
[[nodiscard]] bool IsMetaArgument(std::string_view key);

}  // namespace bindery::convert
