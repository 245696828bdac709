#pragma once

#include <optional>

#include "reconcilers/kind.h"

namespace bindery {

/// Whether a grant is one that Google makes on its own, and which sort of it; nothing: it is not.
///
/// A service agent in the role that Google gives it, mostly a …serviceAgent role. Google grants it
/// once; a service that loses it stays broken until somebody grants it again. The member is matched
/// as a whole.
///
/// A default account (Compute Engine, App Engine, Google APIs) in roles/editor, which Google grants
/// it with the project, or that of Cloud Build in roles/cloudbuild.builds.builder. Other roles of
/// default accounts are nothing of Google's.
///
/// An account whose number or id is that of another project, folder or organization than the
/// target's is neither. Where the number of the target's project is not known (`project_number` is
/// empty), any number counts as its own. Pure; any thread.
[[nodiscard]] std::optional<KeptAs> GrantedByGoogle(const Grant& grant, const std::string& target,
                                                    const std::string& project_number);

/// As DiffRules::keeps.
[[nodiscard]] std::optional<KeptAs> KeepGrantsOfGoogle(const Grant& grant, const Desired& desired);

}  // namespace bindery
