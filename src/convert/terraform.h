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

namespace bindery {

/// Terraform's JSON configuration, of one file.
class Terraform final : public TerraformScope {
 public:
  using TerraformScope::TerraformScope;
  void Run(const yaml::Node& root);

 private:
  struct Plan {
    TerraformBlock block;
    std::string name;
    const KindSchema* kind = nullptr;
    const TerraformType* type = nullptr;
    std::optional<Repetition> repetition = {};  ///< Of a block that makes several.
  };
  using Visit = std::function<void(const TerraformBlock&)>;

  /// Every block of that type, in all the forms JSON has for it.
  void ForEach(const yaml::Node& root, const std::string& type, std::size_t labels,
               const Visit& visit);
  void ForEachBelow(const yaml::Node& node, TerraformBlock block, std::size_t labels,
                    const Visit& visit);
  /// The blocks under a key of a body: a single block, or a list.
  [[nodiscard]] std::vector<const yaml::Node*> Nested(const yaml::Node& node,
                                                      const std::string& path);

  void NameResource(const TerraformBlock& block, bool data);
  /// Of one whose kind is known: its plans, or why there is none.
  void PlanResource(const TerraformBlock& block, const Counterpart& of);
  void NamePlan(Plan plan);
  /// Of a data source that is a whole policy: it becomes a part of who refers to it.
  void NamePolicy(const TerraformBlock& block);
  void ReadImport(const TerraformBlock& block);
  void ReadMoved(const TerraformBlock& block);
  void Make(const Plan& plan);

  [[nodiscard]] std::optional<yaml::Node> MakeSpec(const Plan& plan,
                                                   std::vector<std::string>& refers_to);
  /// The same of what is in the resource's own block.
  [[nodiscard]] std::optional<yaml::Node> TargetSpec(const Plan& plan,
                                                     std::vector<std::string>& refers_to);
  /// The same of a resource whose policy is in a data source.
  [[nodiscard]] std::optional<yaml::Node> PolicySpec(const Plan& plan,
                                                     std::vector<std::string>& refers_to);
  /// A block's fields under our names.
  [[nodiscard]] std::optional<yaml::Node> Fields(const yaml::Node& body, const FieldList& fields,
                                                 const std::string& path,
                                                 std::vector<std::string>& refers_to);
  [[nodiscard]] std::optional<yaml::Node> FieldValue(const yaml::Node& node, const Field& field,
                                                     const std::string& path,
                                                     std::vector<std::string>& refers_to);

  /// What the resource grants is not to be taken by others.
  void HoldClaim(const TerraformBlock& block, const Counterpart& of);

  [[nodiscard]] yaml::Node BuildOptions(const Plan& plan, const yaml::Node& spec);
  void ReadMetaArgument(const yaml::Node::Entry& entry, const Plan& plan, yaml::Node& options);
  void TakeAddressed(const Plan& plan, const yaml::Node& spec, yaml::Node& options);
  /// The id of an import with the full name in the place of Terraform's; nothing: it names another
  /// resource.
  [[nodiscard]] std::optional<yaml::Node> ImportId(const Plan& plan, const yaml::Node& spec,
                                                   const yaml::Node& id) const;
  void ReadLifecycle(const yaml::Node& node, const Plan& plan, yaml::Node& options);
  void ReadTimeouts(const yaml::Node& node, const std::string& path, yaml::Node& options);
  [[nodiscard]] std::optional<yaml::Node> Ignored(const yaml::Node& node, const KindSchema& kind,
                                                  const std::string& path);
  [[nodiscard]] std::optional<yaml::Node> Dependencies(const yaml::Node& node,
                                                       const std::string& path);

  std::map<std::string, TerraformBlock> policies_;  ///< Whole ones, by "data.TYPE.NAME".
  std::vector<std::pair<TerraformBlock, Counterpart>> found_;
  std::vector<Plan> plans_;
  std::map<std::string, yaml::Node> imports_;              ///< Ids by address.
  std::map<std::string, std::vector<yaml::Node>> former_;  ///< Former names by address.
};

/// The argument with a whole policy.
inline constexpr std::string_view kPolicyData = "policy_data";

/// Keys of a body that are no fields of the resource.
[[nodiscard]] bool IsMetaArgument(std::string_view key);

}  // namespace bindery
