#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "convert/shapes/shape.h"
#include "convert/terraform_types.h"
#include "convert/translator.h"

namespace bindery::convert {

/// A resource of an export, with values without expressions.
struct ExportedResource {
  std::string address;  ///< As its tool writes it.
  std::string name;     ///< What its manifest is to be called like.
  yaml::Position at;
  std::string type;  ///< In its tool's spelling.
  Counterpart of;    ///< Null kind: there is none.
  yaml::Node values;
  std::string fault = {};  ///< Why it cannot be converted; empty: nothing speaks against it.
  yaml::Node options = {};
  yaml::Node labels = {};  ///< Of the metadata.
};

/// Makes drafts of the resources in exports.
class Exports : public Translator {
 public:
  Exports(Conversion& conversion, const manifests::KindSchemas& table, const ForeignFacts& facts);

 protected:
  /// One resource: a draft, or a remark why no draft is made.
  void Take(ExportedResource resource);
  /// The same of one without a counterpart.
  void TakeOther(const ExportedResource& resource);
  /// A resource that grants no access, or none any more: counted for one note, as one of these or
  /// as several.
  void PassOver(const std::string& one, const std::string& several) { ++passed_[{one, several}]; }
  /// Says how many were passed over.
  void TellPassedOver(yaml::Position at);
  /// Reports the keys of a map not in `known`, a list separated by spaces: such keys may hold more.
  /// Returns whether there is one.
  bool ReportUnknown(const yaml::Node& map, std::string_view known, const std::string& path);
  /// Reports the values that have another shape than their format says: what these hold is not
  /// known. Returns whether there is one.
  bool ReportShapes(const yaml::Node& root, std::span<const ExpectedShape> expected,
                    const std::string& path) {
    return ReportWrong(FindWrongShapes(root, expected, path), conversion());
  }

  [[nodiscard]] Counterpart OfTerraform(const std::string& type) const;
  [[nodiscard]] bool GrantsAccess(const std::string& type) const;
  /// Whether resources of the type may grant access, or the type is not known.
  [[nodiscard]] bool MayGrantAccess(const std::string& type) const;
  [[nodiscard]] const ForeignFacts& facts() const { return facts_; }

 private:
  [[nodiscard]] tl::expected<manifests::Template, manifests::TextFault> Parse(
      std::string_view text) const override;
  [[nodiscard]] tl::expected<Meaning, std::string> Find(
      const manifests::FieldPath& path) const override;

  /// What is left of a spec without deleted principals, and without access on request.
  struct Lasting {
    std::size_t deleted = 0;
    std::size_t on_request = 0;  ///< Bindings.
    bool complete = true;        ///< Every required field and every list still has a value.
  };
  /// Takes both out of the values of the fields.
  void NoteUnlasting(const ExportedResource& resource, const Lasting& lasting);
  [[nodiscard]] bool IsOnRequest(const manifests::KindSchema& kind, const yaml::Node& values) const;
  Lasting EraseUnlasting(const manifests::KindSchema& kind, const manifests::FieldList& fields,
                         yaml::Node& values) const;

  const ForeignFacts& facts_;
  TerraformTypes types_;
  std::map<std::pair<std::string, std::string>, std::size_t> passed_;  ///< As PassOver().
};

/// The field with values that grants access, of a type that grants none by itself; empty: no such
/// field, or no values.
[[nodiscard]] std::string_view FindGrantingField(const ForeignFacts& facts, const std::string& type,
                                                 const yaml::Node& values);
/// Why a resource with such a field is left out.
[[nodiscard]] std::string ExplainGrantingField(std::string_view field);

/// The text or number under a key; empty: the key is absent.
[[nodiscard]] std::string TextUnder(const yaml::Node& map, std::string_view key);

/// The map or list under a key; null: the key is absent.
[[nodiscard]] const yaml::Node* MapUnder(const yaml::Node& map, std::string_view key);
[[nodiscard]] const yaml::Node* ListUnder(const yaml::Node& map, std::string_view key);

/// Replaces values by kUnknownPart wherever `marks`, a tree of the same shape, has `true`.
/// Returns whether a replaced value belongs to a field of the kind.
bool HideMarked(const yaml::Node& marks, const manifests::KindSchema& kind,
                const manifests::TerraformType* type, yaml::Node& values);

}  // namespace bindery::convert
