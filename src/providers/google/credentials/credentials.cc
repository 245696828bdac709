#include "providers/google/credentials/credentials.h"

#include <sys/stat.h>

#include <cstdlib>
#include <utility>

#include "providers/google/credentials/credential_file.h"
#include "providers/google/credentials/metadata_server.h"
#include "providers/google/credentials/token_authorizer.h"

namespace bindery::google {
namespace {

std::optional<std::string> ProcessVariable(const std::string& name) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here sets variables
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::make_optional<std::string>(value);
}

/// Settings with everything in place that may be left out.
struct Setup {
  explicit Setup(const GoogleCredentialSettings& settings)
      : variable(settings.variable ? settings.variable : &ProcessVariable),
        quota_project(settings.quota_project),
        machine_name_file(settings.machine_name_file) {
    context.transport = settings.transport;
    context.clock = settings.clock ? settings.clock : std::make_shared<const SystemClock>();
    context.wait = [stop = stop, wait = settings.wait](std::chrono::milliseconds time) {
      if (!wait) return stop->WaitFor(time);
      wait(time);
      return !stop->stopped();
    };
    context.scopes = settings.scopes;
  }

  /// Empty when not set; an empty value counts as not set.
  [[nodiscard]] std::string Variable(const std::string& name) const {
    return variable(name).value_or("");
  }

  TokenContext context;
  /// Ends the waits of `context` when the objects made of it are destroyed.
  std::shared_ptr<Interruption> stop = std::make_shared<Interruption>();
  MetadataServer::Variable variable;
  std::string quota_project;
  std::string machine_name_file;
};

std::string TakeFirst(std::initializer_list<std::string> candidates) {
  for (const std::string& candidate : candidates) {
    if (!candidate.empty()) return candidate;
  }
  return "";
}

GoogleCredentials CompleteProjects(const Setup& setup, GoogleCredentials credentials) {
  credentials.project = TakeFirst({setup.Variable("GOOGLE_CLOUD_PROJECT"),
                                   setup.Variable("GCLOUD_PROJECT"), credentials.project});
  credentials.quota_project =
      TakeFirst({setup.quota_project, setup.Variable("GOOGLE_CLOUD_QUOTA_PROJECT"),
                 credentials.quota_project});
  credentials.authorizer =
      WithQuotaProject(std::move(credentials.authorizer), credentials.quota_project);
  return credentials;
}

/// Adds the common parts of all ways. `credentials` has the particular parts.
GoogleCredentials Complete(const Setup& setup, GoogleCredentials credentials,
                           std::unique_ptr<TokenSource> tokens) {
  credentials.authorizer = TokenAuthorizer(std::move(tokens), setup.context.clock, setup.stop);
  return CompleteProjects(setup, std::move(credentials));
}

Expected<GoogleCredentials> FromFile(const std::string& path, const Setup& setup) {
  auto loaded = LoadCredentialFile(path, setup.context);
  if (!loaded) return Fail(std::move(loaded.error()));
  GoogleCredentials credentials;
  credentials.kind = loaded->parsed.kind;
  credentials.source = path;
  credentials.account = loaded->parsed.account;
  credentials.project = loaded->parsed.project;
  credentials.quota_project = loaded->quota_project;
  credentials.universe_domain = loaded->universe_domain;
  if (!loaded->warning.empty()) credentials.warnings.push_back(loaded->warning);
  return Complete(setup, std::move(credentials),
                  FollowCredentialFile(path, std::move(*loaded), setup.context));
}

/// Where gcloud keeps what `gcloud auth application-default login` made; empty without a home.
std::string GcloudFile(const Setup& setup) {
  constexpr const char* kName = "/application_default_credentials.json";
  const std::string folder = setup.Variable("CLOUDSDK_CONFIG");
  if (!folder.empty()) return folder + kName;
  const std::string home = setup.Variable("HOME");
  return home.empty() ? "" : home + "/.config/gcloud" + kName;
}

bool Exists(const std::string& path) {
  struct stat status {};
  return !path.empty() && ::stat(path.c_str(), &status) == 0;
}

bool SaysTrue(const std::string& text) { return text == "true" || text == "True" || text == "1"; }

GoogleCredentials FromMetadata(const MetadataServer& server, const Setup& setup) {
  GoogleCredentials credentials;
  credentials.kind = "metadata server";
  credentials.source = server.url();
  // None of these must exist: a pod may start before its metadata server does.
  credentials.account = server.Read("instance/service-accounts/default/email").value_or("");
  credentials.project = server.Read("project/project-id").value_or("");
  credentials.universe_domain = server.Read("universe/universe-domain").value_or(kDefaultUniverse);
  return Complete(setup, std::move(credentials), server.Tokens());
}

tl::unexpected<Error> NothingFound(const std::string& gcloud_file, const std::string& metadata) {
  const std::string looked_for =
      gcloud_file.empty() ? "" : " (there is no \"" + gcloud_file + "\")";
  return Fail(
      Code::kUnauthenticated,
      "no Google credentials were found: set GOOGLE_APPLICATION_CREDENTIALS to the path of a "
      "credential file, or name one in the provider's configuration, or run "
      "`gcloud auth application-default login`" +
          looked_for + ", or run on Google Cloud with a service account attached (" + metadata +
          ")");
}

}  // namespace

Expected<GoogleCredentials> GoogleCredentialsFromFile(const std::string& path,
                                                      const GoogleCredentialSettings& settings) {
  return FromFile(path, Setup(settings));
}

Expected<GoogleCredentials> ApplicationDefaultCredentials(
    const GoogleCredentialSettings& settings) {
  constexpr const char* kVariable = "GOOGLE_APPLICATION_CREDENTIALS";
  const Setup setup(settings);
  if (const std::string path = setup.Variable(kVariable); !path.empty()) {
    auto found = FromFile(path, setup);
    if (!found) return Fail(found.error().Wrap(kVariable));
    return found;
  }
  const std::string gcloud_file = GcloudFile(setup);
  if (Exists(gcloud_file)) return FromFile(gcloud_file, setup);
  if (SaysTrue(setup.Variable("NO_GCE_CHECK"))) {
    return NothingFound(gcloud_file, "the metadata server is not asked: NO_GCE_CHECK is set");
  }
  const auto server = MetadataServer::FromVariables(setup.context, setup.variable);
  if (!server) return Fail(server.error());
  if (!server->Answers() && !IsGoogleHardware(setup.machine_name_file)) {
    return NothingFound(gcloud_file, "the metadata server " + server->url() + " does not answer");
  }
  return FromMetadata(*server, setup);
}

GoogleCredentials WithProjects(GoogleCredentials credentials,
                               const GoogleCredentialSettings& settings) {
  return CompleteProjects(Setup(settings), std::move(credentials));
}

}  // namespace bindery::google
