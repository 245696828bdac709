#pragma once

#include <chrono>
#include <string>

#include "cloud/policy_call.h"
#include "core/base/expected.h"
#include "reconcilers/project_identity.h"

namespace bindery::google {

/// The service that tells both names of a project.
inline constexpr const char* kResourceManager = "cloudresourcemanager";

/// Asks the resource manager for the project of an id or number: one request, not sent yet.
[[nodiscard]] Expected<cloud::PolicyCall> ReadingProject(const std::string& base_url,
                                                         const std::string& id_or_number,
                                                         std::chrono::milliseconds timeout);

/// The content of a good answer's body.
[[nodiscard]] Expected<reconcilers::ProjectIdentity> UnderstandProject(
    const cloud::PolicyCall& call, const std::string& body);

/// The service that tells both names of a service account.
inline constexpr const char* kIam = "iam";

/// Asks for the service account of a unique id: one request, not sent yet. `by_number` is
/// "projects/P/serviceAccounts/ID"; P may be "-".
[[nodiscard]] Expected<cloud::PolicyCall> ReadingAccount(const std::string& base_url,
                                                         const std::string& by_number,
                                                         std::chrono::milliseconds timeout);

/// The content of a good answer's body; kNotFound for a different account.
[[nodiscard]] Expected<reconcilers::ProjectIdentity> UnderstandAccount(
    const cloud::PolicyCall& call, const std::string& by_number, const std::string& body);

}  // namespace bindery::google
