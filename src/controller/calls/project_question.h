#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "cloud/connection.h"
#include "controller/placing/project_names.h"
#include "reconcilers/project_identity.h"

namespace bindery::controller {

struct WorkThreads;

/// A question to the service: the project of a number.
struct ProjectQuestion {
  ProjectNames::Question question;
  std::shared_ptr<const cloud::Connection> connection;  ///< Never null.
  std::chrono::milliseconds timeout{30'000};
};

/// Asks. Blocks. kPermissionDenied and kNotFound: it is not told to the caller.
[[nodiscard]] Expected<reconcilers::ProjectIdentity> AskForProject(const ProjectQuestion& question);

/// The same on a thread that may block; `answered` is called on the thread.
void AskForProject(const WorkThreads& threads, ProjectQuestion question,
                   std::function<void(Expected<reconcilers::ProjectIdentity>)> answered);

}  // namespace bindery::controller
