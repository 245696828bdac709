#include "emulator/google/containers.h"

#include <algorithm>

namespace bindery::emulator {
namespace {

constexpr std::string_view kOrganizations = "organizations/";

/// A seed may name a container as its own ancestor.
constexpr std::size_t kMostLevels = 32;

}  // namespace

bool IsContainerCollection(std::string_view text) {
  return text == "projects" || text == "folders" || text == "organizations";
}

std::string_view ContainerIn(std::string_view name) {
  const auto slash = name.find('/');
  if (slash == std::string_view::npos || !IsContainerCollection(name.substr(0, slash))) return {};
  const std::string_view container = name.substr(0, name.find('/', slash + 1));
  return container.size() > slash + 1 ? container : std::string_view();
}

void Containers::Seed(const std::string& name, const std::string& parent) {
  parents_[name] = parent;
  if (!parent.empty()) parents_.emplace(parent, "");
}

void Containers::NoteResource(std::string_view name) {
  const std::string container(ContainerIn(name));
  if (!container.empty() && container != "projects/-") parents_.emplace(container, "");
}

std::string Containers::OnlyOrganization() const {
  const auto first = parents_.lower_bound(std::string(kOrganizations));
  if (first == parents_.end() || !first->first.starts_with(kOrganizations)) return "";
  const auto second = std::next(first);
  const bool one = second == parents_.end() || !second->first.starts_with(kOrganizations);
  return one ? first->first : "";
}

std::string Containers::GetParent(const std::string& name) const {
  if (name.starts_with(kOrganizations)) return "";
  const auto found = parents_.find(name);
  if (found == parents_.end()) return "";
  return found->second.empty() ? OnlyOrganization() : found->second;
}

std::vector<std::string> Containers::ListAncestors(const std::string& name) const {
  std::vector<std::string> ancestors;
  std::string parent = GetParent(name);
  while (!parent.empty() && ancestors.size() < kMostLevels) {
    ancestors.push_back(parent);
    parent = GetParent(parent);
  }
  return ancestors;
}

bool Containers::LiesIn(const std::string& name, const std::string& scope) const {
  if (name == scope) return true;
  const std::vector<std::string> ancestors = ListAncestors(name);
  return std::find(ancestors.begin(), ancestors.end(), scope) != ancestors.end();
}

std::vector<std::string> Containers::All() const {
  std::vector<std::string> names;
  names.reserve(parents_.size());
  for (const auto& [name, parent] : parents_) names.push_back(name);
  return names;
}

}  // namespace bindery::emulator
