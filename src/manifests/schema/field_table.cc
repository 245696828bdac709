#include "manifests/schema/field_table.h"

#include <string_view>
#include <vector>

#include "manifests/schema/read_options.h"

namespace bindery::manifests {
namespace {

std::string TypeText(const Field& field) {
  switch (field.type) {
    case FieldType::kString:
      return "string";
    case FieldType::kBoolean:
      return "boolean";
    case FieldType::kInteger:
      return "integer";
    case FieldType::kDuration:
      return "duration";
    case FieldType::kList:
      return field.item_type == FieldType::kObject ? "list of maps" : "list of strings";
    case FieldType::kObject:
      return "map";
    case FieldType::kStringMap:
      return "map of strings";
  }
  return "";
}

/// A cell ends at "|".
std::string Cell(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|') cell += '\\';
    cell += c == '\n' ? ' ' : c;
  }
  return cell;
}

std::string Describe(const Field& field) {
  std::string text = field.description;
  if (!field.choices.empty()) {
    text += " One of";
    for (std::size_t i = 0; i < field.choices.size(); ++i) {
      text += (i == 0 ? " `" : ", `") + field.choices[i] + "`";
    }
    text += ".";
  }
  if (!field.examples.empty()) text += " Example: `" + field.examples.front() + "`.";
  return Cell(text);
}

void AddRows(const FieldList& fields,
             const std::string& prefix,  // NOLINT(misc-no-recursion): as deep as the kind's fields
             std::string& out) {
  for (const Field& field : fields) {
    const std::string path = prefix + "." + field.name;
    out += "| `" + path + "` | " + TypeText(field) + " | " + (field.required ? "yes" : "no") +
           " | " + Describe(field) + " |\n";
    AddRows(field.fields, path + (field.type == FieldType::kList ? "[]" : ""), out);
  }
}

}  // namespace

std::string FieldTable(const KindSchema& kind) {
  std::string table = "| field | type | required | description |\n| --- | --- | --- | --- |\n";
  AddRows(kind.inputs, "spec", table);
  AddRows(ListOptionFields(kind), "options", table);
  return table;
}

}  // namespace bindery::manifests
