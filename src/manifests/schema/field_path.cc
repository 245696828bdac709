#include "manifests/schema/field_path.h"

#include <algorithm>

#include "manifests/schema/check_text.h"

namespace bindery::manifests {
namespace {

using Fields = std::span<const FieldList* const>;

bool HoldsSecret(const Field& field) {  // NOLINT(misc-no-recursion): as deep as the kind's fields
  return field.secret || std::any_of(field.fields.begin(), field.fields.end(), HoldsSecret);
}

const Field* FindIn(Fields fields, const std::string& name) {
  for (const FieldList* list : fields) {
    if (const Field* field = list->Find(name); field != nullptr) return field;
  }
  return nullptr;
}

std::string Unknown(Fields fields, const std::string& name) {
  std::vector<std::string> names;
  for (const FieldList* list : fields) {
    for (const Field& field : *list) names.push_back(field.name);
  }
  const std::string hint = DidYouMean(name, names);
  return "unknown field " + Quote(name) +
         (hint.empty() ? "; known are " + QuotedList(names, "and") : hint);
}

/// Walks one path, step by step.
class Walk {
 public:
  explicit Walk(Fields fields) : top_(fields) {}

  /// The error of the step; empty when it leads somewhere.
  std::string Take(const PathStep& step) {
    if (found_.field == nullptr && !free_) return Enter(top_, step);
    if (free_) return "";
    const Field& field = *found_.field;
    if (field.type == FieldType::kList && !item_) {
      if (!step.index) return Quote(field.name) + " is a list: an index such as [0] is needed";
      item_ = true;
      return "";
    }
    if (field.type == FieldType::kStringMap && !step.index) {
      free_ = true;
      return "";
    }
    const bool object = field.type == FieldType::kObject ||
                        (field.type == FieldType::kList && field.item_type == FieldType::kObject);
    if (!object) return "there is nothing below " + Quote(field.name);
    const FieldList* const inner[] = {&field.fields};
    return Enter(inner, step);
  }

  [[nodiscard]] FoundField Found() const {
    FoundField found = found_;
    found.secret = found.secret || HoldsSecret(*found.field);
    found.inner = item_ || free_;
    return found;
  }

 private:
  std::string Enter(Fields fields, const PathStep& step) {
    if (step.index) return "there is no list here: a field's name is needed";
    const Field* field = FindIn(fields, step.name);
    if (field == nullptr) return Unknown(fields, step.name);
    found_.field = field;
    found_.secret = found_.secret || field->secret;
    item_ = false;
    return "";
  }

  Fields top_;
  FoundField found_;
  bool item_ = false;  ///< Of the list the field is.
  bool free_ = false;  ///< Below a map of free keys.
};

}  // namespace

tl::expected<FoundField, std::string> FindFieldAt(Fields fields, const FieldPath& path) {
  Walk walk(fields);
  for (const PathStep& step : path) {
    if (std::string fault = walk.Take(step); !fault.empty()) {
      return tl::unexpected(std::move(fault));
    }
  }
  if (path.empty()) return FoundField{};
  return walk.Found();
}

}  // namespace bindery::manifests
