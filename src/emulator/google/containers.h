#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bindery::emulator {

/// The organizations, folders and projects of the cloud, with their parents, by name:
/// "organizations/1", "folders/2", "projects/ID". A folder or project without a parent lies
/// directly below the organization if exactly one exists. Not thread-safe.
class Containers {
 public:
  /// `parent` may be empty: none is given.
  void Seed(const std::string& name, const std::string& parent);
  /// The container at the begin of a resource's name exists.
  void NoteResource(std::string_view name);
  void Clear() { parents_.clear(); }

  [[nodiscard]] bool Holds(const std::string& name) const { return parents_.contains(name); }
  /// Empty: the container has no parent.
  [[nodiscard]] std::string GetParent(const std::string& name) const;
  /// The nearest first, without the container itself.
  [[nodiscard]] std::vector<std::string> ListAncestors(const std::string& name) const;
  /// Whether the container is `scope` or lies below it.
  [[nodiscard]] bool LiesIn(const std::string& name, const std::string& scope) const;
  /// Sorted by name.
  [[nodiscard]] std::vector<std::string> All() const;

 private:
  [[nodiscard]] std::string OnlyOrganization() const;

  std::map<std::string, std::string> parents_;  ///< As seeded.
};

/// "projects", "folders" or "organizations".
[[nodiscard]] bool IsContainerCollection(std::string_view text);

/// "projects/acme" of "projects/acme/topics/t"; empty for a name without a container.
[[nodiscard]] std::string_view ContainerIn(std::string_view name);

}  // namespace bindery::emulator
