#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/access/inventory.h"

namespace bindery::access {

/// Organizations, folders and projects by all of their names. An unknown place keeps the requested
/// name.
class Places {
 public:
  explicit Places(const std::vector<InventoryContainer>& containers);

  /// "projects/acme" of "projects/415104041262", too.
  [[nodiscard]] std::string GetName(const std::string& place) const;
  /// "415104041262" of "projects/acme"; empty: unknown.
  [[nodiscard]] std::string GetNumber(const std::string& place) const;
  /// The number of the project in the name of a target, as the engine knows the number; empty: the
  /// name tells no project, as that of a bucket, or the number is unknown.
  [[nodiscard]] std::string GetNumberInName(const std::string& target) const;
  /// The folder or organization around the container; of folders and organizations their own name.
  [[nodiscard]] std::string GetFolder(const std::string& place) const;
  /// The container around the container; empty: none is known.
  [[nodiscard]] std::string GetParent(const std::string& place) const;
  /// "projects/acme/topics/orders" of "projects/415104041262/topics/orders".
  [[nodiscard]] std::string ById(const std::string& name) const;
  [[nodiscard]] bool Holds(const std::string& place) const { return Find(place) != nullptr; }

 private:
  [[nodiscard]] const InventoryContainer* Find(const std::string& place) const;

  std::map<std::string, InventoryContainer> containers_;  ///< By name.
  std::map<std::string, std::string> by_number_;
};

/// "projects/acme" of "projects/acme/topics/orders"; empty for names that begin with no container.
[[nodiscard]] std::string ContainerInName(const std::string& name);

}  // namespace bindery::access
