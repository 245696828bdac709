#include "controller/loop/loop.h"

#include <algorithm>
#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <optional>
#include <utility>

#include "controller/loop/action_runner.h"
#include "controller/loop/loop_shutdown.h"
#include "controller/loop/loop_timers.h"
#include "controller/loop/scan_loader.h"
#include "controller/loop/scan_runner.h"
#include "controller/outbox/recheck_schedule.h"
#include "telemetry/trace.h"

namespace bindery::controller {
namespace asio = boost::asio;
namespace {

using std::chrono::milliseconds;

/// `run --once` waits for targets with at most this number of failures in a row.
constexpr int kOncePatience = 3;
/// And for none that a service wants left alone for longer.
constexpr std::chrono::minutes kOnceLongestWait(2);

/// A scan that was begun is of no use at the end.
constexpr std::chrono::milliseconds kLastOfAScan(300);

}  // namespace

class Loop::Impl {
 public:
  /// The collaborators, which outlive the object.
  struct Parts {
    Engine& engine;
    ManifestSource& source;
    const Clock& clock;
    LoopObserver& observer;
  };

  Impl(const Parts& parts, Storage store, LoopOptions options, Hooks hooks)
      : engine_(parts.engine),
        clock_(parts.clock),
        options_(options),
        hooks_(std::move(hooks)),
        timers_(io_, clock_,
                {[this] { Pump(); }, [this] { LookWhenSettled(); }, [this] { Beat(); },
                 [this] { Retain(); },
                 [this, &observer = parts.observer] { observer.Progress(engine_); }}),
        loader_(engine_, parts.observer),
        actions_(
            {io_, engine_, store.writer, clock_, parts.observer, [this] { Pump(); }, hooks_.lend},
            std::move(store.policies)),
        scans_(io_, parts.source, clock_,
               [this](ScanRunner::Ended ended) { TakeScan(std::move(ended)); }) {}

  [[nodiscard]] bool ScanAbandoned() const { return scans_.busy(); }

  bool Run() {
    if (options_.once) engine_.schedule().recheck().EndRechecks();
    scans_.SetLimits({options_.debounce, options_.rescan_interval});
    signals_.add(SIGTERM);
    signals_.add(SIGINT);
    signals_.add(SIGHUP);
    WaitForSignal();
    scans_.Start();
    timers_.Start(options_.heartbeat);
    Pump();
    const auto keep_running = asio::make_work_guard(io_);
    io_.run();
    actions_.Join();
    scans_.Join();
    return shutdown_.clean();
  }

  void Stop() {
    asio::post(io_, [this] { BeginShutdown(); });
  }

  void Post(std::function<void(Engine&, const Now&)> task) {
    asio::post(io_, [this, task = std::move(task), trace = telemetry::CurrentTrace()] {
      {
        const telemetry::TraceScope scope(trace);
        task(engine_, Time());
      }
      Pump();
    });
  }

  void SetOptions(const LoopOptions& options) {
    options_ = options;
    timers_.SetHeartbeat(options.heartbeat);
    scans_.SetLimits({options.debounce, options.rescan_interval});
    // A changed default project or provider changes the meaning of the same files.
    loader_.Invalidate();
  }
  void RequestScan() { scans_.Scan(ScanMode::kSettled); }
  [[nodiscard]] MonoTime LastTurn() const { return MonoTime(MonoTime::duration(turn_.load())); }

 private:
  [[nodiscard]] Now Time() const { return {clock_.Mono(), clock_.Wall()}; }

  // Work ----------------------------------------------------------------------------------------

  void Pump() {
    turn_.store(clock_.Mono().time_since_epoch().count());
    while (!shutdown_.begun()) {
      Engine::Actions actions = engine_.Step(Time());
      if (actions.empty()) break;
      actions_.Run(std::move(actions));
    }
    if (shutdown_.begun()) {
      actions_.Run(engine_.DrainRecords());
      FinishShutdown();
      return;
    }
    timers_.NoteProgress();
    timers_.WakeBy(engine_.NextWake());
    timers_.SettleBy(engine_.removals().awaiting().NextLook(Time()));
    if (options_.once && OnceIsOver()) BeginShutdown();
  }

  void Beat() {
    if (const auto late = scans_.Overdue()) loader_.NoteOverdue(*late, Time());
    if (hooks_.tick) hooks_.tick();
    Pump();
  }

  void Retain() {
    if (shutdown_.begun()) return;
    // By a clock that is ahead all history would be old.
    const Now now = Time();
    if (engine_.time().Judge(now).disputed()) return;
    actions_.Retain(now.wall - options_.retention_age, options_.retention_revisions);
  }

  // The directory ---------------------------------------------------------------------------------

  void TakeScan(ScanRunner::Ended ended) {
    if (!shutdown_.begun()) {
      const auto missing =
          loader_.Take(std::move(ended.scan), ended.usable, scans_.confirming(), Time());
      if (missing) scans_.Confirm(*missing, ended.at);
    }
    Pump();
  }

  /// Removals that wait for the directory need a look when the directory may have settled.
  void LookWhenSettled() {
    const std::optional<MonoTime> at = engine_.removals().awaiting().NextLook(Time());
    if (shutdown_.begun() || !at) return;
    if (*at > clock_.Mono()) return timers_.SettleBy(at);
    scans_.Scan(ScanMode::kFull);
  }

  // The end ---------------------------------------------------------------------------------------

  [[nodiscard]] bool OnceIsOver() const {
    if (loader_.failed()) return true;
    const bool settles = engine_.removals().awaiting().Summarise().pending > 0;
    return loader_.loaded() && !settles && !scans_.confirming() && !scans_.scanning() &&
           engine_.Settled(kOncePatience, clock_.Mono() + kOnceLongestWait);
  }

  void WaitForSignal() {
    signals_.async_wait([this](const boost::system::error_code& failed, int signal) {
      if (failed) return;
      if (signal == SIGHUP) {
        if (hooks_.reload) hooks_.reload();
        scans_.Scan(ScanMode::kSettled);
        Pump();
      } else {
        BeginShutdown();
      }
      WaitForSignal();
    });
  }

  /// Stop taking work; let the work under way finish; at the deadline cancel the rest. A cancelled
  /// write keeps its open intent, and the next start looks up the outcome.
  void BeginShutdown() {
    const bool first = shutdown_.Begin(options_.shutdown_timeout, [this] {
      if (hooks_.cancel_calls) hooks_.cancel_calls();
    });
    if (!first) return;
    if (hooks_.stopping) hooks_.stopping();
    timers_.Stop();
    // What a scan finds now is of no use: one that hangs is left behind.
    scans_.Stop(std::min(kLastOfAScan, options_.shutdown_timeout), [this] { FinishShutdown(); });
    actions_.Run(engine_.DrainRecords());
    FinishShutdown();
  }

  void FinishShutdown() {
    if (shutdown_.finished() || engine_.schedule().work().running() > 0 || scans_.holds_up())
      return;
    shutdown_.Finish();
    signals_.cancel();
    timers_.TellLastProgress();
    actions_.Flush();
    io_.stop();
  }

  Engine& engine_;
  const Clock& clock_;
  LoopOptions options_;
  const Hooks hooks_;

  asio::io_context io_{1};
  LoopTimers timers_;
  LoopShutdown shutdown_{io_};
  asio::signal_set signals_{io_};
  ScanLoader loader_;
  ActionRunner actions_;
  ScanRunner scans_;
  std::atomic<MonoTime::rep> turn_{0};
};

Loop::Loop(Engine& engine, Storage store, ManifestSource& source, const Clock& clock,
           LoopObserver& observer, LoopOptions options, Hooks hooks)
    : impl_(std::make_unique<Impl>(Impl::Parts{engine, source, clock, observer}, std::move(store),
                                   options, std::move(hooks))) {}
Loop::~Loop() = default;

bool Loop::Run() { return impl_->Run(); }
void Loop::Stop() { impl_->Stop(); }
void Loop::Post(std::function<void(Engine&, const Now&)> task) { impl_->Post(std::move(task)); }
void Loop::SetOptions(const LoopOptions& options) { impl_->SetOptions(options); }
void Loop::RequestScan() { impl_->RequestScan(); }
bool Loop::ScanAbandoned() const { return impl_->ScanAbandoned(); }
MonoTime Loop::LastTurn() const { return impl_->LastTurn(); }

}  // namespace bindery::controller
