#pragma once

#include <map>
#include <memory>
#include <string>

#include "controller/resource_entry.h"

namespace bindery {

/// The part of the configuration that decides what a target should be.
struct CatalogSettings {
  Mode mode = Mode::kEnforce;
  bool keep_undeclared = false;
  /// Of one role several manifests may declare each its own condition (`reconcile.bindingKey:
  /// roleAndCondition`).
  bool key_by_condition = false;
  std::string rules;                                     ///< As GenerationRecord::rules.
  std::shared_ptr<const SeverityRules> severities = {};  ///< As Desired::severities.
  std::map<std::string, std::string> projects;           ///< Provider name to its default project.
  /// Provider name to its type; a manifest that names none gets the one named like the type.
  std::map<std::string, std::string> provider_types;

  /// Roles that no manifest declares stay on the targets of that kind; null: of an unknown kind.
  [[nodiscard]] bool KeepsUndeclared(const Kind* kind) const {
    return keep_undeclared || (kind != nullptr && kind->traits().keeps_undeclared);
  }
  /// The mode of that resource: its own, or the one of all.
  [[nodiscard]] Mode ModeOf(const ResourceEntry& entry) const {
    return entry.options().mode.value_or(mode);
  }
  /// Empty where the provider has none.
  [[nodiscard]] std::string DefaultProject(const std::string& provider) const {
    const auto project = projects.find(provider);
    return project == projects.end() ? std::string() : project->second;
  }
  bool operator==(const CatalogSettings&) const = default;
};

}  // namespace bindery
