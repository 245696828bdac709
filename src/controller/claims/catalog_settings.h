#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "controller/claims/resource_entry.h"
#include "core/settings/accepted_drift.h"
#include "core/settings/protected_principals.h"
#include "core/settings/target_rules.h"
#include "reconcilers/matched_target.h"

namespace bindery::controller {

/// The part of the configuration that decides the desired state of a target.
struct CatalogSettings {
  Mode mode = Mode::kEnforce;
  bool keep_undeclared = false;  ///< On targets for which no rule says otherwise.
  /// Likewise, as Desired::report_undeclared, for all kinds.
  bool report_undeclared = false;
  /// Several manifests may declare a role, each with a different condition (`reconcile.bindingKey:
  /// roleAndCondition`).
  bool key_by_condition = false;
  TargetRules target_rules = {};
  std::shared_ptr<const ProtectedPrincipals> protected_principals = {};  ///< As in Desired.
  std::string rules;                                        ///< As GenerationRecord::rules.
  std::shared_ptr<const SeverityRules> severities = {};     ///< As Desired::severities.
  std::shared_ptr<const AcceptedDriftRules> accepted = {};  ///< May be null.
  std::map<std::string, std::string> projects;  ///< Provider name to its default project.
  /// Provider name to provider type; a manifest without a provider gets the provider with the name
  /// of the type.
  std::map<std::string, std::string> provider_types;

  /// The treatment of undeclared roles on the target. `kind` writes it; null:
  /// unknown.
  [[nodiscard]] UndeclaredRoles UndeclaredOn(const Target& target,
                                             const reconcilers::Kind* kind) const {
    if (const auto set = GetRule(target, kind, &TargetRule::undeclared_roles)) return *set;
    if (report_undeclared) return UndeclaredRoles::kReport;
    const bool keeps = keep_undeclared || (kind != nullptr && kind->traits().keeps_undeclared);
    return keeps ? UndeclaredRoles::kKeep : UndeclaredRoles::kRemove;
  }
  /// The setting of a rule for the target; nothing: no rule has the setting.
  template <typename Value>
  [[nodiscard]] std::optional<Value> GetRule(const Target& target, const reconcilers::Kind* kind,
                                             std::optional<Value> TargetRule::*setting) const {
    if (target_rules.empty()) return std::nullopt;
    return FindSetting(target_rules, reconcilers::MatchTarget(target, kind), setting);
  }
  /// The rules about undeclared grants under conditions.
  [[nodiscard]] std::vector<ConditionalRule> ListConditionalRules(
      const Target& target, const reconcilers::Kind* kind) const {
    if (target_rules.empty()) return {};
    return bindery::ListConditionalRules(target_rules, reconcilers::MatchTarget(target, kind));
  }
  /// The mode of the resource: its own mode, or the global mode.
  [[nodiscard]] Mode GetMode(const ResourceEntry& entry) const {
    return entry.options().mode.value_or(mode);
  }
  /// Empty where the provider has none.
  [[nodiscard]] std::string DefaultProject(const std::string& provider) const {
    const auto project = projects.find(provider);
    return project == projects.end() ? std::string() : project->second;
  }
  bool operator==(const CatalogSettings&) const = default;
};

}  // namespace bindery::controller
