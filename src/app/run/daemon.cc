#include "app/run/daemon.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <utility>

#include "app/check/first_start.h"
#include "app/clouds/clouds.h"
#include "app/clouds/span_export.h"
#include "app/clouds/webhooks.h"
#include "app/directory/directory_manifests.h"
#include "app/directory/known_catalog.h"
#include "app/directory/stored_state.h"
#include "app/observe/run_telemetry.h"
#include "app/process/early_signals.h"
#include "app/process/hardening.h"
#include "app/process/memory.h"
#include "app/process/process_end.h"
#include "app/process/status_line.h"
#include "app/process/witness_file.h"
#include "app/replicas/standby.h"
#include "app/run/config_reloads.h"
#include "app/run/daemon_settings.h"
#include "app/run/opened_store.h"
#include "app/run/reporting.h"
#include "app/run/running_loop.h"
#include "app/run/scan_desk.h"
#include "app/settings/api_options.h"
#include "controller/outbox/recheck_schedule.h"
#include "core/base/work_pool.h"
#include "server/api_server.h"
#include "store/ports/store.h"

namespace bindery::app {
namespace {

/// The steps after the loop have seconds of their own; less than the unit's TimeoutStopSec allows.
constexpr std::chrono::seconds kLongestEnd(20);
/// The same for later destruction.
constexpr std::chrono::seconds kLongestWayOut(10);

/// What answers requests. The server goes before what it asks.
struct Serving {
  std::unique_ptr<ScanDesk> scans;
  std::unique_ptr<server::ApiServer> server;
};

class Daemon {
 public:
  /// Keeps the configuration in force in `state`, which outlives the object.
  explicit Daemon(RunState& state)
      : state_(state),
        run_(state.config, KindNames(kinds_), state.options.quiet),
        engine_(kinds_, run_.observer.work(), std::random_device{}()),
        source_(config().manifests, kinds_),
        reloads_(options().config_file, run_, background_,
                 {[this](const config::Config& config) { return Connect(config); },
                  [this](config::Config config, ConnectedProviders providers) {
                    TakeOver(std::move(config), std::move(providers));
                  },
                  [this](std::function<void()> task) { PostToLoop(std::move(task)); }}) {}

  /// Nothing is unwound after an exception: unwinding would wait for worker threads.
  Expected<int> Run() {
    try {
      return Work();
    } catch (...) {
      EndNow(FailureText(std::current_exception()));
    }
  }

  /// Set when the daemon ended because the store must be opened again.
  [[nodiscard]] std::optional<store::StoreFault> lost() const {
    return opened_ != nullptr ? opened_->lost() : std::nullopt;
  }

 private:
  /// Requires: the store and the engine. Due targets go to the loop, which comes later.
  void MakeScans() {
    serving_.scans = std::make_unique<ScanDesk>(ScanDesk::Parts{
        opened_->get(), run_.clock, run_.log, run_.metrics.drift.registry,
        [this](std::vector<std::string> names) {
          loop_->control().Execute(server::command::Reconcile{std::move(names)}, "scan",
                                   [](const Expected<Json>&) {});
        },
        [this](controller::HintedTargets hinted) {
          loop_->loop().Post([hinted = std::move(hinted)](controller::Engine& engine,
                                                          const controller::Now& /*now*/) {
            engine.schedule().recheck().SetHints(hinted, engine.catalog().claims().targets());
          });
        }});
    ConfigureScans();
    boost::asio::post(background_, [this] { serving_.scans->Measure(); });
  }

  [[nodiscard]] report::DriftSettings ServedReports() const {
    report::DriftSettings settings = MakeDriftSettings(config());
    // Reports may be asked for before the scans are ready.
    settings.unmanaged = [this] {
      return serving_.scans == nullptr ? nullptr : serving_.scans->Unmanaged();
    };
    return settings;
  }

  /// Opens the store, and waits for the lease if replicas share the store. False: the wait ended
  /// without the lease.
  Expected<bool> OpenTheStore() {
    // While the store is opened. What was listed before a wait for the lease would be outdated.
    const bool at_once = !config().store.InDatabase();
    if (at_once) source_.ListAhead();
    run_.services.Status("opening the store");
    if (auto usable = notify::CheckWebhooks(MakeNotifierSettings(config())); !usable) {
      return Fail(usable.error());
    }
    auto store =
        TakeStore({config(), run_.log, run_.metrics, run_.clock, run_.services, state_.witness},
                  options().once);
    if (!store) return Fail(store.error().Wrap("store"));
    if (*store == nullptr) return false;
    if (!at_once) source_.ListAhead();
    opened_ = std::make_unique<OpenedStore>(std::move(*store), run_, state_.witness);
    TakeLaterConfig(reloads_.watch(), options().config_file, state_.hardened, state_.config,
                    run_.log);
    if (auto begun = BeginStore(); !begun) return Fail(begun.error());
    return true;
  }

  Expected<int> Work() {
    const Expected<bool> open = OpenTheStore();
    if (!open) return Fail(open.error());
    if (!*open) return 0;
    auto exporter = StartSpanExport(config(), run_.log, run_.metrics);
    if (!exporter) return Fail(exporter.error());
    run_.spans = std::move(*exporter);
    run_.observer.work().TraceTo(run_.spans);
    Expected<Clouds> clouds =
        OpenClouds(config(), EmbeddedCloud::kServe,
                   {&run_.metrics, run_.spans, [this] { run_.observer.work().hours().Called(); }});
    if (!clouds) return Fail(clouds.error());
    clouds_ = std::move(*clouds);
    if (auto started = StartEngine(); !started) return Fail(started.error());
    MakeScans();
    MakeLoop();
    if (auto served = StartServer(loop_->control()); !served) return Fail(served.error());
    run_.observer.ConfigLoaded(true);
    // Whether every target was checked is for /readyz to say: a start that waits for clouds would
    // be given up by the service manager while they are away.
    PostToLoop([this] {
      run_.services.Ready();
      // Signals during the standby, or during the opening of the store.
      if (TakeHeldEnd()) return loop_->loop().Stop();
      if (TakeEarlyReload()) reloads_.Load();
    });

    reporting_->Start(config());
    WatchStore();
    if (!options().once) loop_->WorkWithReplicas(config().reconcile.share_checks);
    // A requested end stays requested if the store is lost afterwards.
    HoldEnds();
    const bool clean = loop_->Run();
    clouds_.Cancel();
    run_.observer.work().hours().Finish(engine_, Moment(), store().hours());
    serving_.scans->End();
    background_.join();
    bool reported = true;
    if (options().once) {
      reported = reporting_->FinishOnce(config());
    } else {
      reporting_->Stop();
    }
    constexpr std::chrono::seconds kLastSpans(2);
    if (run_.spans != nullptr) run_.spans->Stop(kLastSpans);
    run_.log.Info(clean ? "stopped" : "stopped; calls that did not end in time were abandoned");
    constexpr std::chrono::milliseconds kLastAnswers(500);
    if (serving_.server != nullptr) serving_.server->Stop(kLastAnswers);
    return CloseAll(options().once ? ExitCodeOnce(reported) : 0);
  }

  /// In the order of dependencies; hanging parts are left behind.
  int CloseAll(int exit_code) {
    opened_->Close(config().store.file);
    if (loop_->loop().ScanAbandoned()) {
      run_.log.Info("a scan of the manifests is under way: the process ends without it");
      const bool store_lost = lost().has_value();
      serving_.server.reset();
      opened_.reset();
      std::fflush(nullptr);
      ::_exit(store_lost ? 2 : exit_code);
    }
    loop_.reset();
    EndWithin(std::chrono::seconds(0));
    return exit_code;
  }

  void MakeLoop() {
    controller::Loop::Hooks hooks{[this] { reloads_.Load(); }, [this] { clouds_.Cancel(); },
                                  [this] { Tick(); }, [this] { Stopping(); }};
    loop_.emplace(engine_, store(), source_, run_, LoopOptionsNow(), std::move(hooks));
    loop_->control().SetReportSettings(ServedReports());
  }

  void PostToLoop(std::function<void()> task) {
    loop_->loop().Post([task = std::move(task)](controller::Engine& /*engine*/,
                                                const controller::Now& /*now*/) { task(); });
  }

  /// With `once` there is nobody to come back for: a store that is lost fails the rest.
  void WatchStore() {
    const auto restart = [this](const store::StoreFault& fault) {
      PostToLoop([this, fault] {
        run_.log.Error("the store is lost: the daemon restarts itself",
                       {{"reason", fault.error.message}});
        opened_->Lose(fault);
        loop_->loop().Stop();
      });
    };
    opened_->Watch(restart, /*look=*/!options().once);
  }

  /// A missing report that a caller waits for is an ordinary error.
  [[nodiscard]] int ExitCodeOnce(bool reported) const {
    return reported ? run_.observer.ExitCode(engine_, options().least) : 2;
  }

  Expected<void> BeginStore() {
    reporting_ =
        std::make_unique<Reporting>(store(), run_, options().once, ServedReports().unmanaged);
    opened_->TellOfCommits(reporting_->Waker(), state_.reopenings);
    reporting_->Configure(config());
    return TellOfOpening(store(), run_.log, state_.lost);
  }

  Expected<void> StartEngine() {
    LogSignIns(run_.log, clouds_.providers);
    engine_.SetSettings(MakeEngineSettings(config(), clouds_.providers.connections));
    engine_.SetConnections(clouds_.providers.connections);
    engine_.SetDates(clouds_.providers.dates);
    if (const auto before = store().LastGeneration(); before && !*before) {
      WarnOfFirstStart(config(), run_.log);
    }
    auto known = LoadKnown(store(), engine_.catalog(), OtherWriter::kNone);
    if (!known) return Fail(known.error());
    if (*known) source_.Seed(std::move((*known)->files), (*known)->sum);
    if (config().store.InDatabase()) {
      auto older = store().OlderGenerations();
      if (!older) return Fail(older.error());
      source_.RefuseOlder(std::move(*older));
    }
    const Expected<controller::StoredState> left = ReadStoredState(store(), run_.clock.Wall());
    if (!left) return Fail(left.error());
    if (!left->intents.empty()) {
      run_.log.Warn("writes without an outcome are looked up first",
                    {{"count", left->intents.size()}});
    }
    if (!left->rollbacks.empty()) {
      run_.log.Warn("rollbacks that were asked for go on", {{"count", left->rollbacks.size()}});
    }
    engine_.Start(*left, Moment());
    return {};
  }

  Expected<void> StartServer(server::Control& control) {
    run_.observer.Began(source_.watcher().mode() == manifests::WatchMode::kInotify,
                        config().reconcile.concurrency);
    LogStart(run_.log, config(), state_.hardened, clouds_);
    if (source_.watcher().mode() != manifests::WatchMode::kInotify) {
      run_.log.Warn("changes are noticed by rescans only",
                    {{"reason", source_.watcher().reason()}});
    }
    if (options().once) return {};
    Expected<std::unique_ptr<server::ApiServer>> server = server::ApiServer::Start(
        MakeApiOptions(config().server),
        {store(), control, run_.clock, run_.log, opened_->changes(), config().manifests.directory,
         [this](std::string_view reason) { run_.metrics.server_refusals.Increment({reason}); },
         serving_.scans.get(), &store().hours()});
    if (!server) return Fail(server.error().Wrap("server (server.listen, server.socket)"));
    serving_.server = std::move(*server);
    run_.log.Info("serving", {{"address", serving_.server->Address()},
                              {"socket", config().server.socket.string()}});
    return {};
  }

  /// A watchdog must hear of the loop in half the time it waits, whatever the heartbeat else is.
  [[nodiscard]] controller::LoopOptions LoopOptionsNow() const {
    controller::LoopOptions loop = MakeLoopOptions(config(), options().once);
    if (run_.services.watchdog()) {
      loop.heartbeat = std::min(loop.heartbeat, *run_.services.watchdog() / 2);
    }
    return loop;
  }

  void Stopping() {
    run_.services.Stopping();
    if (options().once) return;  // Somebody waits for this report, however long it takes.
    EndWithin(std::chrono::ceil<std::chrono::seconds>(config().reconcile.shutdown_timeout) +
              kLongestEnd);
  }

  void Tick() {
    reloads_.LoadIfChanged();
    run_.observer.work().activity().Sample(engine_, Moment());
    run_.observer.work().hours().Sample(engine_, Moment(), store().hours());
    run_.observer.TellOfPass(engine_);
    if (run_.observer.loads().MemoryReleaseDue()) boost::asio::post(background_, GiveBackMemory);
    opened_->LookAtWatch();
    if (!options().once) serving_.scans->Tick();
    if (!run_.services.listening()) return;
    run_.services.Alive();
    run_.services.Status(StatusLine(engine_, run_.observer.health().Checks()));
  }

  [[nodiscard]] Expected<ConnectedProviders> Connect(const config::Config& config) const {
    if (auto usable = notify::CheckWebhooks(MakeNotifierSettings(config)); !usable) {
      return Fail(usable.error());
    }
    return ConnectAll(config, clouds_);
  }

  void TakeOver(config::Config config, ConnectedProviders providers) {
    clouds_.providers = std::move(providers);
    WarnOfFixedSettings(run_.log, state_.config, config, state_.hardened);
    state_.config = std::move(config);
    run_.log.SetLevel(state_.config.logging.level);
    run_.log.SetFormat(state_.config.logging.format);
    LogSignIns(run_.log, clouds_.providers);
    engine_.SetConnections(clouds_.providers.connections);
    engine_.SetDates(clouds_.providers.dates);
    engine_.SetSettings(MakeEngineSettings(state_.config, clouds_.providers.connections));
    loop_->control().SetReportSettings(ServedReports());
    loop_->loop().SetOptions(LoopOptionsNow());
    reporting_->Configure(state_.config);
    ConfigureScans();
  }

  void ConfigureScans() {
    const auto& connections = clouds_.providers.connections;
    serving_.scans->Configure(config(), connections,
                              MakeEngineSettings(config(), connections).catalog);
    boost::asio::post(background_, [this] { serving_.scans->PlanAhead(); });
  }

  [[nodiscard]] controller::Now Moment() const { return {run_.clock.Mono(), run_.clock.Wall()}; }
  [[nodiscard]] const config::Config& config() const { return state_.config; }
  [[nodiscard]] const RunOptions& options() const { return state_.options; }
  [[nodiscard]] store::Store& store() const { return opened_->get(); }

  RunState& state_;
  providers::Kinds kinds_;
  RunTelemetry run_;
  controller::Engine engine_;
  DirectoryManifests source_;
  std::unique_ptr<OpenedStore> opened_;
  std::unique_ptr<Reporting> reporting_;
  Clouds clouds_;
  Serving serving_;
  std::optional<RunningLoop> loop_;
  ConfigReloads reloads_;
  WorkPool background_{1};  ///< Signs in for a new configuration, and gives memory back.
};

}  // namespace

Expected<int> RunDaemon(const config::Config& config, const RunOptions& options) {
  LimitAllocator();
  const Hardened hardened = Harden(config.server.hardening, WritableFolders(config));
  const auto witness = std::make_shared<store::StoreWitness>(WitnessFile(config));
  for (RunState state{config, hardened, options, {}, 0, witness};;) {
    Daemon daemon(state);
    Expected<int> ended = daemon.Run();
    const std::optional<store::StoreFault> lost = daemon.lost();
    if (!lost || TakeHeldEnd()) {
      EndWithin(kLongestWayOut);
      return ended;
    }
    state.lost = lost;
    ++state.reopenings;
  }
}

}  // namespace bindery::app
