#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "convert/terraform_types.h"
#include "convert/translator.h"

namespace bindery::convert {

/// The body of a block, below its labels: "resource", TYPE, NAME.
struct TerraformBlock {
  std::vector<std::string> labels;
  yaml::Position at;
  std::string path;
  const yaml::Node* body = nullptr;
};

/// One of the resources of a block with `count` or `for_each`.
struct Repetition {
  std::string suffix;  ///< Of its address: "[\"key\"]".
  yaml::Node key;      ///< each.key, or count.index.
  yaml::Node value;    ///< each.value
};

/// The meanings of names in Terraform's JSON configuration, as far as the file alone tells.
class TerraformScope : public Translator {
 public:
  TerraformScope(Conversion& conversion, const manifests::KindSchemas& table,
                 const ConvertWish& wish);

 protected:
  [[nodiscard]] tl::expected<manifests::Template, manifests::TextFault> Parse(
      std::string_view text) const override;
  [[nodiscard]] tl::expected<Meaning, std::string> Find(
      const manifests::FieldPath& path) const override;

  /// Reports sections that no configuration has.
  void ReportSections(const yaml::Node& root);
  /// Reports keys that such blocks do not have.
  void ReportKeys(const TerraformBlock& block, std::vector<std::string> known);
  void NameLocals(const TerraformBlock& block);
  void NameVariable(const TerraformBlock& block);
  void NameProvider(const TerraformBlock& block);
  /// A resource without a counterpart: references may need the values of such a resource.
  void NameOther(const std::string& address, const TerraformBlock& block);
  /// Works out the values of resources without a counterpart, after all are named.
  void KnowOthers();

  /// "TYPE.NAME" of a text that names a resource, with or without "${…}" around; empty otherwise.
  [[nodiscard]] static std::string MakeAddress(const yaml::Node* node);
  /// The same, with "[0]" or "[\"KEY\"]" where the text names one resource of several.
  [[nodiscard]] static std::string MakeInstanceAddress(const yaml::Node* node);
  /// The resources of a block; an error: the file does not tell. Requires: the block has `count`
  /// or `for_each`.
  [[nodiscard]] tl::expected<std::vector<Repetition>, std::string> ListRepetitions(
      const yaml::Node& body) const;
  /// Sets `each` and `count` until the next call; null: both are unknown.
  void SetRepetition(const Repetition* repetition) { repetition_ = repetition; }
  /// "project", "region" and "zone" of the resource's provider, with kUnknownPart where the file
  /// does not tell.
  [[nodiscard]] yaml::Node GetDefaults(const std::string& type, const yaml::Node& body) const;
  /// The body with references replaced by their values, where the values are known.
  [[nodiscard]] yaml::Node Resolved(const yaml::Node& body) const;

  [[nodiscard]] const TerraformTypes& types() const { return types_; }
  [[nodiscard]] const ConvertWish& wish() const { return wish_; }
  [[nodiscard]] std::map<std::string, Symbol>& symbols() { return symbols_; }

 private:
  [[nodiscard]] std::map<std::string, std::string> SaidBy(const TerraformBlock& block) const;
  [[nodiscard]] tl::expected<Meaning, std::string> FindRepeated(
      const manifests::FieldPath& path) const;
  [[nodiscard]] std::optional<yaml::Node> FindCollection(const yaml::Node& node) const;

  const ConvertWish& wish_;
  TerraformTypes types_;
  std::map<std::string, Symbol> symbols_;  ///< By "TYPE.NAME", "data.TYPE.NAME", "local.NAME", ….
  std::map<std::string, const yaml::Node*> providers_;  ///< By "NAME" and "NAME.ALIAS".
  std::map<std::string, TerraformBlock> others_;
  const Repetition* repetition_ = nullptr;
};

/// The names of the first steps, with dots between them.
[[nodiscard]] std::string JoinedSteps(const manifests::FieldPath& path, std::size_t steps);

/// The steps in the kind's notation: "condition", 0, "title" is "condition.title".
[[nodiscard]] manifests::FieldPath CanonicalPath(const manifests::KindSchema& kind,
                                                 const manifests::FieldPath& path);

}  // namespace bindery::convert
