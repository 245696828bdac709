#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "convert/terraform_types.h"
#include "convert/translator.h"

namespace bindery {

/// The body of a block, below its labels: "resource", TYPE, NAME.
struct TerraformBlock {
  std::vector<std::string> labels;
  yaml::Position at;
  std::string path;
  const yaml::Node* body = nullptr;
};

/// Terraform's JSON configuration, of one file.
class Terraform final : public Translator {
 public:
  using Translator::Translator;
  void Run(const yaml::Node& root);

 private:
  struct Plan {
    TerraformBlock block;
    std::string name;
    const KindSchema* kind = nullptr;
    const TerraformType* type = nullptr;
  };
  using Visit = std::function<void(const TerraformBlock&)>;

  [[nodiscard]] tl::expected<Template, TextFault> Parse(std::string_view text) const override;
  [[nodiscard]] tl::expected<Meaning, std::string> Find(const FieldPath& path) const override;

  /// Every block of that type, in all the forms JSON has for it.
  void ForEach(const yaml::Node& root, const std::string& type, std::size_t labels,
               const Visit& visit);
  void ForEachBelow(const yaml::Node& node, TerraformBlock block, std::size_t labels,
                    const Visit& visit);
  /// The blocks under a key of a body: one, or a list of them.
  [[nodiscard]] std::vector<const yaml::Node*> Nested(const yaml::Node& node,
                                                      const std::string& path);

  void NameResource(const TerraformBlock& block, bool data);
  void NameLocals(const TerraformBlock& block);
  /// Of a data source that is a whole policy: it becomes a part of who refers to it.
  void NamePolicy(const TerraformBlock& block);
  void ReadImport(const TerraformBlock& block);
  void ReadMoved(const TerraformBlock& block);
  void Make(const Plan& plan);

  [[nodiscard]] std::optional<yaml::Node> SpecOf(const Plan& plan,
                                                 std::vector<std::string>& refers_to);
  /// The same of what is in the resource's own block.
  [[nodiscard]] std::optional<yaml::Node> TargetSpec(const Plan& plan,
                                                     std::vector<std::string>& refers_to);
  /// The same of a resource whose policy is in a data source.
  [[nodiscard]] std::optional<yaml::Node> PolicySpec(const Plan& plan,
                                                     std::vector<std::string>& refers_to);
  /// A block's fields under their names here.
  [[nodiscard]] std::optional<yaml::Node> Fields(const yaml::Node& body, const FieldList& fields,
                                                 const std::string& path,
                                                 std::vector<std::string>& refers_to);
  [[nodiscard]] std::optional<yaml::Node> FieldValue(const yaml::Node& node, const Field& field,
                                                     const std::string& path,
                                                     std::vector<std::string>& refers_to);

  [[nodiscard]] yaml::Node OptionsOf(const Plan& plan);
  void TakeAddressed(const std::string& address, yaml::Node& options);
  void ReadLifecycle(const yaml::Node& node, const Plan& plan, yaml::Node& options);
  void ReadTimeouts(const yaml::Node& node, const std::string& path, yaml::Node& options);
  [[nodiscard]] std::optional<yaml::Node> Ignored(const yaml::Node& node, const KindSchema& kind,
                                                  const std::string& path);
  [[nodiscard]] std::optional<yaml::Node> Dependencies(const yaml::Node& node,
                                                       const std::string& path);
  /// "TYPE.NAME" of a text that names a resource, "${…}" around it or not; empty otherwise.
  [[nodiscard]] std::string AddressOf(const yaml::Node* node) const;

  TerraformTypes types_{kinds()};
  std::map<std::string, Symbol> symbols_;  ///< By "TYPE.NAME", "data.TYPE.NAME" and "local.NAME".
  std::map<std::string, TerraformBlock> policies_;  ///< Whole ones, by "data.TYPE.NAME".
  std::vector<Plan> plans_;
  std::map<std::string, yaml::Node> imports_;              ///< Ids by address.
  std::map<std::string, std::vector<yaml::Node>> former_;  ///< Former names by address.
};

/// The argument that holds a whole policy.
inline constexpr std::string_view kPolicyData = "policy_data";

/// Keys of a body that are no fields of the resource.
[[nodiscard]] bool IsMetaArgument(std::string_view key);

/// The steps as the kind has them: "condition", 0, "title" is "condition.title".
[[nodiscard]] FieldPath CanonicalPath(const KindSchema& kind, const FieldPath& path);

}  // namespace bindery
