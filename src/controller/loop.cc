#include "controller/loop.h"

#include <algorithm>
#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <csignal>
#include <exception>
#include <optional>
#include <utility>

#include "controller/alarm.h"
#include "controller/check_runner.h"
#include "controller/hint_watch.h"
#include "controller/scan_patience.h"
#include "controller/scan_timing.h"
#include "controller/throttle.h"
#include "controller/write_runner.h"
#include "telemetry/trace.h"

namespace bindery {
namespace asio = boost::asio;
namespace {

using std::chrono::milliseconds;

constexpr std::chrono::hours kRetentionPeriod(1);
/// `run --once` waits for targets that failed no more often than this in a row.
constexpr int kOncePatience = 3;
/// And for none that a service wants left alone for longer.
constexpr std::chrono::minutes kOnceLongestWait(2);

/// Threads that wait for credentials, one for each sort of them if all are fetched at once: others
/// who want the same ones wait for these two seconds at most. Calls wait on none.
constexpr std::size_t kWaiters = 32;
/// Threads that compare, and never wait.
constexpr std::size_t kComparers = 2;
constexpr std::chrono::seconds kLastOfAScan(2);

}  // namespace

class Loop::Impl {
 public:
  Impl(Engine& engine, Storage store, ManifestSource& source, const Clock& clock,
       LoopObserver& observer, LoopOptions options, Hooks hooks)
      : engine_(engine),
        store_(store.writer),
        source_(source),
        clock_(clock),
        observer_(observer),
        options_(options),
        hooks_(std::move(hooks)),
        checks_(threads_, checked_, std::move(store.policies)),
        writes_(threads_, store.writer, written_),
        background_(1) {}

  /// A scan, or the watching of the directory, is under way.
  [[nodiscard]] bool Looking() const { return timing_.scanning() || hints_.busy(); }

  bool Run() {
    if (options_.once) engine_.schedule().recheck().EndRechecks();
    timing_.SetLimits({options_.debounce, options_.rescan_interval});
    signals_.add(SIGTERM);
    signals_.add(SIGINT);
    signals_.add(SIGHUP);
    WaitForSignal();
    hints_.Start();
    StartScan(ScanMode::kFull);
    Heartbeat();
    ScheduleRetention();
    Pump();
    io_.run();
    threads_.blocking->join();
    threads_.comparing->join();
    if (!Looking()) background_.join();
    return clean_;
  }

  void Stop() {
    asio::post(io_, [this] { BeginShutdown(); });
  }

  void Post(std::function<void(Engine&, const Now&)> task) {
    asio::post(io_, [this, task = std::move(task), trace = CurrentTrace()] {
      {
        const TraceScope scope(trace);
        task(engine_, Time());
      }
      Pump();
    });
  }

  void SetOptions(const LoopOptions& options) {
    options_ = options;
    timing_.SetLimits({options.debounce, options.rescan_interval});
    // The same files may mean something else now: another default project, another provider.
    digest_.clear();
  }
  void RequestScan() { StartScan(ScanMode::kSettled); }
  [[nodiscard]] MonoTime LastTurn() const { return MonoTime(MonoTime::duration(turn_.load())); }

 private:
  [[nodiscard]] Now Time() const { return {clock_.Mono(), clock_.Wall()}; }

  // Work ----------------------------------------------------------------------------------------

  void Pump() {
    turn_.store(clock_.Mono().time_since_epoch().count());
    while (!stopping_) {
      Engine::Actions actions = engine_.Step(Time());
      if (actions.empty()) break;
      CarryOut(std::move(actions));
    }
    if (stopping_) {
      CarryOut(engine_.DrainRecords());
      FinishShutdown();
      return;
    }
    progress_.News();
    wake_.SetBy(engine_.NextWake());
    settling_.SetBy(engine_.removals().withheld().NextLook(Time()));
    if (options_.once && OnceIsOver()) BeginShutdown();
  }

  void CarryOut(Engine::Actions actions) {
    for (StoreChange& change : actions.changes) {
      store_.Submit(std::move(change), [this](const Expected<void>& stored) {
        if (stored) return;
        asio::post(io_, [this, error = stored.error()] {
          engine_.scans().OnStoreWriteFailed(Time());
          observer_.StoreFailed(error);
          Pump();
        });
      });
    }
    for (auto& reply : actions.replies) reply();
    for (ProjectQuestion& asked : actions.questions) {
      const auto question = asked.question;
      AskForProject(threads_, std::move(asked), [this, question](auto answer) {
        Post([question, answer = std::move(answer)](Engine& engine, const Now& now) {
          engine.scans().Identified(question, answer, now);
        });
      });
    }
    for (Engine::CheckTask& task : actions.checks) {
      checks_.Start(std::move(task.key), std::move(task.job));
    }
    for (Engine::WriteTask& task : actions.writes) {
      writes_.Start(std::move(task.key), std::move(task.job));
    }
  }

  /// From any thread. However much is finished until the loop turns, it turns once.
  void WakeForFinished() {
    asio::post(io_, [this] { TakeFinished(); });
  }

  void TakeFinished() {
    const Now now = Time();
    for (CheckRunner::Finished& check : checked_->TakeAll()) {
      engine_.flow().Checked(check.key, std::move(check.result), now);
    }
    for (WriteRunner::Finished& write : written_->TakeAll()) {
      engine_.flow().Written(write.key, std::move(write.result), now);
    }
    Pump();
  }

  void Heartbeat() {
    heartbeat_.expires_after(options_.heartbeat);
    heartbeat_.async_wait([this](const boost::system::error_code& cancelled) {
      if (cancelled) return;
      if (const auto late = patience_.Overdue(clock_.Mono())) NoteLoadFailed(*late);
      if (hooks_.tick) hooks_.tick();
      Pump();
      if (!stopping_) Heartbeat();
    });
  }

  void ScheduleRetention() {
    retention_.expires_after(kRetentionPeriod);
    retention_.async_wait([this](const boost::system::error_code& cancelled) {
      if (cancelled || stopping_) return;
      // By a clock that is ahead all history would be old.
      const Now now = Time();
      if (engine_.time().Judge(now).disputed()) return ScheduleRetention();
      const WallTime before = now.wall - options_.retention_age;
      asio::post(*threads_.blocking, [this, before, keep = options_.retention_revisions] {
        if (Expected<void> done = store_.Retain(before, keep); !done) {
          asio::post(io_, [this, error = done.error()] { observer_.StoreFailed(error); });
        }
      });
      ScheduleRetention();
    });
  }

  // The directory ---------------------------------------------------------------------------------

  void NoteHint() {
    ScheduleScan(ScanTiming::Next{timing_.Hinted(clock_.Mono()), ScanMode::kHinted});
  }

  void ScheduleScan(const std::optional<ScanTiming::Next>& next) {
    if (!next) return;
    scan_timer_.expires_at(next->at);
    scan_timer_.async_wait([this, how = next->how](const boost::system::error_code& cancelled) {
      if (!cancelled && !stopping_) StartScan(how);
    });
  }

  void StartScan(ScanMode wanted) {
    if (stopping_) return;
    const std::optional<ScanMode> how = timing_.Begin(wanted, clock_.Mono());
    if (!how) return;
    patience_.Began(clock_.Mono());
    asio::post(background_, [this, how = *how] {
      asio::post(io_, [this, scan = ScanOrFail(source_, how)]() mutable {
        FinishScan(std::move(scan));
        Pump();
      });
    });
  }

  /// Removals that wait for the directory to settle need a look at it when it may have.
  void LookWhenSettled() {
    const std::optional<MonoTime> at = engine_.removals().withheld().NextLook(Time());
    if (stopping_ || !at) return;
    if (*at > clock_.Mono()) return settling_.SetBy(at);
    StartScan(ScanMode::kFull);
  }

  void NoteLoadFailed(const Error& error) {
    load_failed_ = true;
    observer_.LoadFailed(error);
  }

  void FinishScan(Expected<ManifestSource::Scanned> scan) {
    const MonoTime now = clock_.Mono();
    const bool usable = scan ? scan->settled : scan.error().code != Code::kAborted;
    const auto next = timing_.End(usable, scan && scan->scan.complete, now);
    patience_.Ended(usable, scan ? nullptr : &scan.error());
    if (stopping_) return;
    ScheduleScan(next);
    if (!scan) engine_.scans().ScanFailed(usable ? scan.error().message : std::string(), Time());
    if (!usable) return;
    if (!scan) return NoteLoadFailed(scan.error());
    load_failed_ = false;
    if (loaded_ && !timing_.confirming() && scan->input.digest == digest_) {
      const bool news = !scan->scan.remember.empty() || !scan->scan.unremember.empty();
      if (scan->same && news) ListAll(scan->scan, scan->input);
      engine_.scans().Remember(scan->input, Time());
      observer_.Loaded(scan->input, nullptr);
      return;
    }
    if (scan->same) ListAll(scan->scan, scan->input);
    if (const auto refused = engine_.catalog().directory().WouldEmpty(scan->input)) {
      edits_ = false;
      engine_.scans().ScanFailed(refused->message, Time());
      return NoteLoadFailed(*refused);
    }
    if (!std::exchange(edits_, true)) scan->input.edit.reset();
    const Engine::Scanned changes = engine_.scans().Scan(scan->input, Time());
    loaded_ = true;
    digest_ = scan->input.digest;
    ScheduleScan(timing_.Confirm(changes.confirm, now));
    observer_.Loaded(scan->input, &changes);
  }

  // The end ---------------------------------------------------------------------------------------

  [[nodiscard]] bool OnceIsOver() const {
    if (load_failed_) return true;
    const bool settles = engine_.removals().withheld().Summarise().pending > 0;
    return loaded_ && !settles && !timing_.confirming() && !timing_.scanning() &&
           engine_.Settled(kOncePatience, clock_.Mono() + kOnceLongestWait);
  }

  void WaitForSignal() {
    signals_.async_wait([this](const boost::system::error_code& failed, int signal) {
      if (failed) return;
      if (signal == SIGHUP) {
        if (hooks_.reload) hooks_.reload();
        StartScan(ScanMode::kSettled);
        Pump();
      } else {
        BeginShutdown();
      }
      WaitForSignal();
    });
  }

  /// Stop taking work; let what is under way finish; at the deadline cancel it. A write that is
  /// cancelled keeps its open intent, and the next start looks up what became of it.
  void BeginShutdown() {
    if (stopping_) return;
    stopping_ = true;
    if (hooks_.stopping) hooks_.stopping();
    settling_.Cancel();
    wake_.Cancel();
    heartbeat_.cancel();
    progress_.Cancel();
    retention_.cancel();
    hints_.Stop([this] { FinishShutdown(); });
    deadline_.expires_after(options_.shutdown_timeout);
    deadline_.async_wait([this](const boost::system::error_code& cancelled) {
      if (cancelled) return;
      clean_ = false;
      if (hooks_.cancel_calls) hooks_.cancel_calls();
    });
    // What a scan finds now is of no use: one that hangs is left behind.
    scan_timer_.expires_after(std::min<milliseconds>(kLastOfAScan, options_.shutdown_timeout));
    scan_timer_.async_wait([this](const boost::system::error_code& cancelled) {
      give_up_scan_ = !cancelled;
      if (!cancelled) FinishShutdown();
    });
    CarryOut(engine_.DrainRecords());
    FinishShutdown();
  }

  void FinishShutdown() {
    if (finished_ || engine_.schedule().work().running() > 0 || (Looking() && !give_up_scan_))
      return;
    finished_ = true;
    deadline_.cancel();
    scan_timer_.cancel();
    signals_.cancel();
    progress_.Tell();
    if (Expected<void> flushed = store_.Flush(); !flushed) observer_.StoreFailed(flushed.error());
    io_.stop();
  }

  Engine& engine_;
  StateWriter& store_;
  ManifestSource& source_;
  const Clock& clock_;
  LoopObserver& observer_;
  LoopOptions options_;
  Hooks hooks_;

  asio::io_context io_{1};
  asio::executor_work_guard<asio::io_context::executor_type> keep_running_{io_.get_executor()};
  Alarm wake_{io_, [this] { Pump(); }};
  Alarm settling_{io_, [this] { LookWhenSettled(); }};
  asio::steady_timer heartbeat_{io_};
  Throttle progress_{io_, clock_, [this] { observer_.Progress(engine_); }};
  asio::steady_timer retention_{io_};
  asio::steady_timer scan_timer_{io_};
  asio::steady_timer deadline_{io_};
  asio::signal_set signals_{io_};
  HintWatch hints_{io_, source_, [this] { NoteHint(); }};
  const CheckRunner::Results checked_ =
      std::make_shared<Mailbox<CheckRunner::Finished>>([this] { WakeForFinished(); });
  const WriteRunner::Results written_ =
      std::make_shared<Mailbox<WriteRunner::Finished>>([this] { WakeForFinished(); });
  const WorkThreads threads_{std::make_shared<WorkPool>(kWaiters),
                             std::make_shared<WorkPool>(kComparers)};
  CheckRunner checks_;
  WriteRunner writes_;
  WorkPool background_;  ///< Scans.

  std::atomic<MonoTime::rep> turn_{0};
  ScanTiming timing_;
  ScanPatience patience_;
  bool give_up_scan_ = false;
  bool loaded_ = false;
  bool load_failed_ = false;
  bool edits_ = true;  ///< The next scan says how it differs from what is in force.
  bool stopping_ = false;
  bool finished_ = false;
  bool clean_ = true;
  std::string digest_;
};

Loop::Loop(Engine& engine, Storage store, ManifestSource& source, const Clock& clock,
           LoopObserver& observer, LoopOptions options, Hooks hooks)
    : impl_(std::make_unique<Impl>(engine, std::move(store), source, clock, observer, options,
                                   std::move(hooks))) {}
Loop::~Loop() = default;

bool Loop::Run() { return impl_->Run(); }
void Loop::Stop() { impl_->Stop(); }
void Loop::Post(std::function<void(Engine&, const Now&)> task) { impl_->Post(std::move(task)); }
void Loop::SetOptions(const LoopOptions& options) { impl_->SetOptions(options); }
void Loop::RequestScan() { impl_->RequestScan(); }
bool Loop::ScanAbandoned() const { return impl_->Looking(); }
MonoTime Loop::LastTurn() const { return impl_->LastTurn(); }

}  // namespace bindery
