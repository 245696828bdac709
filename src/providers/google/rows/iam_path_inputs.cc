#include "providers/google/rows/iam_path_inputs.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "manifests/schema/check_text.h"
#include "manifests/schema/name_template.h"

namespace bindery::google {
namespace {

/// Inputs of google-native that hold a whole name.
struct WholeName {
  std::string_view row;
  std::string_view input;
};
constexpr WholeName kWholeNames[] = {{"iap/v1:V1", "v1Id"}, {"iap/v1:V1", "v1beta1Id"}};

/// Whether google-native calls the last part "resource", as the documents of its API do.
bool IsCalledResource(const IamRow& row) {
  return row.service == "compute" || row.service == "deploymentmanager" ||
         row.id == "cloudresourcemanager/v3:Project";
}

/// How a part may be spelled: "topicId" or "topic", in some rows "resource".
std::vector<std::string> ListSpellings(const IamRow& row, const std::string& variable, bool last) {
  std::vector<std::string> spellings = {variable};
  if (!variable.ends_with("Id")) spellings.push_back(variable + "Id");
  if (last && IsCalledResource(row)) spellings.emplace_back("resource");
  return spellings;
}

manifests::Field PartField(std::string name) {
  manifests::Field field;
  field.name = std::move(name);
  field.identity = true;
  field.description = "Part of the resource's name, in place of name.";
  return field;
}

/// A text member that is not empty; else null.
const std::string* TextIn(const Json& spec, std::string_view name) {
  const Json* value = FindMember(spec, name);
  const auto* text = value == nullptr ? nullptr : value->get_ptr<const Json::string_t*>();
  return text != nullptr && !text->empty() ? text : nullptr;
}

/// The value of a part, however it is spelled; null if none exists.
const std::string* PartIn(const IamRow& row, const Json& spec, const std::string& variable,
                          bool last) {
  for (const std::string& spelling : ListSpellings(row, variable, last)) {
    if (const std::string* text = TextIn(spec, spelling)) return text;
  }
  return nullptr;
}

/// The names of the parts of the row's names, and of its whole names.
std::vector<std::string> ListPathNames(const IamRow& row) {
  std::vector<std::string> names;
  for (const std::string_view name_template : manifests::Split(row.names, ' ')) {
    const std::vector<std::string> variables = manifests::VariablesIn(name_template);
    for (std::size_t i = 0; i < variables.size(); ++i) {
      for (std::string& spelling : ListSpellings(row, variables[i], i + 1 == variables.size())) {
        const bool known = std::ranges::find(names, spelling) != names.end();
        if (!known) names.push_back(std::move(spelling));
      }
    }
  }
  for (const WholeName& whole : kWholeNames) {
    if (whole.row == row.id) names.emplace_back(whole.input);
  }
  return names;
}

bool IsWholeName(std::string_view input) {
  return std::ranges::find(kWholeNames, input, &WholeName::input) != std::end(kWholeNames);
}

}  // namespace

manifests::FieldList ListPathInputs(const IamRow& row) {
  manifests::FieldList fields;
  for (std::string& name : ListPathNames(row)) {
    manifests::Field field = PartField(std::move(name));
    if (IsWholeName(field.name)) field.description = "The resource's name, in place of name.";
    fields.Add(std::move(field));
  }
  return fields;
}

manifests::FieldList AnyPathInputs() {
  manifests::Field part = PartField("PART");
  part.description =
      "Parts of the resource's name in place of name, as google-native has them: project, "
      "location, and each type with or without Id, such as topicId.";
  part.name_pattern = "^[a-z][A-Za-z0-9]*$";
  return {std::move(part)};
}

std::vector<std::string> PathInputsIn(const IamRow& row, const Json& spec) {
  std::vector<std::string> given;
  for (std::string& name : ListPathNames(row)) {
    if (FindMember(spec, name) != nullptr) given.push_back(std::move(name));
  }
  return given;
}

std::optional<std::string> NameOfPathInputs(const IamRow& row, const Json& spec) {
  const std::size_t given = PathInputsIn(row, spec).size();
  for (const WholeName& whole : kWholeNames) {
    const std::string* name = whole.row == row.id ? TextIn(spec, whole.input) : nullptr;
    if (name != nullptr && given == 1) return *name;
  }
  for (const std::string_view name_template : manifests::Split(row.names, ' ')) {
    std::size_t used = 0;
    auto name =
        manifests::FilledTemplate(name_template, [&](const std::string& variable, bool last) {
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

}  // namespace bindery::google
