#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "manifests/schema/expression.h"
#include "manifests/schema/findings.h"
#include "manifests/schema/schema.h"
#include "manifests/schema/value_type.h"
#include "yaml/node.h"

namespace bindery::manifests {

/// Checks trees against fields, and turns the trees into JSON. Reports all errors, not just the
/// first; invalid values are left out of the JSON, except for items of lists: null stands for an
/// invalid item, so that the remaining items keep their places.
class Validator {
 public:
  enum class Texts {
    kLiteral,   ///< `$${` stands for `${`; a reference is refused.
    kTemplate,  ///< As written, references included: see references() and escaped().
    kResolved,  ///< As they are: nothing is left to be resolved.
  };

  Validator(Findings& findings, Texts texts) : findings_(findings), texts_(texts) {}

  /// A map against the fields it may have. `path` is that of the map, empty at the top.
  [[nodiscard]] Json Map(const yaml::Node& node, const FieldList& fields, const std::string& path);

  /// The same of what is under a key at the top: an empty object when there is nothing (null)
  /// or no map.
  [[nodiscard]] Json Top(const yaml::Node* node, const FieldList& fields, const std::string& key);

  /// The found references. Only the form of a text with a reference is checked: the value is not
  /// known yet.
  [[nodiscard]] std::vector<Reference>& references() { return references_; }
  /// Some text holds a `$${`.
  [[nodiscard]] bool escaped() const { return escaped_; }

 private:
  /// A text of the tree.
  struct Read {
    enum class What { kText, kReference, kBad };
    What what = What::kText;
    std::string text = {};  ///< What a kText stands for.
    bool lone = false;      ///< A kReference without text around it.
  };
  /// The owner of a text.
  struct Owner {
    const Field& field;
    bool inner = false;  ///< An item of the list, or a value of the map, that the field is.
    [[nodiscard]] FieldType type() const { return GetType(field, inner); }
  };
  [[nodiscard]] Read ReadText(const yaml::Node& node, const Owner& owner, const std::string& path);
  /// What a text gives where no text is wanted: itself, when it is a reference that may turn out to
  /// be of the type. Nothing when the node is no such text.
  [[nodiscard]] std::optional<Json> StandIn(const yaml::Node& node, const Owner& owner,
                                            const std::string& path);
  [[nodiscard]] bool Accepts(const yaml::Node& node, const Field& field, const std::string& path,
                             const std::string& text);
  void NoteReferences(const yaml::Node& node, const Template& pieces, const Owner& owner,
                      const std::string& path);

  [[nodiscard]] Json Value(const yaml::Node& node, const Field& field, const std::string& path);
  [[nodiscard]] Json List(const yaml::Node& node, const Field& field, const std::string& path);
  [[nodiscard]] Json StringMap(const yaml::Node& node, const Field& field, const std::string& path);
  [[nodiscard]] Json Text(const yaml::Node& node, const Field& field, const std::string& path);
  [[nodiscard]] Json Number(const yaml::Node& node, const Field& field, const std::string& path);
  /// The name of the intended field, if near.
  std::string ReportUnknown(const yaml::Node::Entry& entry, const FieldList& fields,
                            const std::string& path);
  void WrongType(const yaml::Node& node, FieldType wanted, const std::string& path);

  Findings& findings_;
  Texts texts_;
  std::vector<Reference> references_;
  bool escaped_ = false;
};

/// "a.b" of "a" and "b"; "b" of "" and "b"; "a["b c"]" for names that do not read as one word.
[[nodiscard]] std::string JoinPath(const std::string& path, const std::string& name);

/// The position of `path` ("bindings[1].relation") within a tree: as near as the tree goes.
[[nodiscard]] yaml::Position FindPosition(const yaml::Node& root, const std::string& path);

}  // namespace bindery::manifests
