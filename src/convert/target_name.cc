#include "convert/target_name.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "convert/nodes.h"
#include "manifests/name_template.h"

namespace bindery {

using yaml::Node;
using yaml::NodeKind;

namespace {

bool IsIdKey(const TerraformType& type, std::string_view key) {
  return std::find(type.ids.begin(), type.ids.end(), key) != type.ids.end();
}

bool IsGiven(const Node* node) { return node != nullptr && node->kind != NodeKind::kNull; }

/// The argument of that name. Providers call some locations by narrower names.
const Node* FindArgument(const Node& body, const std::string& name) {
  std::vector<std::string> spellings = {name, name + "_id"};
  if (name == "location") spellings.insert(spellings.end(), {"region", "zone"});
  for (const std::string& spelling : spellings) {
    if (const Node* value = body.Find(spelling); IsGiven(value)) return value;
  }
  return nullptr;
}

bool IsPartOfName(const std::vector<std::string>& arguments, const std::string& key) {
  return std::ranges::any_of(arguments, [&](const std::string& name) {
    const bool place = name == "location" && (key == "region" || key == "zone");
    return key == name || key == name + "_id" || place;
  });
}

tl::expected<std::string, std::string> FullName(const TerraformType& type, const Node& body,
                                                const Node& id) {
  if (id.text.find('/') != std::string::npos && !type.name.ends_with("=**}")) return id.text;
  const auto value_of = [&](const std::string& variable, bool last) {
    const Node* value = last ? &id : FindArgument(body, variable);
    return value == nullptr ? nullptr : &value->text;
  };
  return FilledTemplate(type.name, value_of).map_error([](const std::string& missing) {
    return "neither a full resource name nor a \"" + missing + "\" is given";
  });
}

}  // namespace

tl::expected<Node, std::string> WithFullName(const TerraformType& type, const Node& body) {
  const std::vector<std::string> arguments = VariablesIn(type.name);
  Node rest = MapNode(body.at);
  const Node* id = nullptr;
  for (const Node::Entry& entry : body.fields) {
    if (IsIdKey(type, entry.key) && entry.value.kind == NodeKind::kString) {
      if (id != nullptr && id->text != entry.value.text) {
        return tl::unexpected("the resource is named twice, the second time by \"" + entry.key +
                              "\"");
      }
      id = &entry.value;
    } else if (!IsPartOfName(arguments, entry.key)) {
      rest.fields.push_back(entry);
    }
  }
  if (id == nullptr) return rest;
  const auto full = FullName(type, body, *id);
  if (!full) return tl::unexpected(full.error());
  Node name = *id;
  name.text = *full;
  rest.fields.insert(rest.fields.begin(), {"name", name.at, std::move(name)});
  return rest;
}

}  // namespace bindery
