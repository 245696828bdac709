#include "app/daemon.h"

#include <algorithm>
#include <atomic>
#include <boost/asio/post.hpp>
#include <cstdio>
#include <exception>
#include <optional>
#include <random>
#include <utility>

#include "app/api_options.h"
#include "app/audit_feed.h"
#include "app/clouds.h"
#include "app/config_watch.h"
#include "app/daemon_settings.h"
#include "app/directory_manifests.h"
#include "app/early_signals.h"
#include "app/first_start.h"
#include "app/hardening.h"
#include "app/known_catalog.h"
#include "app/loop_control.h"
#include "app/memory.h"
#include "app/observe/run_observer.h"
#include "app/process_end.h"
#include "app/report_writer.h"
#include "app/request_desk.h"
#include "app/service_manager.h"
#include "app/span_export.h"
#include "app/standby.h"
#include "app/status_line.h"
#include "app/store_watch.h"
#include "app/stored_state.h"
#include "app/version.h"
#include "app/webhooks.h"
#include "core/work_pool.h"
#include "notify/notifier.h"
#include "server/api_server.h"
#include "store/store.h"

namespace bindery {
namespace {

class Daemon {
 public:
  Daemon(const RunState& state, const RunOptions& options)
      : state_(state),
        config_(state.config),
        options_(options),
        log_({.format = config_.logging.format,
              .level = config_.logging.level,
              .before_line = [this] { progress_.Clear(); }}),
        metrics_({KindNames(kinds_), kVersion, BuildCommit()}),
        observer_(log_, metrics_, clock_, progress_),
        engine_(kinds_, observer_.work(), std::random_device{}()),
        source_(config_.manifests, kinds_),
        config_watch_(options.config_file) {}

  /// Nothing is unwound when it throws: threads that work for it would be waited for.
  Expected<int> Run() {
    try {
      return Work();
    } catch (...) {
      EndNow(FailureText(std::current_exception()));
    }
  }

  /// Set when it ended because its store must be opened again.
  [[nodiscard]] const std::optional<StoreFault>& lost() const { return lost_; }
  [[nodiscard]] const Config& config() const { return config_; }

 private:
  Expected<int> Work() {
    source_.ListAhead();
    services_.Status("opening the store");
    if (auto usable = notify::CheckWebhooks(NotifierSettingsOf(config_)); !usable) {
      return Fail(usable.error());
    }
    auto store = TakeStore({config_, log_, metrics_, clock_, services_}, options_.once);
    if (!store) return Fail(store.error().Wrap("store"));
    if (*store == nullptr) return 0;
    store_ = std::move(*store);
    TakeLaterConfig(config_watch_, options_.config_file, state_.hardened, config_, log_);
    if (auto begun = BeginStore(); !begun) return Fail(begun.error());
    auto exporter = StartSpanExport(config_, log_, metrics_);
    if (!exporter) return Fail(exporter.error());
    spans_ = std::move(*exporter);
    observer_.work().TraceTo(spans_);
    Expected<Clouds> clouds = OpenClouds(config_, EmbeddedCloud::kServe, {&metrics_, spans_});
    if (!clouds) return Fail(clouds.error());
    clouds_ = std::move(*clouds);
    if (auto started = StartEngine(); !started) return Fail(started.error());

    Loop::Hooks hooks{[this] { Reload(); }, [this] { clouds_.Cancel(); }, [this] { Tick(); },
                      [this] { Stopping(); }};
    loop_.emplace(engine_, StorageOf(*store_), source_, clock_, observer_, LoopOptionsNow(),
                  std::move(hooks));
    control_.emplace(*loop_, LoopControl::Storage{*store_, *store_}, observer_, metrics_, clock_);
    control_->SetReportSettings(DriftSettingsOf(config_));
    if (auto served = StartServer(*control_); !served) return Fail(served.error());
    observer_.ConfigLoaded(true);
    // Whether every target was checked is for /readyz to say: a start that waits for clouds would
    // be given up by the service manager while they are away.
    loop_->Post([this](Engine& /*engine*/, const Now& /*now*/) {
      services_.Ready();
      // What came while it stood by or while the store was opened.
      if (TakeHeldEnd()) return loop_->Stop();
      if (TakeEarlyReload()) Reload();
    });

    StartReports();
    WatchStore();
    ServeReplicas();
    const bool clean = loop_->Run();
    request_desk_.reset();
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
    return CloseAll(options_.once ? ExitCodeOnce(reported) : 0);
  }

  /// In the order in which they depend on each other; what hangs is left behind.
  int CloseAll(int exit_code) {
    store_watch_.reset();
    if (lost_ && lost_->gone) PutBack(*store_, config_.store.file, log_);
    if (loop_->ScanAbandoned()) {
      log_.Error("a scan of the manifests directory does not end: the process ends without it");
      notifier_.reset();
      server_.reset();
      store_.reset();
      std::fflush(nullptr);
      ::_exit(lost_ ? 2 : exit_code);
    }
    control_.reset();
    loop_.reset();
    EndWithin(std::chrono::seconds(0));
    return exit_code;
  }

  /// With `once` there is nobody to come back for: a store that is lost fails what is left.
  void WatchStore() {
    StoreWatch::Told told;
    told.state = [this](const Error* fault) {
      observer_.health().StoreState(fault);
      metrics_.store.held.Set(store_->MayAct() ? 1 : 0);
    };
    told.writes_fail = [this] { return observer_.health().StoreWritesFail(); };
    told.lost = [this](const StoreFault& fault) {
      loop_->Post([this, fault](Engine& /*engine*/, const Now& /*now*/) {
        log_.Error("the store is lost: the daemon restarts itself",
                   {{"reason", fault.error.message}});
        lost_ = fault;
        HoldEnds();
        loop_->Stop();
      });
    };
    store_watch_ = std::make_unique<StoreWatch>(*store_, clock_, std::move(told));
    if (!options_.once) store_watch_->Start();
  }

  /// A report that somebody waits for and that is not there is an error as any other.
  [[nodiscard]] int ExitCodeOnce(bool reported) const {
    return reported ? observer_.ExitCode(engine_, options_.least) : 2;
  }

  void ServeReplicas() {
    auto inbox = store_->OpenInbox();
    if (inbox == nullptr || options_.once) return;
    request_desk_ = std::make_unique<RequestDesk>(std::move(inbox), *control_, log_);
  }

  Expected<void> BeginStore() {
    notifier_ = std::make_unique<notify::Notifier>(
        notify::Services{*store_, *store_, log_, metrics_.notifications, clock_});
    store_->OnCommit([this, wake = notifier_->Waker()](std::chrono::nanoseconds duration,
                                                       std::size_t /*changes*/) {
      observer_.health().StoreCommitted(duration);
      changes_.Raise();
      wake();
    });
    ConfigureNotifier();
    metrics_.store.usable.Set(1);
    metrics_.store.held.Set(1);
    metrics_.store.reopenings.RaiseTo(state_.reopenings);
    return TellOfOpening(*store_, log_, state_.lost);
  }

  void ConfigureNotifier() {
    const notify::NotifierSettings settings = NotifierSettingsOf(config_);
    for (const std::string& warning : notify::WebhookWarnings(settings)) log_.Warn(warning);
    notifier_->Configure(settings);
  }

  Expected<void> StartEngine() {
    LogSignIns(log_, clouds_.providers);
    engine_.SetSettings(EngineSettingsOf(config_, clouds_.providers.connections));
    engine_.SetConnections(clouds_.providers.connections);
    engine_.SetDates(clouds_.providers.dates);
    if (const auto before = store_->LastGeneration(); before && !*before) {
      WarnOfFirstStart(config_, log_);
    }
    if (auto loaded = LoadKnown(*store_, engine_.catalog(), source_); !loaded) return loaded;
    if (config_.store.InDatabase()) {
      auto older = store_->OlderGenerations();
      if (!older) return Fail(older.error());
      source_.RefuseOlder(std::move(*older));
    }
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

  /// With `once` there is one report, at the end.
  void StartReports() {
    reports_ =
        std::make_unique<ReportWriter>(ReportWriter::Storage{*store_, *store_}, log_, metrics_,
                                       clock_, ReportSettingsOf(config_, options_.once));
    audit_feed_ = std::make_unique<AuditFeed>(*store_, *store_, log_, metrics_, clock_,
                                              AuditFeedSettingsOf(config_));
    if (options_.once) return;
    audit_feed_->Start();
    observer_.OnPassOver([this](WallTime time) { reports_->Request(time); });
  }

  Expected<void> StartServer(Control& control) {
    observer_.Began(source_.watcher().mode() == WatchMode::kInotify, config_.reconcile.concurrency);
    LogStart(log_, config_, state_.hardened, clouds_);
    if (source_.watcher().mode() != WatchMode::kInotify) {
      log_.Warn("changes are noticed by rescans only", {{"reason", source_.watcher().reason()}});
    }
    if (options_.once) return {};
    Expected<std::unique_ptr<ApiServer>> server = ApiServer::Start(
        ApiOptionsOf(config_.server),
        {*store_, control, clock_, log_, changes_, config_.manifests.directory,
         [this](std::string_view reason) { metrics_.server_refusals.Increment({reason}); }});
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

  void Stopping() {
    services_.Stopping();
    if (options_.once) return;  // Somebody waits for this report, however long it takes.
    // What ends after the loop has seconds of its own; less than the unit's TimeoutStopSec allows.
    constexpr std::chrono::seconds kLongestEnd(20);
    EndWithin(std::chrono::ceil<std::chrono::seconds>(config_.reconcile.shutdown_timeout) +
              kLongestEnd);
  }

  void Tick() {
    ReloadIfChanged();
    observer_.work().activity().Sample(engine_, {clock_.Mono(), clock_.Wall()});
    observer_.TellOfPass(engine_);
    if (releases_.Due(observer_.loads().TakeLargeLoad()))
      boost::asio::post(reloads_, GiveBackMemory);
    store_watch_->LookAtWatch();
    if (!services_.listening()) return;
    services_.Alive();
    services_.Status(StatusLine(engine_, observer_.health().Checks()));
  }

  void ReloadIfChanged() {
    const ConfigWatch::News news = config_watch_.Look();
    if (news == ConfigWatch::News::kChanged) return Reload();
    if (news != ConfigWatch::News::kGone) return;
    log_.Error("the configuration file is gone; what it said stays in force",
               {{"file", options_.config_file.string()}});
    observer_.ConfigLoaded(false);
  }

  /// All or nothing: a configuration with one fault changes nothing.
  void Reload() {
    services_.Reloading(clock_.Mono());
    config_watch_.NoteRead();
    std::optional<Config> loaded = LoadConfigAgain(options_.config_file, log_);
    if (!loaded) return EndReload(false);
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
    WarnOfFixedSettings(log_, config_, config, state_.hardened);
    config_ = std::move(config);
    log_.SetLevel(config_.logging.level);
    log_.SetFormat(config_.logging.format);
    LogSignIns(log_, clouds_.providers);
    engine_.SetConnections(clouds_.providers.connections);
    engine_.SetDates(clouds_.providers.dates);
    engine_.SetSettings(EngineSettingsOf(config_, clouds_.providers.connections));
    control_->SetReportSettings(DriftSettingsOf(config_));
    loop_->SetOptions(LoopOptionsNow());
    reports_->Configure(ReportSettingsOf(config_, options_.once));
    audit_feed_->Configure(AuditFeedSettingsOf(config_));
    ConfigureNotifier();
    EndReload(true);
    log_.Info("configuration reloaded");
  }

  void EndReload(bool successful) {
    observer_.ConfigLoaded(successful);
    services_.Ready();
  }

  const RunState& state_;
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
  std::optional<StoreFault> lost_;  ///< The loop's thread's, while it runs.
  std::optional<Loop> loop_;
  std::optional<LoopControl> control_;
  std::unique_ptr<RequestDesk> request_desk_;  ///< Null where no other replica can be.
  std::unique_ptr<StoreWatch> store_watch_;
  MemoryReleases releases_;
  WorkPool reloads_{1};  ///< Signs in for a new configuration.
};

}  // namespace

Expected<int> RunDaemon(const Config& config, const RunOptions& options) {
  LimitAllocator();
  const Hardened hardened = Harden(config.server.hardening, WritableFolders(config));
  for (RunState state{config, hardened};;) {
    Daemon daemon(state, options);
    Expected<int> ended = daemon.Run();
    const std::optional<StoreFault> lost = daemon.lost();
    if (!lost || TakeHeldEnd()) return ended;
    state.config = daemon.config();
    state.lost = lost;
    ++state.reopenings;
  }
}

}  // namespace bindery
