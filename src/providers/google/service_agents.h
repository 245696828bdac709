#pragma once

#include <optional>
#include <string>

#include "reconcilers/kind.h"

namespace bindery {

/// Whether a grant is one that Google makes on its own, and which sort of it; nothing: it is not.
///
/// A service agent in the role that Google gives it, mostly a …serviceAgent role. Google grants it
/// once; a service that loses it stays broken until somebody grants it again. The member is matched
/// as a whole, in any universe.
///
/// A default account (Compute Engine, App Engine, Google APIs, Firebase) in the role that Google
/// grants it with the project. Other roles of default accounts are nothing of Google's.
///
/// An account whose number or id is that of another project, folder or organization than the
/// target's is neither; a project's accounts are that on folders, organizations and billing
/// accounts. Where the number of the target's project is to be told by the service
/// (`project_number` is empty), any number counts as its own.
///
/// kUnknownAgent: it looks like one of these, and whose it is, or of which service, is not known: a
/// "gcp-sa-" domain that is not in the table; an agent of an organization on a project; an agent on
/// a bucket, whose name tells no project.
///
/// Pure; any thread.
[[nodiscard]] std::optional<KeptAs> GrantedByGoogle(const Grant& grant, const std::string& target,
                                                    const std::string& project_number);

/// A service agent or a default account, of whatever project, or what looks like a new agent.
[[nodiscard]] bool IsOfGoogle(const std::string& principal);

/// As DiffRules::keeps.
[[nodiscard]] std::optional<KeptAs> KeepGrantsOfGoogle(const Grant& grant, const Desired& desired);

}  // namespace bindery
