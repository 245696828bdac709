#include "app/check/preflight.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "app/check/database_preflight.h"
#include "app/check/groups_preflight.h"
#include "app/check/listener_preflight.h"
#include "app/check/store_preflight.h"
#include "app/check/tracing_preflight.h"
#include "app/check/zone_preflight.h"
#include "app/clouds/clouds.h"
#include "app/directory/offline_start.h"
#include "cloud/curl/ca_file.h"
#include "cloud/service_probe.h"
#include "core/base/work_pool.h"
#include "core/text/time_text.h"
#include "notify/endpoint.h"
#include "providers/registry/providers.h"
#include "report/text/text_style.h"

namespace bindery::app {
namespace {

using controller::CheckJob;
using report::CheckState;
using report::PreflightCheck;

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kTimeout(20);
constexpr std::size_t kConcurrency = 8;
constexpr std::size_t kStoreCheck = 1;  ///< Its place among the checks.

PreflightCheck Ok(std::string check, std::string subject, std::string message) {
  return {std::move(check), std::move(subject), CheckState::kOk, std::move(message), ""};
}

PreflightCheck Bad(CheckState state, std::string check, std::string subject, std::string message,
                   std::string action) {
  return {std::move(check), std::move(subject), state, std::move(message), std::move(action)};
}

/// What helps against an error of a call to a cloud.
std::string ActionForCallError(const Error& error) {
  switch (error.code) {
    case Code::kUnauthenticated:
    case Code::kPermissionDenied:
      return "see docs/providers.md for the credentials and permissions it takes";
    case Code::kUnavailable:
    case Code::kDeadlineExceeded:
      return "check the network, transport.proxy and transport.caFile";
    case Code::kResourceExhausted:
      return "wait, or set the provider's quota lower";
    default:
      break;
  }
  const std::string_view remedy = GetRemedy(error.code);
  return remedy.empty() ? "check the provider's endpoints" : std::string(remedy);
}

// Store and manifests ----------------------------------------------------------------------------

/// Reads directory and store as a pass would. Where the store cannot be read, which is said once
/// and of the store, the directory is looked at without it.
Expected<std::unique_ptr<controller::DryRun>> ReadAsFarAsPossible(
    const config::Config& config, const controller::EngineSettings& settings,
    const providers::Kinds& kinds, PreflightCheck& store) {
  const SystemClock clock;
  const auto read = [&](KnownBefore known) -> Expected<std::unique_ptr<controller::DryRun>> {
    auto run = std::make_unique<controller::DryRun>(kinds, settings,
                                                    controller::Now{clock.Mono(), clock.Wall()});
    if (auto started = StartOffline(config, kinds, known, *run); !started) {
      return Fail(started.error());
    }
    return run;
  };
  auto offline = read(KnownBefore::kFromStore);
  if (offline) return offline;
  auto alone = read(KnownBefore::kNothing);
  if (alone && store.state == CheckState::kOk) store = StoreProblem(config.store, offline.error());
  return alone;
}

PreflightCheck CheckManifests(const config::Config& config, const controller::DryRun& offline) {
  std::int64_t errors = 0;
  for (const store::ManifestProblemRecord& problem : offline.problems()) {
    if (problem.severity == "error") ++errors;
  }
  const controller::Claims& claims = offline.catalog().claims();
  const std::string subject = config.manifests.directory.string();
  const std::string found = report::Count(std::ssize(claims.resources()), "resource") + " on " +
                            report::Count(std::ssize(claims.targets()), "target");
  if (errors == 0) return Ok("manifests", subject, found);
  return Bad(CheckState::kFailed, "manifests", subject,
             found + ", " + report::Count(errors, "error"), "see bindery validate");
}

// Providers --------------------------------------------------------------------------------------

std::string DescribeSignIn(const ConnectedProvider& provider) {
  std::string text = provider.sign_in.kind;
  if (!provider.sign_in.source.empty()) text += " of " + provider.sign_in.source;
  if (!provider.sign_in.account.empty()) text += ", account " + provider.sign_in.account;
  if (!provider.connection->project.empty()) text += ", project " + provider.connection->project;
  if (!provider.sign_in.remark.empty()) text += "; " + provider.sign_in.remark;
  return text;
}

/// A second provider reaches the same account by different keys: only the service can tell.
std::optional<PreflightCheck> TwinCheck(const std::string& provider,
                                        const providers::Caller& caller,
                                        std::map<std::string, std::string>& accounts) {
  if (caller.account.empty()) return std::nullopt;
  const auto [twin, first] = accounts.try_emplace(caller.account, provider);
  if (first) return std::nullopt;
  return Bad(
      CheckState::kFailed, "credentials", provider,
      caller.description + ", as providers." + twin->second +
          ": what manifests declare through the one and through the other is written in turn",
      "keep one of the two providers");
}

/// Reads the credentials and gets a token if needed. `accounts`: the accounts reached so far, with
/// their providers.
void CheckCredentials(const providers::ProviderConfig& config, Clouds& clouds,
                      std::map<std::string, std::string>& accounts,
                      std::vector<PreflightCheck>& checks) {
  Expected<ConnectedProvider> provider = ConnectProvider(config, clouds);
  if (!provider) {
    checks.push_back(Bad(CheckState::kFailed, "credentials", config.name,
                         ToString(provider.error()), "see docs/providers.md"));
    return;
  }
  for (const std::string& warning : provider->sign_in.warnings) {
    checks.push_back(Bad(CheckState::kWarning, "credentials", config.name, warning,
                         "let only the daemon's user read it"));
  }
  cloud::HttpRequest request;
  if (auto authorized = provider->connection->authorizer->Authorize(request); !authorized) {
    checks.push_back(Bad(CheckState::kFailed, "credentials", config.name,
                         ToString(authorized.error()), "see docs/providers.md"));
    return;
  }
  std::string found = DescribeSignIn(*provider);
  const Expected<providers::Caller> caller =
      providers::ProviderOfType(config.type).AskForCaller(*provider->connection, kTimeout);
  if (!caller) {
    checks.push_back(Bad(CheckState::kFailed, "credentials", config.name,
                         found + ": " + ToString(caller.error()),
                         ActionForCallError(caller.error())));
    return;
  }
  if (!caller->description.empty()) found += ", " + caller->description;
  checks.push_back(
      TwinCheck(config.name, *caller, accounts).value_or(Ok("credentials", config.name, found)));
  clouds.providers.connections[config.name] = provider->connection;
}

PreflightCheck CheckServiceClock(const std::string& host, WallTime theirs,
                                 milliseconds round_trip) {
  constexpr seconds kNoticeable(30);
  constexpr seconds kTooMuch(300);
  const auto ours = std::chrono::system_clock::now() - round_trip / 2;
  const auto skew = std::chrono::duration_cast<seconds>(ours - theirs);
  const auto size = std::max(skew, -skew);
  const std::string text = "this machine's clock is " + FormatAge(size) +
                           (skew.count() < 0 ? " behind" : " ahead of") + " the service's";
  if (size < kNoticeable) return Ok("clock", host, "agrees with the service's");
  return Bad(size < kTooMuch ? CheckState::kWarning : CheckState::kFailed, "clock", host, text,
             "synchronise this machine's clock: signed requests are refused when it is off");
}

/// One request to each host of the provider that a manifest needs. `answers`: for each host,
/// whether it answered.
void CheckServices(const cloud::Connection& connection, const std::set<std::string>& needed,
                   std::map<std::string, bool>& answers, std::vector<PreflightCheck>& checks) {
  constexpr int kProxyLogin = 407;
  constexpr int kServerError = 500;
  for (const auto& [service, url] : connection.endpoints) {
    if (!needed.contains(service) || answers.contains(url)) continue;
    const auto probe = cloud::ProbeService(*connection.transport, service, url, kTimeout);
    answers[url] = probe.has_value();
    if (!probe) {
      checks.push_back(Bad(CheckState::kFailed, "reachability", url, ToString(probe.error()),
                           ActionForCallError(probe.error())));
      continue;
    }
    const std::string found = "answers in " + std::to_string(probe->duration.count()) + " ms";
    const int status = probe->status;
    const bool redirect = status >= 300 && status < 400;
    if (redirect || status == kProxyLogin || status >= kServerError) {
      checks.push_back(Bad(CheckState::kWarning, "reachability", url,
                           found + " with HTTP " + std::to_string(status),
                           redirect ? "something on the way sends requests elsewhere: check the "
                                      "endpoint and proxies"
                                    : "check the service's status page, and proxies on the way"));
    } else {
      checks.push_back(Ok("reachability", url, found));
    }
    if (probe->date) checks.push_back(CheckServiceClock(url, *probe->date, probe->duration));
  }
}

// Targets ----------------------------------------------------------------------------------------

bool Writes(const CheckJob& job) {
  if (job.kind->schema().read_only) return false;
  for (const controller::DeclaredClaim& claim : job.declared) {
    if (claim.treatment == reconcilers::ManagementPolicy::kEnforce ||
        claim.treatment == reconcilers::ManagementPolicy::kRemove)
      return true;
  }
  return false;
}

/// The declarations on each target, as if each had its turn; sorted.
std::vector<CheckJob> MakeJobs(const controller::Catalog& catalog,
                               const controller::Engine::Connections& connections) {
  std::vector<CheckJob> jobs;
  for (const auto& [key, target] : catalog.claims().targets()) {
    const auto connection = connections.find(target.provider.str());
    if (connection == connections.end() || target.kind == nullptr) continue;
    jobs.push_back(catalog.treatments().MakeJob(target, /*in_order=*/false));
    jobs.back().connection = connection->second;
  }
  std::ranges::sort(jobs, {}, &CheckJob::target);
  return jobs;
}

bool IsFrozen(const CheckJob& job) {
  return std::all_of(job.declared.begin(), job.declared.end(),
                     [](const controller::DeclaredClaim& claim) {
                       return claim.treatment == reconcilers::ManagementPolicy::kPause;
                     });
}

PreflightCheck CheckTarget(const CheckJob& job) {
  const std::string& name = job.target.name;
  if (IsFrozen(job)) return Ok("permissions", name, "suspended: not looked at");
  const bool writes = Writes(job);
  const auto missing = job.kind->MissingPermissions(*job.connection, name, writes, kTimeout);
  if (!missing && missing.error().code == Code::kUnimplemented) {
    return Ok("permissions", name, "not checked: " + missing.error().message);
  }
  if (!missing) {
    const bool passes = missing.error().code == Code::kResourceExhausted;
    return Bad(passes ? CheckState::kWarning : CheckState::kFailed, "permissions", name,
               ToString(missing.error()), ActionForCallError(missing.error()));
  }
  if (missing->empty()) {
    return Ok(
        "permissions", name,
        writes ? "none is known to be missing to read and write it" : "none is missing to read it");
  }
  return Bad(CheckState::kFailed, "permissions", name,
             fmt::format("missing {}", fmt::join(*missing, ", ")),
             "grant the account a role with these permissions, see docs/providers.md");
}

/// Without these permissions just-in-time access cannot be distinguished from imitations. Nothing
/// if the distinction is not needed.
std::optional<PreflightCheck> CheckJustInTime(const CheckJob& job) {
  const std::string& name = job.target.name;
  const reconcilers::JustInTimeService* service = job.kind->traits().just_in_time;
  const bool asked = service != nullptr && !IsFrozen(job) &&
                     job.connection->just_in_time == JustInTimeProof::kGrant;
  if (!asked) return std::nullopt;
  const auto missing = service->MissingPermissions(*job.connection, name, kTimeout);
  if (!missing || missing->empty()) return std::nullopt;
  return Bad(CheckState::kWarning, "just-in-time access", name,
             fmt::format("missing {}: what looks like access on request stays, unproven",
                         fmt::join(*missing, ", ")),
             "grant the account a role with these permissions, see docs/providers.md, or set "
             "justInTime.proof: form");
}

/// Of a host that does not answer, targets are not asked for: each would take as long again.
std::vector<CheckJob> Reachable(std::vector<CheckJob> jobs,
                                const std::map<std::string, bool>& answers,
                                std::vector<PreflightCheck>& checks) {
  std::map<std::string, std::int64_t> left_out;
  std::erase_if(jobs, [&](const CheckJob& job) {
    const std::string url = job.connection->BaseUrl(job.kind->traits().service);
    const auto found = answers.find(url);
    const bool away = found != answers.end() && !found->second;
    if (away) ++left_out[url];
    return away;
  });
  for (const auto& [url, count] : left_out) {
    checks.push_back(Bad(CheckState::kFailed, "permissions", url,
                         "not looked at: " + report::Count(count, "target"),
                         "run the check again when the service can be reached"));
  }
  return jobs;
}

void CheckTargets(const std::vector<CheckJob>& jobs, std::vector<PreflightCheck>& checks) {
  std::vector<PreflightCheck> found(jobs.size());
  std::vector<std::optional<PreflightCheck>> access(jobs.size());
  {
    WorkPool pool(kConcurrency);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      boost::asio::post(pool, [&jobs, &found, &access, i] {
        found[i] = CheckTarget(jobs[i]);
        if (found[i].state != CheckState::kFailed) access[i] = CheckJustInTime(jobs[i]);
      });
    }
    pool.join();
  }
  checks.insert(checks.end(), found.begin(), found.end());
  for (std::optional<PreflightCheck>& one : access) {
    if (one) checks.push_back(*std::move(one));
  }
}

std::set<std::string> ListServices(const std::vector<CheckJob>& jobs, const std::string& provider) {
  std::set<std::string> services;
  for (const CheckJob& job : jobs) {
    if (job.connection->provider == provider) {
      services.insert(job.kind->traits().service);
    }
  }
  return services;
}

/// Only their files: a message would be noticed. bindery notify test sends a message.
void CheckWebhooks(const config::Config& config, std::vector<PreflightCheck>& checks) {
  for (const auto& [name, webhook] : config.notifications.webhooks) {
    const auto endpoint = notify::ReadEndpoint(webhook);
    const auto authorities = cloud::CheckCaFile(webhook.ca_file.string());
    if (endpoint && authorities) {
      checks.push_back(Ok("webhook", name, endpoint->keys.empty() ? "not signed" : "signed"));
      continue;
    }
    const Error fault = endpoint ? authorities.error().Wrap("caFile") : endpoint.error();
    checks.push_back(Bad(CheckState::kFailed, "webhook", name, ToString(fault),
                         "correct what the message names"));
  }
}

}  // namespace

std::vector<PreflightCheck> Preflight(const config::Config& config) {
  std::vector<PreflightCheck> checks = {Ok("configuration", config.file.string(),
                                           report::Count(std::ssize(config.providers), "provider")),
                                        PreflightOfStore(config.store), PreflightOfZones()};
  if (config.store.InDatabase()) {
    std::ranges::move(PreflightOfDatabase(config.store.database), std::back_inserter(checks));
  }
  checks.push_back(PreflightOfListener(config.server));
  CheckWebhooks(config, checks);
  std::ranges::move(PreflightOfTracing(config.tracing), std::back_inserter(checks));
  Expected<Clouds> clouds = StartClouds(config, EmbeddedCloud::kPrivate);
  if (!clouds) {
    checks.push_back(Bad(CheckState::kFailed, "clouds", "", ToString(clouds.error()),
                         "correct what the message names"));
    return checks;
  }
  std::map<std::string, std::string> accounts;
  for (const auto& [name, provider] : config.providers) {
    CheckCredentials(provider, *clouds, accounts, checks);
  }

  const providers::Kinds kinds;
  const controller::EngineSettings settings =
      MakeEngineSettings(config, clouds->providers.connections);
  const auto offline = ReadAsFarAsPossible(config, settings, kinds, checks.at(kStoreCheck));
  std::vector<CheckJob> jobs;
  if (!offline) {
    checks.push_back(Bad(CheckState::kFailed, "manifests", config.manifests.directory.string(),
                         ToString(offline.error()), "correct manifests.directory, or make it"));
  } else {
    checks.push_back(CheckManifests(config, **offline));
    jobs = MakeJobs((*offline)->catalog(), clouds->providers.connections);
  }
  std::map<std::string, bool> answers;
  for (const auto& [name, connection] : clouds->providers.connections) {
    const std::set<std::string> needed = ListServices(jobs, name);
    if (needed.empty()) {
      checks.push_back(Ok("reachability", name, "not asked: no manifest uses it"));
    }
    CheckServices(*connection, needed, answers, checks);
  }
  std::ranges::move(PreflightOfGroups(config, *clouds, jobs), std::back_inserter(checks));
  CheckTargets(Reachable(std::move(jobs), answers, checks), checks);
  return checks;
}

}  // namespace bindery::app
