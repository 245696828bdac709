#include "providers/google/iam_path_inputs.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "manifests/check_text.h"
#include "manifests/name_template.h"

namespace bindery {
namespace {

/// How a part may be spelled: "topicId" or "topic"; google-native calls what compute names last
/// "resource".
std::vector<std::string> SpellingsOf(const IamRow& row, const std::string& variable, bool last) {
  std::vector<std::string> spellings = {variable};
  if (!variable.ends_with("Id")) spellings.push_back(variable + "Id");
  if (last && row.service == "compute") spellings.emplace_back("resource");
  return spellings;
}

Field PartField(std::string name) {
  Field field;
  field.name = std::move(name);
  field.identity = true;
  field.description = "Part of the resource's name, in place of name.";
  return field;
}

/// The value of a part, however it is spelled; null where there is none.
const std::string* PartIn(const IamRow& row, const Json& spec, const std::string& variable,
                          bool last) {
  for (const std::string& spelling : SpellingsOf(row, variable, last)) {
    const Json* part = FindMember(spec, spelling);
    const auto* text = part == nullptr ? nullptr : part->get_ptr<const Json::string_t*>();
    if (text != nullptr && !text->empty()) return text;
  }
  return nullptr;
}

}  // namespace

std::vector<Field> PathInputsOf(const IamRow& row) {
  std::vector<Field> fields;
  for (const std::string_view name_template : Split(row.names, ' ')) {
    const std::vector<std::string> variables = VariablesIn(name_template);
    for (std::size_t i = 0; i < variables.size(); ++i) {
      for (std::string& spelling : SpellingsOf(row, variables[i], i + 1 == variables.size())) {
        const bool known = std::ranges::find(fields, spelling, &Field::name) != fields.end();
        if (!known) fields.push_back(PartField(std::move(spelling)));
      }
    }
  }
  return fields;
}

std::vector<Field> AnyPathInputs() {
  Field part = PartField("PART");
  part.description =
      "Parts of the resource's name in place of name, as google-native has them: project, "
      "location, and each type with or without Id, such as topicId.";
  part.name_pattern = "^[a-z][A-Za-z0-9]*$";
  return {std::move(part)};
}

std::vector<std::string> PathInputsIn(const IamRow& row, const Json& spec) {
  std::vector<std::string> given;
  for (const Field& field : PathInputsOf(row)) {
    if (FindMember(spec, field.name) != nullptr) given.push_back(field.name);
  }
  return given;
}

std::optional<std::string> NameOfPathInputs(const IamRow& row, const Json& spec) {
  const std::size_t given = PathInputsIn(row, spec).size();
  for (const std::string_view name_template : Split(row.names, ' ')) {
    std::size_t used = 0;
    auto name = FilledTemplate(name_template, [&](const std::string& variable, bool last) {
      const std::string* part = PartIn(row, spec, variable, last);
      if (part != nullptr) ++used;
      return part;
    });
    if (name && used == given) return *std::move(name);
  }
  return std::nullopt;
}

std::string NameInSpec(const IamRow& row, const Json& spec) {
  std::string name = StringMember(spec, "name");
  return name.empty() ? NameOfPathInputs(row, spec).value_or("") : name;
}

}  // namespace bindery
