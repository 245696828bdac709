#include "access/places.h"

#include <string_view>

namespace bindery::access {
namespace {

constexpr std::string_view kProjects = "projects/";

}  // namespace

std::string ContainerInName(const std::string& name) {
  for (const std::string_view collection : {"projects/", "folders/", "organizations/"}) {
    if (!name.starts_with(collection)) continue;
    return name.substr(0, name.find('/', collection.size()));
  }
  return {};
}

Places::Places(const std::vector<InventoryContainer>& containers) {
  for (const InventoryContainer& container : containers) {
    containers_.emplace(container.name, container);
    if (!container.number.empty()) by_number_.emplace(container.number, container.name);
  }
}

std::string Places::GetName(const std::string& place) const {
  const auto found = by_number_.find(place);
  return found == by_number_.end() ? place : found->second;
}

const InventoryContainer* Places::Find(const std::string& place) const {
  const auto found = containers_.find(GetName(place));
  return found == containers_.end() ? nullptr : &found->second;
}

std::string Places::GetNumber(const std::string& place) const {
  const InventoryContainer* container = Find(place);
  if (container == nullptr || !container->number.starts_with(kProjects)) return {};
  return container->number.substr(kProjects.size());
}

std::string Places::GetNumberInName(const std::string& target) const {
  const std::string container = ContainerInName(target);
  std::string known = GetNumber(container);
  if (!known.empty() || !container.starts_with(kProjects)) return known;
  const std::string project = container.substr(kProjects.size());
  return project.find_first_not_of("0123456789") == std::string::npos ? project : std::string();
}

std::string Places::GetFolder(const std::string& place) const {
  const InventoryContainer* container = Find(place);
  const bool inside = container != nullptr && container->name.starts_with(kProjects);
  return inside && !container->parent.empty() ? container->parent : GetName(place);
}

std::string Places::GetParent(const std::string& place) const {
  const InventoryContainer* container = Find(place);
  return container == nullptr ? std::string() : container->parent;
}

std::string Places::ById(const std::string& name) const {
  const std::string container = ContainerInName(name);
  return container.empty() ? name : GetName(container) + name.substr(container.size());
}

}  // namespace bindery::access
