#include "providers/google/iam_path_inputs.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "manifests/check_text.h"

namespace bindery {
namespace {

constexpr std::string_view kProjectPart = "projects/{project}/";

/// The variables of a template, in their order.
std::vector<std::string> PlaceholdersOf(std::string_view name_template) {
  std::vector<std::string> variables;
  for (std::size_t open = name_template.find('{'); open != std::string_view::npos;
       open = name_template.find('{', open + 1)) {
    const std::string_view rest = name_template.substr(open + 1);
    variables.emplace_back(rest.substr(0, rest.find_first_of("=}")));
  }
  return variables;
}

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

struct NameInParts {
  std::string name;
  std::size_t used = 0;  ///< How many parts it took.
};

std::optional<NameInParts> Fill(const IamRow& row, std::string_view name_template,
                                const Json& spec) {
  NameInParts made{std::string(name_template)};
  const std::vector<std::string> variables = PlaceholdersOf(name_template);
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const std::string* value = nullptr;
    for (const std::string& spelling : SpellingsOf(row, variables[i], i + 1 == variables.size())) {
      const Json* part = FindMember(spec, spelling);
      if (part != nullptr && part->is_string()) value = part->get_ptr<const Json::string_t*>();
    }
    const bool completed = value == nullptr && i == 0 && variables.size() > 1 &&
                           name_template.starts_with(kProjectPart);
    if (completed) {
      made.name.erase(0, kProjectPart.size());
      continue;
    }
    if (value == nullptr || value->empty()) return std::nullopt;
    const std::size_t open = made.name.find("{" + variables[i]);
    made.name.replace(open, made.name.find('}', open) + 1 - open, *value);
    ++made.used;
  }
  return made;
}

}  // namespace

std::vector<Field> PathInputsOf(const IamRow& row) {
  std::vector<Field> fields;
  for (const std::string_view name_template : Split(row.names, ' ')) {
    const std::vector<std::string> variables = PlaceholdersOf(name_template);
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
    std::optional<NameInParts> made = Fill(row, name_template, spec);
    if (made && made->used == given) return std::move(made->name);
  }
  return std::nullopt;
}

std::string NameInSpec(const IamRow& row, const Json& spec) {
  std::string name = StringMember(spec, "name");
  return name.empty() ? NameOfPathInputs(row, spec).value_or("") : name;
}

}  // namespace bindery
