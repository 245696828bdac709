#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "cloud/policy_call.h"
#include "core/expected.h"

namespace bindery {

/// A project of Google's: both name it.
struct ProjectIdentity {
  std::string id;
  std::string number;
};

/// The service that tells both.
inline constexpr const char* kResourceManager = "cloudresourcemanager";

/// Asks the resource manager which project has that id or number: one request, not sent yet.
[[nodiscard]] Expected<PolicyCall> ReadingProject(const std::string& base_url,
                                                  const std::string& id_or_number,
                                                  std::chrono::milliseconds timeout);

/// What the body of a good answer says.
[[nodiscard]] Expected<ProjectIdentity> UnderstandProject(const PolicyCall& call,
                                                          const std::string& body);

/// "projects/12345/…": the number, or empty where the name has none.
[[nodiscard]] std::string ProjectNumberOf(std::string_view name);

}  // namespace bindery
