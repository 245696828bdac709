#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attribution/audit_log.h"
#include "cloud/authorizer.h"
#include "cloud/connection.h"
#include "core/base/expected.h"
#include "core/settings/setting_key.h"
#include "providers/provider_config.h"
#include "reconcilers/kind.h"
#include "reconcilers/project_identity.h"

namespace bindery::providers {

class DeclaredKinds;
class KindTable;

/// How calls of a provider sign in, for people. Holds no secret.
struct SignInDescription {
  std::string kind;     ///< "service account key", "API and application key", …
  std::string source;   ///< A file, a URL, the environment; may be empty.
  std::string account;  ///< Who signs in, where that is known.
  std::vector<std::string> warnings;
  std::string remark = {};  ///< What `bindery check` adds; may be empty.
};

/// The result of signing in: the authorization of requests, and further facts of the credentials.
struct Credentials {
  std::shared_ptr<cloud::Authorizer> authorizer = cloud::NoCredentials();  ///< Never null.
  SignInDescription description;
  std::string project = {};
  std::string quota_project = {};
  std::string universe_domain = {};
  std::string principal = {};  ///< As Connection::principal.
};

/// The means of signing in.
struct SignInContext {
  std::shared_ptr<cloud::Transport> transport;
  std::function<void(std::chrono::milliseconds)> wait;  ///< Between two attempts.
};

/// The account behind a connection, where names of targets belong to one.
struct Account {
  std::string id;       ///< Equal for connections that reach the same account. May hold a secret.
  std::string service;  ///< Its base URL, for messages.
};

/// The address of a service that is not embedded.
struct ServiceAddress {
  std::string url;             ///< Without a trailing slash.
  double writes_a_second = 0;  ///< It is sent no more; 0: no limit.
};

/// The signed-in caller, by the service's own answer.
struct Caller {
  std::string description = {};  ///< For people: "user ana of organization x".
  /// Equal for callers of one account, whatever keys they use; empty for global names.
  std::string account = {};
};

/// The settings of one provider during their check. Keys are below "providers.NAME.".
class ProviderSettings {
 public:
  virtual ~ProviderSettings() = default;
  [[nodiscard]] virtual bool Given(std::string_view key) const = 0;
  /// A fault of the key was already reported: consequences would only be noise.
  [[nodiscard]] virtual bool Faulty(std::string_view key) const = 0;
  /// Reports the error of `key`; the place is that of `at`.
  virtual void Add(std::string_view at, std::string_view key, std::string message) = 0;
  void Add(std::string_view key, std::string message) { Add(key, key, std::move(message)); }
};

/// What differs between clouds and is the same for all kinds of one cloud. What differs between
/// kinds is in the rows of the kinds (KindTraits, KindSchema); how a cloud words its failures is
/// part of each call (PolicyCall::dialect).
///
/// One object per cloud, without state, that lives as long as the program: all functions may be
/// called by any thread, several at once. Only SignIn, AskForCaller and
/// AskForProject touch a network.
class Provider {
 public:
  Provider() = default;
  virtual ~Provider();
  Provider(const Provider&) = delete;
  Provider& operator=(const Provider&) = delete;

  /// The `type` in the configuration, and the name of the provider that manifests get by default.
  [[nodiscard]] virtual std::string_view type() const = 0;

  /// The permanent kinds, as new objects.
  [[nodiscard]] virtual std::vector<std::unique_ptr<reconcilers::Kind>> MakeKinds() const = 0;

  /// All further kinds; null: none.
  [[nodiscard]] virtual const KindTable* Table() const { return nullptr; }

  /// Additional kinds by users; null: none. At most one provider has such kinds.
  [[nodiscard]] virtual const DeclaredKinds* Declared() const { return nullptr; }

  // The configuration -----------------------------------------------------------------------------

  /// The settings of this type only.
  [[nodiscard]] virtual std::span<const Key<ProviderConfig>> SettingKeys() const = 0;
  /// Keys and sections that imply a real service, or a different emulator.
  [[nodiscard]] virtual std::span<const std::string_view> RemoteKeys() const = 0;
  /// Checks rules between keys, and completes defaults that depend on further keys.
  virtual void CheckSettings(ProviderConfig& config, ProviderSettings& settings) const = 0;
  /// The same for what only matters when the embedded cloud does not serve the provider.
  virtual void CheckRemoteSettings(ProviderConfig& /*config*/,
                                   ProviderSettings& /*settings*/) const {}

  // The connection to its services --------------------------------------------------------------

  /// The services with endpoints in a connection.
  [[nodiscard]] virtual std::vector<std::string> Services() const = 0;
  /// The embedded cloud serves the provider.
  [[nodiscard]] virtual bool HasEmbedded() const { return true; }
  [[nodiscard]] virtual ServiceAddress MakeAddress(const ProviderConfig& config,
                                                   const Credentials& credentials,
                                                   const std::string& service) const = 0;
  /// The base URL of a service that the embedded cloud at `url` serves.
  [[nodiscard]] virtual std::string EmbeddedUrl(const std::string& url,
                                                const std::string& /*service*/) const {
    return url;
  }
  /// The service is only asked for some manifests: a check of all endpoints leaves it out.
  [[nodiscard]] virtual bool IsAuxiliary(const std::string& /*service*/) const { return false; }

  /// Reads the credentials of a provider that is not embedded. May block for as long as a sign-in
  /// takes. kUnauthenticated with the ways to give credentials if none exists.
  [[nodiscard]] virtual Expected<Credentials> SignIn(const ProviderConfig& config,
                                                     const SignInContext& context) const = 0;

  /// The project that completes names, as far as it is known without signing in; empty if none
  /// exists.
  [[nodiscard]] virtual std::string OfflineProject(const ProviderConfig& config) const {
    return config.project;
  }

  /// The account that names of targets belong to; nothing where names are global, or where it
  /// cannot be told. Reads credential files.
  [[nodiscard]] virtual std::optional<Account> LookUpAccount(
      const cloud::Connection& /*connection*/) const {
    return std::nullopt;
  }

  /// Asks the service who signs in; empty where no such question exists. Blocks for `timeout` at
  /// most.
  [[nodiscard]] virtual Expected<Caller> AskForCaller(const cloud::Connection& /*connection*/,
                                                      std::chrono::milliseconds /*timeout*/) const {
    return Caller{};
  }

  /// Asks the service for a project, by number or by id, or for a service account, by its name with
  /// the unique id. Blocks for `timeout` at most. kPermissionDenied and kNotFound: it is not told
  /// to the caller.
  [[nodiscard]] virtual Expected<reconcilers::ProjectIdentity> AskForProject(
      const cloud::Connection& /*connection*/, const std::string& /*number*/,
      std::chrono::milliseconds /*timeout*/) const {
    return Fail(Code::kNotFound, "the provider has no projects");
  }

  /// How answers announce rate limits; null where they do not.
  [[nodiscard]] virtual cloud::RateLimitReader RateLimits() const { return nullptr; }

  // The audit log ------------------------------------------------------------------------------

  /// Without marks: no audit log is read.
  [[nodiscard]] virtual attribution::AuditLogReader AuditLog() const { return {}; }
};

/// "example.com": of lower-case letters, digits and '-', with a dot within.
[[nodiscard]] bool IsServiceDomain(std::string_view domain);

}  // namespace bindery::providers
