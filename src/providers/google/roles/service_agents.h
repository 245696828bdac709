#pragma once

#include <optional>
#include <string>

#include "reconcilers/kind.h"

namespace bindery::google {

/// Whether Google makes the grant by itself, with the sort; nothing: no.
///
/// A service agent in the role from Google, mostly a …serviceAgent role. Google grants the role
/// once; a service without the role stays broken until somebody grants it again. The member is
/// matched as a whole, in any universe.
///
/// A default account (Compute Engine, App Engine, Google APIs, Firebase) in the role that Google
/// grants it with the project. Other roles of default accounts are nothing of Google's.
///
/// An account whose number or id is that of another project, folder or organization than the
/// target's is neither; a project's accounts are that on folders, organizations and billing
/// accounts. Where the number of the target's project is to be told by the service
/// (`project_number` is empty), any number counts as its own.
///
/// kUnknownAgent: the member looks like an agent, but its owner or its service is unknown: a
/// "gcp-sa-" domain outside of the table; an agent of an organization on a project; an agent on a
/// bucket, whose name contains no project.
///
/// Pure; any thread.
[[nodiscard]] std::optional<reconcilers::KeptAs> GrantedByGoogle(const Grant& grant,
                                                                 const std::string& target,
                                                                 const std::string& project_number);

/// A service agent or a default account, of whatever project, or what looks like a new agent.
[[nodiscard]] bool IsOfGoogle(const std::string& principal);

/// As DiffRules::keeps.
[[nodiscard]] std::optional<reconcilers::KeptAs> KeepGrantsOfGoogle(
    const Grant& grant, const reconcilers::Desired& desired);

}  // namespace bindery::google
