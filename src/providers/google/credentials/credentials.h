#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cloud/authorizer.h"
#include "cloud/transport.h"
#include "core/base/clock.h"
#include "core/base/expected.h"

namespace bindery::google {

/// What signing in to Google's clouds needs. Only `transport` must be given.
struct GoogleCredentialSettings {
  std::shared_ptr<cloud::Transport> transport;
  /// Looks up an environment variable; empty: the environment of the process.
  std::function<std::optional<std::string>(const std::string&)> variable = {};
  std::shared_ptr<const Clock> clock = {};  ///< Null: the system's.
  /// The project that calls are counted to: wins over GOOGLE_CLOUD_QUOTA_PROJECT, which wins over
  /// `quota_project_id` of the credential file.
  std::string quota_project = {};
  std::vector<std::string> scopes = {"https://www.googleapis.com/auth/cloud-platform"};
  /// Waits between two attempts to reach a token endpoint; empty: sleeps until the
  /// credentials are destroyed.
  std::function<void(std::chrono::milliseconds)> wait = {};
  /// The firmware's name of the machine: Google's machines have a metadata server.
  std::string machine_name_file = "/sys/class/dmi/id/product_name";
};

/// A way to sign in that was found. No member holds a secret but `authorizer`.
struct GoogleCredentials {
  /// Gets a token with the first request, and the next one in time. Puts `Authorization` and, with
  /// a quota project, `X-Goog-User-Project` on requests.
  std::shared_ptr<cloud::Authorizer> authorizer;
  std::string kind;     ///< For people: "service account key", "metadata server", …
  std::string source;   ///< The path of the file, or the URL of the metadata server.
  std::string account;  ///< An e-mail address, where it is known.
  std::string project;  ///< The default project; may be empty.
  std::string quota_project;
  std::string universe_domain;        ///< "googleapis.com" but for sovereign clouds.
  std::vector<std::string> warnings;  ///< One line each: a key that others can read.
};

/// Credentials from a JSON file of type service_account, authorized_user, external_account or
/// impersonated_service_account. The file is read now, and again for a later token when it has
/// changed; nothing is sent yet.
///
/// kUnauthenticated when the file cannot be read, kInvalidArgument naming the field when it is
/// wrong, kUnimplemented for kinds that are not supported, with what to use instead.
[[nodiscard]] Expected<GoogleCredentials> GoogleCredentialsFromFile(
    const std::string& path, const GoogleCredentialSettings& settings);

/// Application Default Credentials, in the documented order: the file
/// GOOGLE_APPLICATION_CREDENTIALS names; gcloud's
/// application_default_credentials.json in CLOUDSDK_CONFIG, else in ~/.config/gcloud;
/// the metadata server, unless NO_GCE_CHECK=true. Asks the metadata server, which may
/// take ten seconds if none exists. kUnauthenticated, with the ways to give one, if
/// none exists.
[[nodiscard]] Expected<GoogleCredentials> ApplicationDefaultCredentials(
    const GoogleCredentialSettings& settings);

/// Fills in the default project and the quota project in the documented order, `credentials` having
/// what their source says, and sends the quota project along. For tokens from elsewhere, which say
/// nothing of projects; the functions above do it themselves.
[[nodiscard]] GoogleCredentials WithProjects(GoogleCredentials credentials,
                                             const GoogleCredentialSettings& settings);

/// Also puts `X-Goog-User-Project` on requests that have none; `authorizer` itself when `project`
/// is empty.
[[nodiscard]] std::shared_ptr<cloud::Authorizer> WithQuotaProject(
    std::shared_ptr<cloud::Authorizer> authorizer, std::string project);

}  // namespace bindery::google
