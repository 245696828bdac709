#include "convert/target_name.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "convert/nodes.h"
#include "manifests/schema/check_text.h"
#include "manifests/schema/name_template.h"

namespace bindery::convert {

using yaml::Node;
using yaml::NodeKind;

namespace {

constexpr std::string_view kProject = "projects/{project}/";

bool IsIdKey(const manifests::TerraformType& type, std::string_view key) {
  return std::find(type.ids.begin(), type.ids.end(), key) != type.ids.end();
}

bool IsGiven(const Node* node) { return node != nullptr && node->kind != NodeKind::kNull; }

/// Terraform takes a number as a text.
bool IsPartText(const Node& node) {
  return node.kind == NodeKind::kString || node.kind == NodeKind::kInteger;
}

tl::unexpected<std::string> RefusePart(const std::string& key, const Node& value) {
  return tl::unexpected("\"" + key + "\" is " + WhatIs(value) + ", and no text");
}

/// The values of a name's variables.
using Values = std::map<std::string, std::string>;

/// Whether the variable stands for nothing else so far.
bool PutValue(const std::string& variable, std::string_view value, Values& values) {
  return values.emplace(variable, value).first->second == value;
}

/// The arguments that may hold a variable. Providers call some locations by narrower names.
std::vector<std::string> ListSpellings(const manifests::TerraformType& type,
                                       const std::string& variable) {
  std::vector<std::string> spellings = {variable, variable + "_id"};
  if (variable == "location") spellings.insert(spellings.end(), {"region", "zone"});
  if (variable == "region") spellings.emplace_back("location");
  for (const manifests::TerraformArgument& argument : type.arguments) {
    if (argument.variable == variable && !argument.name.empty()) spellings.push_back(argument.name);
  }
  return spellings;
}

bool IsPartOfName(const manifests::TerraformType& type, const std::string& key) {
  return std::ranges::any_of(manifests::VariablesIn(type.name), [&](const std::string& variable) {
    const std::vector<std::string> spellings = ListSpellings(type, variable);
    return std::ranges::find(spellings, key) != spellings.end();
  });
}

/// The values of the variables in a name of exactly that form.
std::optional<Values> ValuesOfForm(std::string_view name_template, std::string_view name) {
  const auto wanted = manifests::Split(name_template, '/');
  const auto given = manifests::Split(name, '/');
  if (wanted.size() != given.size()) return std::nullopt;
  Values values;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::size_t open = std::min(wanted[i].find('{'), wanted[i].size());
    if (!given[i].starts_with(wanted[i].substr(0, open))) return std::nullopt;
    const std::string_view value = given[i].substr(open);
    const bool variable = open < wanted[i].size();
    if (variable == value.empty()) return std::nullopt;
    if (variable) PutValue(manifests::VariablesIn(wanted[i]).front(), value, values);
  }
  return values;
}

/// "projects/p/…" of "v1/projects/p/…", as some providers write names: with the version of the API.
std::string WithoutVersion(const std::string& name_template, const std::string& name) {
  const std::size_t slash = name.find('/');
  const bool version =
      slash != std::string::npos && slash > 1 && name[0] == 'v' && name[1] >= '0' && name[1] <= '9';
  if (!version || !ValuesOfForm(name_template, name.substr(slash + 1))) return name;
  return name.substr(slash + 1);
}

/// The same for a name that lacks its project.
std::optional<Values> ValuesWithoutProject(std::string_view name_template, std::string_view name) {
  if (!name_template.starts_with(kProject)) return std::nullopt;
  return ValuesOfForm(name_template.substr(kProject.size()), name);
}

/// The same for a name that may lack its project.
std::optional<Values> ValuesInName(std::string_view name_template, std::string_view name) {
  if (auto values = ValuesOfForm(name_template, name)) return values;
  return ValuesWithoutProject(name_template, name);
}

/// The same of a short id: the values alone, as in "acme/us-east1/ring", perhaps without project.
std::optional<Values> ValuesInShortId(const std::string& name_template, std::string_view id) {
  const auto given = manifests::Split(id, '/');
  std::vector<std::string> variables = manifests::VariablesIn(name_template);
  if (variables.size() == given.size() + 1 && name_template.starts_with(kProject)) {
    variables.erase(variables.begin());
  }
  if (variables.size() != given.size()) return std::nullopt;
  Values values;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i].empty()) return std::nullopt;
    PutValue(variables[i], given[i], values);
  }
  return values;
}

/// Adds an argument's value of a variable: the value, or a name that ends with the variable. False:
/// a different form, or a contradiction.
bool Learn(const std::string& name_template, const std::string& variable, const std::string& text,
           Values& values) {
  if (text.find('/') == std::string::npos) return PutValue(variable, text, values);
  const auto end = name_template.find('}', name_template.find("{" + variable)) + 1;
  const auto found = ValuesInName(name_template.substr(0, end), text);
  return found && std::ranges::all_of(*found, [&values](const auto& each) {
           return PutValue(each.first, each.second, values);
         });
}

/// Adds what the arguments say of all variables but the last; an error names the wrong argument.
tl::expected<void, std::string> LearnArguments(const manifests::TerraformType& type,
                                               const Node& body, Values& values) {
  std::vector<std::string> variables = manifests::VariablesIn(type.name);
  variables.pop_back();
  for (const std::string& variable : variables) {
    for (const std::string& spelling : ListSpellings(type, variable)) {
      const Node* value = body.Find(spelling);
      if (!IsGiven(value)) continue;
      if (!IsPartText(*value)) return RefusePart(spelling, *value);
      if (!Learn(type.name, variable, value->text, values)) {
        return tl::unexpected("\"" + spelling + "\" is of another form than " + type.name +
                              ", or names another resource than the other arguments");
      }
      break;
    }
  }
  for (const manifests::TerraformArgument& argument : type.arguments) {
    if (!argument.value.empty()) values.emplace(argument.variable, argument.value);
  }
  return {};
}

tl::expected<std::string, std::string> FullName(const manifests::TerraformType& type,
                                                const Node& body, const Node& id) {
  const bool in_parts = id.text.find('/') != std::string::npos && !type.name.ends_with("=**}");
  if (in_parts && ValuesOfForm(type.name, id.text)) return id.text;
  std::optional<Values> values =
      in_parts ? ValuesWithoutProject(type.name, id.text) : std::optional(Values());
  const bool lacks_project = in_parts && values;
  if (!values) values = ValuesInShortId(type.name, id.text);
  if (!values) return id.text;  // The check of names says what is wrong.
  if (auto learned = LearnArguments(type, body, *values); !learned) {
    return tl::unexpected(learned.error());
  }
  if (lacks_project && !values->contains("project")) return id.text;
  const auto value_of = [&](const std::string& variable, bool last) -> const std::string* {
    if (last && !in_parts) return &id.text;
    const auto value = values->find(variable);
    return value == values->end() ? nullptr : &value->second;
  };
  return manifests::FilledTemplate(type.name, value_of).map_error([](const std::string& missing) {
    return "neither a full resource name nor a \"" + missing + "\" is given";
  });
}

/// What the type itself says, and no argument: that a member is absent.
void AddFixedFields(const manifests::TerraformType& type, Node& body) {
  const std::vector<std::string> variables = manifests::VariablesIn(type.name);
  for (const manifests::TerraformArgument& argument : type.arguments) {
    const bool part = std::ranges::find(variables, argument.variable) != variables.end();
    if (part || argument.value.empty()) continue;
    Node value = TextNode(argument.value, body.at);
    if (argument.value == "true") value.kind = NodeKind::kBool;
    Put(body, argument.variable, std::move(value));
  }
}

}  // namespace

std::string FindWrongPart(const manifests::TerraformType& type, const Node& body) {
  for (const Node::Entry& entry : body.fields) {
    const bool part = IsIdKey(type, entry.key) || IsPartOfName(type, entry.key);
    if (!part || !IsGiven(&entry.value) || entry.value.kind == NodeKind::kString) continue;
    return RefusePart(entry.key, entry.value).value();
  }
  return "";
}

tl::expected<Node, std::string> WithFullName(const manifests::TerraformType& type,
                                             const Node& body) {
  Node rest = MapNode(body.at);
  const Node* id = nullptr;
  for (const Node::Entry& entry : body.fields) {
    if (IsIdKey(type, entry.key) && IsGiven(&entry.value)) {
      if (!IsPartText(entry.value)) return RefusePart(entry.key, entry.value);
      if (id != nullptr && id->text != entry.value.text) {
        return tl::unexpected("the resource is named twice, the second time by \"" + entry.key +
                              "\"");
      }
      id = &entry.value;
    } else if (!IsPartOfName(type, entry.key)) {
      rest.fields.push_back(entry);
    }
  }
  AddFixedFields(type, rest);
  if (id == nullptr) return rest;
  const auto full = FullName(type, body, *id);
  if (!full) return tl::unexpected(full.error());
  Node name = *id;
  name.kind = NodeKind::kString;
  name.text = WithoutVersion(type.name, *full);
  rest.fields.insert(rest.fields.begin(), {"name", name.at, std::move(name)});
  return rest;
}

tl::expected<Node, std::string> WithFullName(const manifests::TerraformType& type, const Node& body,
                                             const Node& defaults) {
  auto made = WithFullName(type, body);
  const Node* name = made ? made->Find("name") : nullptr;
  const bool lacks_project = name != nullptr && type.name.starts_with(kProject) &&
                             !name->text.starts_with(kProject.substr(0, kProject.find('{')));
  if (name != nullptr && !lacks_project) return made;
  Node completed = body;
  for (const Node::Entry& entry : defaults.fields) {
    const bool used = IsPartOfName(type, entry.key) || IsIdKey(type, entry.key);
    if (used && !IsGiven(body.Find(entry.key))) Put(completed, entry.key, entry.value);
  }
  return completed.fields.size() == body.fields.size() ? made : WithFullName(type, completed);
}

std::optional<std::string> MakeImportId(const manifests::TerraformType& type,
                                        const std::string& full_name, const std::string& id,
                                        const Node& defaults) {
  const std::size_t blank = std::min(id.find(' '), id.size());
  Node target = MapNode(defaults.at);
  Put(target, "name", TextNode(id.substr(0, blank), defaults.at));
  const auto full = WithFullName(type, target, defaults);
  const Node* named = full ? full->Find("name") : nullptr;
  if (named == nullptr || named->text != full_name) return std::nullopt;
  return full_name + id.substr(blank);
}

}  // namespace bindery::convert
