#include "app/daemon.h"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <random>
#include <thread>
#include <tuple>
#include <utility>

#include "app/api_options.h"
#include "app/audit_feed.h"
#include "app/clouds.h"
#include "app/config_watch.h"
#include "app/directory_manifests.h"
#include "app/first_start.h"
#include "app/fixed_settings.h"
#include "app/loop_control.h"
#include "app/observers.h"
#include "app/offline_catalog.h"
#include "app/report_writer.h"
#include "app/service_manager.h"
#include "app/span_export.h"
#include "app/status_line.h"
#include "app/stored_state.h"
#include "app/version.h"
#include "app/webhooks.h"
#include "notify/notifier.h"
#include "server/api_server.h"
#include "store/store.h"

namespace bindery {
namespace {

std::vector<std::string> KindNames(const Kinds& kinds) {
  std::vector<std::string> names;
  for (const auto& kind : kinds.all()) names.push_back(kind->schema().token.kind);
  return names;
}

LoopOptions LoopOptionsOf(const Config& config, bool once) {
  LoopOptions options;
  options.rescan_interval = config.manifests.rescan_interval;
  options.debounce = config.manifests.debounce;
  options.shutdown_timeout = config.reconcile.shutdown_timeout;
  options.retention_age = config.retention.events;
  options.retention_revisions = static_cast<std::size_t>(config.retention.revisions);
  options.once = once;
  return options;
}

class Daemon {
 public:
  Daemon(const Config& config, const RunOptions& options)
      : config_(config),
        options_(options),
        log_({.format = config.logging.format,
              .level = config.logging.level,
              .before_line = [this] { progress_.Clear(); }}),
        metrics_({KindNames(kinds_), kVersion, BuildCommit()}),
        observer_(log_, metrics_, clock_, progress_),
        engine_(kinds_, observer_, std::random_device{}()),
        source_(config.manifests, kinds_),
        config_watch_(options.config_file) {}

  Expected<int> Run() {
    source_.ListAhead();
    services_.Status("opening the store");
    if (auto usable = notify::CheckWebhooks(NotifierSettingsOf(config_)); !usable) {
      return Fail(usable.error());
    }
    if (auto opened = OpenStore(); !opened) return Fail(opened.error());
    auto exporter = StartSpanExport(config_, log_, metrics_);
    if (!exporter) return Fail(exporter.error());
    spans_ = std::move(*exporter);
    observer_.TraceTo(spans_);
    Expected<Clouds> clouds = OpenClouds(config_, EmbeddedCloud::kServe, {&metrics_, spans_});
    if (!clouds) return Fail(clouds.error());
    clouds_ = std::move(*clouds);
    if (auto started = StartEngine(); !started) return Fail(started.error());

    Loop::Hooks hooks{[this] { Reload(); }, [this] { clouds_.Cancel(); }, [this] { Tick(); },
                      [this] { services_.Stopping(); }};
    Loop loop(engine_, *store_, source_, clock_, observer_, LoopOptionsNow(), std::move(hooks));
    loop_ = &loop;
    LoopControl control(loop, *store_, observer_, metrics_, clock_);
    control_ = &control;
    control.SetConnections(clouds_.providers.connections);
    control.SetReportSettings(DriftSettingsOf(config_));
    if (auto served = StartServer(control); !served) return Fail(served.error());
    metrics_.ConfigReloaded(true, clock_.Wall());
    // Whether every target was checked is for /readyz to say: a start that waits for clouds would
    // be given up by the service manager while they are away.
    loop.Post([this](Engine& /*engine*/, const Now& /*now*/) { services_.Ready(); });

    StartReports();
    audit_feed_ = std::make_unique<AuditFeed>(*store_, log_, metrics_, clock_, AuditFeedSettings());
    if (!options_.once) audit_feed_->Start();
    const bool clean = loop.Run();
    clouds_.Cancel();
    reloads_.join();
    if (options_.once) {
      audit_feed_->ReadNow();
      reports_->Request(clock_.Wall());
    }
    const bool reported = reports_->Finish();
    audit_feed_.reset();
    // Of one pass, what it found is told before the end; a daemon tells it after its next start.
    if (options_.once) notifier_->Finish(config_.reconcile.shutdown_timeout);
    notifier_.reset();
    constexpr std::chrono::seconds kLastSpans(2);
    if (spans_ != nullptr) spans_->Stop(kLastSpans);
    log_.Info(clean ? "stopped" : "stopped; calls that did not end in time were abandoned");
    if (server_ != nullptr) server_->Stop(std::chrono::seconds(2));
    return options_.once ? ExitCodeOnce(reported) : 0;
  }

 private:
  /// A report that somebody waits for and that is not there is an error as any other.
  [[nodiscard]] int ExitCodeOnce(bool reported) const {
    return reported ? observer_.ExitCode(engine_, options_.least) : 2;
  }

  Expected<void> OpenStore() {
    Expected<std::unique_ptr<Store>> store =
        Store::Open(config_.store, Store::Access::kReadWrite, clock_);
    if (!store) return Fail(store.error().Wrap("store"));
    store_ = std::move(*store);
    notifier_ =
        std::make_unique<notify::Notifier>(notify::Services{*store_, log_, metrics_, clock_});
    store_->OnCommit([this, wake = notifier_->Waker()](std::chrono::nanoseconds duration,
                                                       std::size_t /*changes*/) {
      observer_.StoreCommitted(duration);
      changes_.Raise();
      wake();
    });
    ConfigureNotifier();
    if (const std::string damaged = store_->recovered_from(); !damaged.empty()) {
      const std::string message =
          "the store was damaged; it was set aside as " + damaged +
          " and a new one begun: policies are observed anew, earlier history is only in that file";
      log_.Error(message, {{"store", config_.store.string()}});
      StoreChange change;
      change.events.push_back(
          {clock_.Wall(), EventType::kWarning, "StoreRecovered", "", "", message, "bindery"});
      return store_->Apply(std::move(change));
    }
    return {};
  }

  void ConfigureNotifier() {
    const notify::NotifierSettings settings = NotifierSettingsOf(config_);
    for (const std::string& warning : notify::WebhookWarnings(settings)) log_.Warn(warning);
    notifier_->Configure(settings);
  }

  Expected<void> StartEngine() {
    LogSignIns();
    engine_.SetSettings(EngineSettingsOf(config_, clouds_.providers.connections));
    engine_.SetConnections(clouds_.providers.connections);
    engine_.SetDates(clouds_.providers.dates);
    if (auto loaded = LoadCatalog(); !loaded) return loaded;
    const Expected<StoredState> left = ReadStoredState(*store_, clock_.Wall());
    if (!left) return Fail(left.error());
    if (!left->intents.empty()) {
      log_.Warn("writes without an outcome are looked up first", {{"count", left->intents.size()}});
    }
    if (!left->rollbacks.empty()) {
      log_.Warn("rollbacks that were asked for go on", {{"count", left->rollbacks.size()}});
    }
    engine_.Start(*left, {clock_.Mono(), clock_.Wall()});
    return {};
  }

  /// Resources, and the files they were declared in, which then need not be read again. Each from a
  /// thread of its own: a start should take no longer than it must.
  Expected<void> LoadCatalog() {
    const auto generation = store_->LastGeneration();
    if (!generation) return Fail(generation.error());
    if (!*generation) WarnOfFirstStart(config_, log_);
    const bool same_rules =
        *generation && (*generation)->rules == engine_.catalog().settings().rules;
    std::vector<StoredFile> files;
    DigestSum sum;
    Expected<void> files_read;
    std::thread reader([&] {
      files_read = store_->ReadFiles([&](FileRecord&& record) {
        files.push_back(StoredFile::Of(std::move(record)));
        sum.Add(DigestOf(*files.back().content));
      });
    });
    Expected<void> loaded = bindery::LoadCatalog(*store_, engine_.catalog(), same_rules);
    reader.join();
    if (!loaded) return loaded;
    if (!files_read) return files_read;
    if (auto known = engine_.catalog().KnownFiles(std::move(files))) {
      source_.Seed(std::move(*known), sum);
    }
    return {};
  }

  [[nodiscard]] ReportWriter::Settings ReportSettings() const {
    // With `once` nothing else is to be done while somebody waits for the end.
    return {config_.reports, config_.reconcile.mode, config_.reconcile.EarliestExpiryWarning(),
            !config_.attribution.directory.empty(), !options_.once};
  }

  [[nodiscard]] AuditFeed::Settings AuditFeedSettings() const {
    return {config_.attribution, config_.retention.events};
  }

  /// With `once` there is one report, at the end.
  void StartReports() {
    reports_ = std::make_unique<ReportWriter>(*store_, log_, metrics_, clock_, ReportSettings());
    if (!options_.once) {
      observer_.OnPassOver([this](WallTime time) { reports_->Request(time); });
    }
  }

  void LogSignIns() {
    for (const auto& [provider, sign_in] : clouds_.providers.sign_ins) {
      log_.Info("provider ready",
                {{"provider", provider},
                 {"credentials", sign_in.kind},
                 {"source", sign_in.source},
                 {"account", sign_in.account},
                 {"project", clouds_.providers.connections.at(provider)->project}});
      for (const std::string& warning : sign_in.warnings) {
        log_.Warn(warning, {{"provider", provider}});
      }
    }
  }

  Expected<void> StartServer(Control& control) {
    metrics_.SetWatcherMode(source_.watcher().mode() == WatchMode::kInotify ? WatcherMode::kInotify
                                                                            : WatcherMode::kPoll);
    metrics_.SetMaxConcurrentReconciles(config_.reconcile.concurrency);
    log_.Info("bindery starts",
              {{"version", kVersion},
               {"commit", std::string(BuildCommit())},
               {"manifests", config_.manifests.directory.string()},
               {"store", config_.store.string()},
               {"embeddedCloud",
                clouds_.embedded == nullptr ? std::string("none") : clouds_.embedded->Url()}});
    if (source_.watcher().mode() != WatchMode::kInotify) {
      log_.Warn("changes are noticed by rescans only", {{"reason", source_.watcher().reason()}});
    }
    if (options_.once) return {};
    Expected<std::unique_ptr<ApiServer>> server =
        ApiServer::Start(ApiOptionsOf(config_.server),
                         {*store_, control, clock_, log_, changes_, config_.manifests.directory,
                          [this](std::string_view reason) { metrics_.ServerRefused(reason); }});
    if (!server) return Fail(server.error().Wrap("server"));
    server_ = std::move(*server);
    log_.Info("serving",
              {{"address", server_->Address()}, {"socket", config_.server.socket.string()}});
    return {};
  }

  /// A watchdog must hear of the loop in half the time it waits, whatever the heartbeat else is.
  [[nodiscard]] LoopOptions LoopOptionsNow() const {
    LoopOptions options = LoopOptionsOf(config_, options_.once);
    if (services_.watchdog()) {
      options.heartbeat = std::min(options.heartbeat, *services_.watchdog() / 2);
    }
    return options;
  }

  void Tick() {
    ReloadIfChanged();
    observer_.activity().Sample(engine_, {clock_.Mono(), clock_.Wall()});
    observer_.TellOfPass(engine_);
    GiveBackMemory();
    if (!services_.listening()) return;
    services_.Alive();
    services_.Status(StatusLine(engine_, observer_.Health()));
  }

  void ReloadIfChanged() {
    const ConfigWatch::News news = config_watch_.Look();
    if (news == ConfigWatch::News::kChanged) return Reload();
    if (news != ConfigWatch::News::kGone) return;
    log_.Error("the configuration file is gone; what it said stays in force",
               {{"file", options_.config_file.string()}});
    metrics_.ConfigReloaded(false, clock_.Wall());
  }

  /// What a large load took besides what it left is spread over the heap; the allocator gives it
  /// back only when asked. The first pass and the store's writer take their time after a load.
  void GiveBackMemory() {
    constexpr int kTimes = 6;
    if (observer_.TakeLargeLoad()) releases_left_ = kTimes;
    if (releases_left_ == 0) return;
    --releases_left_;
    boost::asio::post(reloads_, [] { ::malloc_trim(0); });
  }

  /// All or nothing: a configuration with one fault changes nothing.
  void Reload() {
    services_.Reloading(clock_.Mono());
    config_watch_.NoteRead();
    ConfigResult loaded = LoadConfig(options_.config_file);
    if (!loaded) {
      for (const ConfigProblem& problem : loaded.error()) log_.Error(problem.Text());
      log_.Error("the configuration has faults; the one before stays in force");
      return EndReload(false);
    }
    // Signing in may ask a metadata server: not on the loop's thread.
    boost::asio::post(reloads_, [this, config = std::move(*loaded)]() mutable {
      Expected<ConnectedProviders> providers = Connect(config);
      loop_->Post(
          [this, config = std::move(config), providers = std::move(providers)](
              Engine&, const Now&) mutable { TakeOver(std::move(config), std::move(providers)); });
    });
  }

  [[nodiscard]] Expected<ConnectedProviders> Connect(const Config& config) const {
    if (auto usable = notify::CheckWebhooks(NotifierSettingsOf(config)); !usable) {
      return Fail(usable.error());
    }
    return ConnectAll(config, clouds_);
  }

  void TakeOver(Config config, Expected<ConnectedProviders> providers) {
    if (!providers) {
      log_.Error("the configuration cannot be used; the one before stays in force",
                 {{"reason", ToString(providers.error())}});
      return EndReload(false);
    }
    clouds_.providers = std::move(*providers);
    for (const std::string& key : FixedSettingsThatDiffer(config_, config)) {
      log_.Warn("a changed setting takes effect at the next start", {{"key", key}});
    }
    config_ = std::move(config);
    log_.SetLevel(config_.logging.level);
    log_.SetFormat(config_.logging.format);
    LogSignIns();
    engine_.SetConnections(clouds_.providers.connections);
    engine_.SetDates(clouds_.providers.dates);
    engine_.SetSettings(EngineSettingsOf(config_, clouds_.providers.connections));
    control_->SetConnections(clouds_.providers.connections);
    control_->SetReportSettings(DriftSettingsOf(config_));
    loop_->SetOptions(LoopOptionsNow());
    reports_->Configure(ReportSettings());
    audit_feed_->Configure(AuditFeedSettings());
    ConfigureNotifier();
    EndReload(true);
    log_.Info("configuration reloaded");
  }

  void EndReload(bool successful) {
    metrics_.ConfigReloaded(successful, clock_.Wall());
    services_.Ready();
  }

  Config config_;
  RunOptions options_;
  SystemClock clock_;
  ProgressBar progress_{"checking", clock_, ProgressBar::StandardError()};
  Kinds kinds_;
  Logger log_;
  Metrics metrics_;
  RunObserver observer_;
  Engine engine_;
  DirectoryManifests source_;
  ConfigWatch config_watch_;
  ChangeSignal changes_;  ///< Of the store, to the server.
  std::unique_ptr<Store> store_;
  std::shared_ptr<SpanExporter> spans_;  ///< Null where nothing is exported.
  std::unique_ptr<notify::Notifier> notifier_;
  Clouds clouds_;
  std::unique_ptr<ReportWriter> reports_;
  std::unique_ptr<AuditFeed> audit_feed_;
  std::unique_ptr<ApiServer> server_;
  ServiceManager services_;
  Loop* loop_ = nullptr;
  LoopControl* control_ = nullptr;
  int releases_left_ = 0;                ///< Of memory, after a large load.
  boost::asio::thread_pool reloads_{1};  ///< Signs in for a new configuration.
};

}  // namespace

Expected<int> RunDaemon(const Config& config, const RunOptions& options) {
  // An arena a thread would leave each with memory of its own that no other uses again. With one
  // fewer the threads that share a load would have to share an arena too, and wait for each other.
  constexpr int kArenas = 5;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): before there are threads
  ::mallopt(M_ARENA_MAX, kArenas);
  // Left to itself the allocator keeps at the end of each arena twice as much as the largest block
  // it ever gave back, up to 64 MiB: one long report, and it stays. This is what it begins with.
  constexpr int kKept = 128 << 10;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): before there are threads
  ::mallopt(M_TRIM_THRESHOLD, kKept);
  return Daemon(config, options).Run();
}

}  // namespace bindery
