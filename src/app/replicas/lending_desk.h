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

namespace bindery::app {

/// At the replica at work: has replicas that stand by make checks, on a separate thread. While the
/// database is away nobody is asked.
class LendingDesk {
 public:
  /// Runs something with the engine, on its thread, or never: as Loop::Post.
  using PostToEngine =
      std::function<void(std::function<void(controller::Engine&, const controller::Now&)>)>;

  /// `log` and `clock` must outlive the object.
  LendingDesk(std::unique_ptr<store::CheckBatches> batches, PostToEngine post,
              telemetry::Logger& log, const Clock& clock);
  ~LendingDesk();
  LendingDesk(const LendingDesk&) = delete;
  LendingDesk& operator=(const LendingDesk&) = delete;

  /// From any thread; never blocks.
  void Lend(std::vector<controller::LentCheck> checks);

 private:
  void Work();
  /// Waits a moment, and moves the checks to lend to `checks`. False: the thread is to end.
  bool AwaitChecks(std::vector<controller::LentCheck>& checks);
  void LookForHelpers();
  /// Tells the engine how much can be lent, where that changed.
  void TellOfHelpers();
  void Ask(std::vector<controller::LentCheck> checks);
  void Collect();
  void Tell(std::vector<controller::LentResult> results);

  /// The last reports to the engine and the log.
  struct Told {
    std::size_t helpers = 0;
    std::size_t at_once = 0;
    bool refused = false;  ///< Why nothing can be shared.
  };

  const std::unique_ptr<store::CheckBatches> batches_;  ///< The thread's, with the next three.
  controller::HelperPool pool_;
  MonoTime looked_{};
  Told told_;
  const PostToEngine post_;
  telemetry::Logger& log_;
  const Clock& clock_;
  Mutex mutex_;
  CondVar changed_;
  std::vector<controller::LentCheck> new_ GUARDED_BY(mutex_);
  bool ending_ GUARDED_BY(mutex_) = false;
  std::thread worker_;  ///< Last: it uses all of the above.
};

}  // namespace bindery::app
