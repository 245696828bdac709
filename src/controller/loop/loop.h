#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "controller/engine/engine.h"
#include "controller/loop/loop_observer.h"
#include "controller/loop/manifest_source.h"
#include "store/ports/state_writer.h"

namespace bindery::controller {

struct LoopOptions {
  std::chrono::milliseconds rescan_interval{30'000};
  std::chrono::milliseconds debounce{200};
  std::chrono::milliseconds shutdown_timeout{20'000};
  std::chrono::milliseconds retention_age{std::chrono::hours(24 * 90)};
  std::size_t retention_revisions = 100;
  /// The interval of the loop's heartbeat, without further events.
  std::chrono::milliseconds heartbeat{5'000};
  bool once = false;  ///< One full pass, then end.
};

/// The shell around the engine: one thread that owns the engine and never blocks, worker threads,
/// timers, the directory's hints, and signals. Run() is that thread.
class Loop {
 public:
  struct Hooks {
    std::function<void()> reload;        ///< On SIGHUP, on the loop thread.
    std::function<void()> cancel_calls;  ///< Shutdown is running out of time.
    std::function<void()> tick;          ///< At every heartbeat, on the loop thread.
    std::function<void()> stopping;      ///< Shutdown begins, on the loop thread.
    /// Has other replicas make these checks, on the loop thread; may be empty while the engine
    /// knows of none.
    std::function<void(std::vector<LentCheck>)> lend = {};
  };

  /// The used parts of the store. `policies` is called on further threads.
  struct Storage {
    store::StateWriter& writer;
    PolicyReader policies;
  };

  Loop(Engine& engine, Storage store, ManifestSource& source, const Clock& clock,
       LoopObserver& observer, LoopOptions options, Hooks hooks);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  /// Works until SIGTERM, SIGINT or Stop(), or with `once` until the pass is over. Returns false
  /// when calls had to be abandoned at the deadline.
  bool Run();

  /// After Run(): a scan hangs on a second thread, and the end of the loop would wait for the scan.
  /// The process must end without waiting.
  [[nodiscard]] bool ScanAbandoned() const;

  /// From any thread: ends Run().
  void Stop();

  /// From any thread: runs `task` on the loop thread, which then does what the engine asks for. It
  /// belongs to the caller's trace.
  /// Dropped without a call once the loop has ended.
  void Post(std::function<void(Engine&, const Now&)> task);

  /// On the loop thread: takes over what a reload changed.
  void SetOptions(const LoopOptions& options);

  /// On the loop thread: scan now.
  void RequestScan();

  /// From any thread: when the loop last turned.
  [[nodiscard]] MonoTime LastTurn() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace bindery::controller
