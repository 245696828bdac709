#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>

#include "convert/translator.h"

namespace bindery::convert {

/// The providers of a Pulumi program, which complete the names of resources.
class PulumiProviders : public Translator {
 public:
  PulumiProviders(Conversion& conversion, const manifests::KindSchemas& table,
                  const ConvertWish& wish)
      : Translator(conversion, table), wish_(wish) {}

 protected:
  /// `provider`: the resource with the settings. Must outlive the object.
  void AddProvider(const std::string& name, const yaml::Node& provider) {
    providers_.emplace(name, &provider);
  }
  /// Takes the project of the package's default provider from the configuration of the program.
  /// False: the entry says something else.
  [[nodiscard]] bool TakeConfiguredProject(const yaml::Node::Entry& entry);
  /// The arguments of a type of Terraform's provider, with the full name. `resource`: its body.
  [[nodiscard]] tl::expected<yaml::Node, std::string> WithName(const manifests::TerraformType& type,
                                                               const yaml::Node& resource,
                                                               const yaml::Node& arguments) const;
  /// Writes the full name into the id of an import. `path`: of the resource.
  void CompleteImport(const manifests::TerraformType& type, const yaml::Node& resource,
                      const std::string& path, const yaml::Node& spec, yaml::Node& options);
  [[nodiscard]] const ConvertWish& wish() const { return wish_; }

 private:
  [[nodiscard]] std::string FindDefaultProvider(const yaml::Node& resource) const;
  /// "project" of the provider that the file names for the resource, or of the configuration for a
  /// resource that names no provider, with kUnknownPart where the file does not tell; empty: the
  /// file names neither, or a provider without a project.
  [[nodiscard]] yaml::Node GetDefaults(const yaml::Node& body) const;

  const ConvertWish& wish_;
  std::map<std::string, const yaml::Node*> providers_;  ///< Resources with settings, by name.
  std::optional<yaml::Node> configured_project_;
};

/// A Pulumi YAML program. Configuration, variables and resources share one namespace.
class Pulumi final : public PulumiProviders {
 public:
  using PulumiProviders::PulumiProviders;
  void Run(const yaml::Node& root);

 private:
  /// A resource or variable that becomes a draft, once all names are known.
  struct Plan {
    const yaml::Node::Entry* entry = nullptr;
    std::string path;
    std::string name;
    const manifests::KindSchema* kind = nullptr;
    /// Of a package that is made of Terraform's provider; null: the properties are the kind's.
    const manifests::TerraformType* bridged = nullptr;
  };
  /// A call of a function.
  struct Invocation {
    const yaml::Node* function = nullptr;  ///< Null when the key says it.
    std::string token;
    const yaml::Node* arguments = nullptr;  ///< May be null.
    const yaml::Node* options = nullptr;    ///< May be null.
    const yaml::Node* result = nullptr;     ///< The `return`; may be null.
    std::string unknown = {};               ///< A key that calls do not have; empty: none.
  };
  using FoundKind = tl::expected<const manifests::KindSchema*, std::string>;

  [[nodiscard]] tl::expected<manifests::Template, manifests::TextFault> Parse(
      std::string_view text) const override;
  [[nodiscard]] tl::expected<Meaning, std::string> Find(
      const manifests::FieldPath& path) const override;
  [[nodiscard]] std::optional<tl::expected<Meaning, std::string>> Call(
      const yaml::Node& node, const std::string& path) override;

  void ReportSections(const yaml::Node& root);
  /// Leaves out settings of a provider that are written in wrong letter case.
  void ReportSettings(const yaml::Node::Entry& provider, const std::string& path);
  void NameResource(const yaml::Node::Entry& entry);
  void NameVariable(const yaml::Node::Entry& entry);
  void LeaveOutAll(const yaml::Node& root, const char* section, const char* reason);
  void Define(const yaml::Node::Entry& entry, const std::string& path, Symbol symbol);
  void MakeResource(const Plan& plan);
  void MakeVariable(const Plan& plan);
  bool MakeLookup(Draft draft, const Invocation& call, const std::string& path, yaml::Position at);

  [[nodiscard]] std::optional<yaml::Node> MakeSpec(const Plan& plan, const yaml::Node& properties,
                                                   Draft& draft);
  /// The properties without properties that the kind lacks because they grant nothing.
  [[nodiscard]] yaml::Node WithoutExtras(const manifests::KindSchema& kind,
                                         const yaml::Node& properties, const std::string& path);
  /// The same where the whole policy is given as text. Requires: it has "policyData".
  [[nodiscard]] std::optional<yaml::Node> PolicySpec(const Plan& plan, const yaml::Node& properties,
                                                     Draft& draft);
  /// The policy that the value of "policyData" stands for.
  [[nodiscard]] std::optional<yaml::Node> PolicyIn(const yaml::Node& value) const;
  void NamePolicy(const yaml::Node::Entry& entry, const std::string& path, Invocation call);
  /// It makes the text of a policy: gcp:organizations:getIAMPolicy.
  [[nodiscard]] static bool MakesPolicy(const Invocation& call);
  [[nodiscard]] static std::optional<Invocation> FindInvocation(const yaml::Node& node);
  /// The path behind `return`.
  [[nodiscard]] static tl::expected<manifests::FieldPath, std::string> MakeResult(
      const Invocation& call);

  [[nodiscard]] yaml::Node BuildOptions(const yaml::Node& node, const std::string& path,
                                        const std::string& name);
  void PassOver(const yaml::Node::Entry& entry, const std::string& path);
  [[nodiscard]] std::optional<yaml::Node> Dependencies(const yaml::Node& node,
                                                       const std::string& path);
  [[nodiscard]] std::optional<yaml::Node> Aliases(const yaml::Node& node, const std::string& path,
                                                  const std::string& name);

  std::map<std::string, Symbol> symbols_;
  std::map<std::string, Invocation> policies_;  ///< Variables that are whole policies.
  std::vector<Plan> variables_;
  std::vector<Plan> resources_;
  std::map<std::string, std::string> inline_lookups_;  ///< Name by kind and arguments.
};

}  // namespace bindery::convert
