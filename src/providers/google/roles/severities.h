#pragma once

#include "core/settings/severity_rules.h"

namespace bindery::google {

/// Where a grant is made.
enum class GrantPlace {
  kLeaf,       ///< On one resource.
  kGuarding,   ///< On one resource that protects others, and whose policy is declared as a whole:
               ///< authorization policies and management servers of backups.
  kContainer,  ///< On an organization, a folder, a project or a billing account.
};

/// How bad it is when somebody holds more than is declared, by what the role lets its holder do, by
/// the member and the place; and how bad it is to lose a grant. docs/drift.md has the rule.
[[nodiscard]] const GrantSeverities& IamSeverities(GrantPlace place);

}  // namespace bindery::google
