#pragma once

#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "controller/engine/engine.h"
#include "controller/sharing/helper_pool.h"
#include "core/base/clock.h"
#include "core/base/mutex.h"
#include "store/ports/check_help.h"
#include "telemetry/log.h"

namespace bindery {

/// At the replica at work: has replicas that stand by make checks, on a separate thread. While the
/// database is away nobody is asked.
class LendingDesk {
 public:
  /// Runs something with the engine, on its thread, or never: as Loop::Post.
  using PostToEngine = std::function<void(std::function<void(Engine&, const Now&)>)>;

  /// `log` and `clock` must outlive the object.
  LendingDesk(std::unique_ptr<CheckBatches> batches, PostToEngine post, Logger& log,
              const Clock& clock);
  ~LendingDesk();
  LendingDesk(const LendingDesk&) = delete;
  LendingDesk& operator=(const LendingDesk&) = delete;

  /// From any thread; never blocks.
  void Lend(std::vector<LentCheck> checks);

 private:
  void Work();
  /// Waits a moment, and moves the checks to lend to `checks`. False: the thread is to end.
  bool AwaitChecks(std::vector<LentCheck>& checks);
  void LookForHelpers();
  /// Tells the engine how much can be lent, where that changed.
  void TellOfHelpers();
  void Ask(std::vector<LentCheck> checks);
  void Collect();
  void Tell(std::vector<LentResult> results);

  /// The last reports to the engine and the log.
  struct Told {
    std::size_t helpers = 0;
    std::size_t at_once = 0;
    bool refused = false;  ///< Why nothing can be shared.
  };

  const std::unique_ptr<CheckBatches> batches_;  ///< The thread's, with the next three.
  HelperPool pool_;
  MonoTime looked_{};
  Told told_;
  const PostToEngine post_;
  Logger& log_;
  const Clock& clock_;
  Mutex mutex_;
  CondVar changed_;
  std::vector<LentCheck> new_ GUARDED_BY(mutex_);
  bool ending_ GUARDED_BY(mutex_) = false;
  std::thread worker_;  ///< Last: it uses all of the above.
};

}  // namespace bindery
