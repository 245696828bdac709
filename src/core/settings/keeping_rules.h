#pragma once

#include <memory>

#include "core/settings/accepted_drift.h"
#include "core/settings/protected_principals.h"
#include "core/settings/target_rules.h"

namespace bindery {

/// The rules of the configuration by which undeclared grants stay.
struct KeepingRules {
  std::shared_ptr<const ProtectedPrincipals> protected_principals = {};  ///< Null: none.
  TargetRules targets = {};
  std::shared_ptr<const AcceptedDriftRules> accepted = {};  ///< Null: none.
};

}  // namespace bindery
