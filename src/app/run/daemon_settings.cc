#include "app/run/daemon_settings.h"

#include "app/process/version.h"
#include "app/settings/fixed_settings.h"

namespace bindery::app {

std::vector<std::string> KindNames(const providers::Kinds& kinds) {
  std::vector<std::string> names;
  for (const reconcilers::Kind* kind : kinds.InUse()) {
    if (!kind->schema().read_only) names.push_back(kind->traits().policy);
  }
  return names;
}

controller::Loop::Storage MakeStorage(store::Store& store) {
  return {store, [&store](const std::string& digest) { return store.Policy(digest); }};
}

controller::LoopOptions MakeLoopOptions(const config::Config& config, bool once) {
  controller::LoopOptions options;
  options.rescan_interval = config.manifests.rescan_interval;
  options.debounce = config.manifests.debounce;
  options.shutdown_timeout = config.reconcile.shutdown_timeout;
  options.retention_age = config.retention.events;
  options.retention_revisions = static_cast<std::size_t>(config.retention.revisions);
  options.once = once;
  return options;
}

ReportWriter::Settings MakeReportSettings(const config::Config& config, bool once) {
  // With `once` nothing else is to be done while somebody waits for the end.
  return {config.reports, config.reconcile.mode, config.reconcile.EarliestExpiryWarning(),
          !config.attribution.directory.empty(), !once};
}

AuditFeed::Settings MakeAuditFeedSettings(const config::Config& config) {
  return {config.attribution, config.retention.events};
}

void LogSignIns(telemetry::Logger& log, const ConnectedProviders& providers) {
  for (const auto& [provider, sign_in] : providers.sign_ins) {
    log.Info("provider ready", {{"provider", provider},
                                {"credentials", sign_in.kind},
                                {"source", sign_in.source},
                                {"account", sign_in.account},
                                {"project", providers.connections.at(provider)->project}});
    for (const std::string& warning : sign_in.warnings) {
      log.Warn(warning, {{"provider", provider}});
    }
  }
}

void LogStart(telemetry::Logger& log, const config::Config& config, const Hardened& hardened,
              const Clouds& clouds) {
  std::string parts;
  for (const std::string& part : hardened.in_force) parts += (parts.empty() ? "" : ",") + part;
  log.Info(
      "bindery starts",
      {{"version", kVersion},
       {"commit", std::string(BuildCommit())},
       {"manifests", config.manifests.directory.string()},
       {"store", config.store.Shown()},
       {"embeddedCloud", clouds.embedded == nullptr ? std::string("none") : clouds.embedded->Url()},
       {"hardening", parts.empty() ? std::string("none") : parts}});
  for (const std::string& missing : hardened.missing) {
    log.Warn("hardening that was asked for is not in force", {{"reason", missing}});
  }
}

void WarnOfFixedSettings(telemetry::Logger& log, const config::Config& in_force,
                         const config::Config& wanted, const Hardened& hardened) {
  if (hardened.writes_are_confined && wanted.reports.directory != in_force.reports.directory) {
    log.Warn("a new folder can be written after the next start only (hardening.landlock)",
             {{"key", "reports.directory"}});
  }
  if (wanted.kinds_differ) {
    log.Warn("changed kinds take effect at the next start", {{"key", "kinds"}});
  }
  for (const std::string& key : FixedSettingsThatDiffer(in_force, wanted)) {
    log.Warn("a changed setting takes effect at the next start", {{"key", key}});
  }
}

std::optional<config::Config> LoadConfigAgain(const std::filesystem::path& file,
                                              telemetry::Logger& log) {
  config::ConfigResult loaded = config::LoadConfig(file);
  if (loaded) return *std::move(loaded);
  for (const config::ConfigProblem& problem : loaded.error()) log.Error(problem.Text());
  log.Error("the configuration has faults; the one before stays in force");
  return std::nullopt;
}

void TakeLaterConfig(ConfigWatch& watch, const std::filesystem::path& file,
                     const Hardened& hardened, config::Config& config, telemetry::Logger& log) {
  if (!watch.IsOther()) return;
  watch.NoteRead();
  std::optional<config::Config> later = LoadConfigAgain(file, log);
  if (!later) return;
  WarnOfFixedSettings(log, config, *later, hardened);
  later->store = config.store;
  later->manifests = config.manifests;
  later->server = config.server;
  config = *std::move(later);
  log.SetLevel(config.logging.level);
  log.SetFormat(config.logging.format);
  log.Info("the configuration was changed while this replica stood by; it is in force now");
}

namespace {

/// Until an operator has answered, a store that may be older removes
/// nothing.
Expected<void> AskAboutOlder(const store::Store& store, const std::string& question,
                             store::StoreChange& change) {
  auto evidence = store.Evidence();
  if (!evidence) return Fail(std::move(evidence.error()));
  // A new store has nothing to remove.
  if (evidence->look == 0 || !evidence->question.empty()) return {};
  evidence->question = question;
  change.evidence = *std::move(evidence);
  return {};
}

}  // namespace

Expected<void> TellOfOpening(store::Store& store, telemetry::Logger& log,
                             const std::optional<store::StoreFault>& lost) {
  store::StoreChange change;
  const auto warn = [&](const char* reason, const std::string& message) {
    log.Error(message);
    change.events.push_back(
        {SystemClock().Wall(), EventType::kWarning, reason, "", "", message, "bindery"});
  };
  if (lost) warn("StoreReopened", lost->error.message + "; it was opened again");
  const std::string replaced =
      "the store is not as the last run left it: it may be an older state of it";
  if (store.replaced()) warn("StoreReplaced", replaced);
  if ((lost && lost->older) || store.replaced()) {
    const std::string& question = lost && lost->older ? lost->error.message : replaced;
    if (auto asked = AskAboutOlder(store, question, change); !asked) return asked;
  }
  if (const std::string damaged = store.recovered_from(); !damaged.empty()) {
    warn("StoreRecovered", "the store was damaged; it was set aside as " + damaged +
                               " and a new one begun: policies are read again, earlier history is "
                               "only in that file");
  }
  return change.events.empty() ? Expected<void>() : store.Apply(std::move(change));
}

void PutBack(store::StoreHealth& store, const std::filesystem::path& path, telemetry::Logger& log) {
  const Expected<bool> put_back = store.PutBack();
  if (!put_back) {
    log.Error("the store cannot be put back", {{"reason", ToString(put_back.error())}});
  } else if (*put_back) {
    log.Warn("the store was put back from what was still open", {{"store", path.string()}});
  }
}

}  // namespace bindery::app
