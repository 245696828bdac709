#include "manifests/schema/value_type.h"

#include <algorithm>

#include "manifests/schema/check_text.h"

namespace bindery::manifests {
namespace {

std::string MakeList(const Field& list) {
  return list.item_type == FieldType::kObject ? "a list of maps" : "a list of strings";
}

/// A field that the wanted type must have and the named type never has; empty if none exists.
std::string Lacking(const Field& wanted, const Field& named) {
  // The schema of a map with free keys does not tell its content.
  if (named.type == FieldType::kStringMap) return "";
  for (const Field& field : wanted.fields) {
    const bool there = std::any_of(named.fields.begin(), named.fields.end(),
                                   [&](const Field& other) { return other.name == field.name; });
    if (field.required && !there) return field.name;
  }
  return "";
}

}  // namespace

std::string_view GetName(FieldType type) {
  switch (type) {
    case FieldType::kString:
      return "a string";
    case FieldType::kBoolean:
      return "a boolean";
    case FieldType::kInteger:
      return "an integer";
    case FieldType::kDuration:
      return "a duration such as \"30s\"";
    case FieldType::kList:
      return "a list";
    case FieldType::kObject:
    case FieldType::kStringMap:
      return "a map";
  }
  return "a value";
}

FieldType GetType(const Field& field, bool inner) {
  FieldType type = field.type;
  if (inner) type = type == FieldType::kList ? field.item_type : FieldType::kString;
  if (type == FieldType::kDuration) return FieldType::kString;
  return type == FieldType::kStringMap ? FieldType::kObject : type;
}

std::string TypeFault(const Reference& reference, const FoundField& named) {
  if (reference.field == nullptr || named.field == nullptr) return "";
  const FieldType given = GetType(*named.field, named.inner);
  if (reference.part == Reference::Part::kWithin) {
    if (given != FieldType::kList && given != FieldType::kObject) return "";
    return "is " + std::string(GetName(given)) + ": it cannot be part of a text, only alone";
  }
  const Field& field = *reference.field;
  const FieldType wanted = GetType(field, reference.part == Reference::Part::kItem);
  const std::string is = "is " + std::string(GetName(given));
  if (wanted != given) return is + ": expected " + std::string(GetName(wanted));
  if (wanted == FieldType::kList && field.item_type != named.field->item_type) {
    return "is " + MakeList(*named.field) + ": expected " + MakeList(field);
  }
  if (wanted != FieldType::kList && wanted != FieldType::kObject) return "";
  const std::string lacking = Lacking(field, *named.field);
  if (lacking.empty()) return "";
  const std::string what = wanted == FieldType::kList ? "is a list of maps" : is;
  return what + " without " + Quote(lacking) + ", which is required here";
}

}  // namespace bindery::manifests
