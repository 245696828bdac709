// The projects and folders of a seed.

#include <string>
#include <utility>

#include "emulator/google/containers.h"
#include "emulator/seed_nodes.h"

namespace bindery::emulator {
namespace {

using yaml::Node;
using yaml::NodeKind;

/// "folders/1" or "organizations/1"; empty: none is given.
std::string ReadParent(const Node& item) {
  std::string parent = Field(item, {"parent"}, false);
  const bool container = parent.starts_with("folders/") || parent.starts_with("organizations/");
  if (!parent.empty() && (!container || ContainerIn(parent) != parent)) {
    FaultAt(item, "parent: \"" + parent + "\" is no folder such as folders/1 and no organization");
  }
  return parent;
}

}  // namespace

/// The service tells ids and numbers apart by their form.
Entry ReadProject(const Node& item) {
  NeedKind(item, NodeKind::kMap, "projects");
  RefuseUnknown(item, {"id", "number", "parent"});
  const std::string id = Field(item, {"id"}, true);
  const std::string number = Field(item, {"number"}, false);
  const auto digits = [](const std::string& text) {
    return text.find_first_not_of("0123456789") == std::string::npos;
  };
  if (digits(id)) FaultAt(item, "id: \"" + id + "\" is a number");
  if (!digits(number)) FaultAt(item, "number: \"" + number + "\" is not a number");
  Json value = {{"id", id}};
  if (!number.empty()) value["number"] = number;
  if (std::string parent = ReadParent(item); !parent.empty()) value["parent"] = std::move(parent);
  return {std::string(section::kProjects), id, std::move(value)};
}

Entry ReadFolder(const Node& item) {
  NeedKind(item, NodeKind::kMap, "folders");
  RefuseUnknown(item, {"name", "parent"});
  const std::string name = Field(item, {"name"}, true);
  if (!name.starts_with("folders/") || ContainerIn(name) != name) {
    FaultAt(item, "name: \"" + name + "\" is no folder such as folders/1");
  }
  Json value = {{"name", name}};
  if (std::string parent = ReadParent(item); !parent.empty()) value["parent"] = std::move(parent);
  return {std::string(section::kFolders), name, std::move(value)};
}

}  // namespace bindery::emulator
