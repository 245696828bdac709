#pragma once

#include <boost/iterator/indirect_iterator.hpp>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "core/text/type_token.h"

namespace bindery::manifests {

enum class FieldType { kString, kBoolean, kInteger, kDuration, kList, kObject, kStringMap };

/// Why a check refuses a text.
struct CheckFailure {
  std::string code;     ///< As Problem::code.
  std::string message;  ///< What is wrong and what is accepted instead.
  bool warning = false;
  /// Where within the text, from 1 and in characters; 0 when it is the text as a whole.
  int line = 0;
  int column = 0;
  /// Lines that show the place; may be empty.
  std::string excerpt = {};
};
/// Judges one scalar; nothing when valid. Pure.
using FieldCheck = std::function<std::optional<CheckFailure>(std::string_view)>;

struct Field;

/// Fields in order. Copies share the fields: kinds of one shape have most in common.
class FieldList {
 public:
  using const_iterator =  // NOLINT(readability-identifier-naming): the standard's spelling
      boost::indirect_iterator<std::vector<std::shared_ptr<const Field>>::const_iterator,
                               const Field>;

  FieldList() = default;
  FieldList(std::initializer_list<Field> fields);

  void Add(Field field);
  void Add(const FieldList& fields);

  [[nodiscard]] bool empty() const { return fields_.empty(); }
  [[nodiscard]] std::size_t size() const { return fields_.size(); }
  [[nodiscard]] const Field& operator[](std::size_t at) const { return *fields_[at]; }
  [[nodiscard]] const Field& front() const { return *fields_.front(); }
  /// The field of the name, or null.
  [[nodiscard]] const Field* Find(std::string_view name) const;
  [[nodiscard]] const_iterator begin() const;
  [[nodiscard]] const_iterator end() const;

 private:
  std::vector<std::shared_ptr<const Field>> fields_;
};

/// One field of a kind, as data: validation, JSON Schema and the documentation table are made of
/// it.
struct Field {
  std::string name;
  FieldType type = FieldType::kString;
  bool required = false;
  std::string description;  ///< One or two sentences, shown by editors.
  std::string pattern;      ///< ECMA-262 regular expression for editors; the check decides.
  std::vector<std::string> choices;  ///< The only values, where they are few.
  std::vector<std::string> examples;
  bool secret = false;  ///< An output that is shown to who asks for it, and never kept.
  FieldCheck check;     ///< Of a string, each string of a list, or each key of a map.
  FieldList fields;     ///< Of an object, or of each object of a list of objects.
  FieldType item_type = FieldType::kString;  ///< Of a list: kString or kObject.
  std::size_t min_items = 0;
  std::size_t max_items = 0;  ///< 0: no limit.
  /// Stands for all fields whose names match the ECMA-262 regular expression: only in the shared
  /// shape of several kinds, whose own schemas name each field. Empty: a single field.
  std::string name_pattern = {};
  bool identity = false;  ///< Says which resource it is, or which a lookup found.
};

inline FieldList::const_iterator FieldList::begin() const {
  return const_iterator(fields_.begin());
}
inline FieldList::const_iterator FieldList::end() const { return const_iterator(fields_.end()); }

/// A field of text, as most outputs are.
[[nodiscard]] inline Field TextField(std::string name, std::string description) {
  Field field;
  field.name = std::move(name);
  field.description = std::move(description);
  return field;
}

/// What a resource of Terraform has for a variable of its name, besides the variable's own name.
struct TerraformArgument {
  std::string variable;
  std::string name = {};   ///< The argument; empty: there is none.
  std::string value = {};  ///< Where no argument says otherwise; empty: none.
};

/// A resource of Terraform that a kind stands for.
struct TerraformType {
  std::string type;  ///< A data source where the kind is read-only.
  /// The resource name that Terraform's arguments make up, with their names in braces:
  /// "projects/{project}/topics/{topic}". Empty: the arguments are the fields of the kind.
  std::string name = {};
  std::vector<std::string> ids = {};  ///< Arguments that may hold the last part, or the whole name.
  std::vector<TerraformArgument> arguments = {};
  /// The data source that holds a whole policy for a resource of the type: "acme_iam_document".
  /// Empty: none.
  std::string policy_source = {};
  /// The type of Pulumi's package that is made of Terraform's provider, with the same arguments in
  /// camel case: package, colon, module and type in lower case, letters and digits only:
  /// "gcp:pubsubtopiciambinding". Empty: none.
  std::string bridged = {};
};

/// The names of a kind in further tools; empty if none.
struct NamesElsewhere {
  /// The package of Pulumi whose types have the names of ours; empty: none.
  std::string pulumi_package = {};
  /// Properties of those tools' types that the kind lacks, and that grant nothing.
  std::vector<std::string> pulumi_extras = {};
  std::vector<TerraformType> terraform = {};
};

/// One kind, as data. Lives as long as the program.
struct KindSchema {
  TypeToken token;
  /// Further tokens of the kind in manifests; `token` is the recorded token.
  std::vector<TypeToken> other_tokens = {};
  std::string description;
  NamesElsewhere elsewhere = {};
  /// Forms of the declared names: "projects/{project}/topics/{topic}".
  std::vector<std::string> name_forms = {};
  bool preview = false;                ///< No version of its API is stable; shown by `get`.
  bool of_preview_package = false;     ///< Its package is a preview: logged once, at the first use.
  bool read_only = false;              ///< A lookup.
  bool conditions_documented = false;  ///< The service documents that it accepts conditions.
  std::string retired = {};            ///< Why and since when the service is gone; empty: active.
  /// The common part of all kinds of one shape, so that a JSON Schema describes the part once;
  /// null: the kind has a separate shape.
  const KindSchema* shape = nullptr;
  FieldList inputs;   ///< Of `spec`.
  FieldList outputs;  ///< Besides the inputs.
  /// Refuses specs whose fields are valid one by one (the same relation twice); returns the path
  /// within `spec` and the failure. Pure; may be empty.
  std::function<std::vector<std::pair<std::string, CheckFailure>>(const Json& spec)> check_all;
};

}  // namespace bindery::manifests
