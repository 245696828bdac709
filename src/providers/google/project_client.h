#pragma once

#include <chrono>
#include <string>

#include "cloud/policy_call.h"
#include "core/expected.h"
#include "reconcilers/project_identity.h"

namespace bindery {

/// The service that tells both names of a project.
inline constexpr const char* kResourceManager = "cloudresourcemanager";

/// Asks the resource manager which project has that id or number: one request, not sent yet.
[[nodiscard]] Expected<PolicyCall> ReadingProject(const std::string& base_url,
                                                  const std::string& id_or_number,
                                                  std::chrono::milliseconds timeout);

/// What the body of a good answer says.
[[nodiscard]] Expected<ProjectIdentity> UnderstandProject(const PolicyCall& call,
                                                          const std::string& body);

}  // namespace bindery
