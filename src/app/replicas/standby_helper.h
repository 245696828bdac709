#pragma once

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "app/clouds/clouds.h"
#include "config/config.h"
#include "controller/sharing/batch_runner.h"
#include "core/base/clock.h"
#include "core/base/mutex.h"
#include "providers/registry/kinds.h"
#include "store/ports/check_help.h"
#include "telemetry/log.h"
#include "telemetry/metrics.h"

namespace bindery::app {

/// At a standby: reads targets for the replica at work, on a separate thread. Never writes to a
/// cloud.
class StandbyHelper {
 public:
  /// All must outlive the object.
  struct Parts {
    const config::Config& config;
    telemetry::Logger& log;
    telemetry::Metrics& metrics;
    const Clock& clock;
  };

  /// Null where it is not to help, or cannot: the error is logged.
  [[nodiscard]] static std::unique_ptr<StandbyHelper> Start(const Parts& parts);
  /// Calls under way are cancelled.
  ~StandbyHelper();
  StandbyHelper(const StandbyHelper&) = delete;
  StandbyHelper& operator=(const StandbyHelper&) = delete;

 private:
  StandbyHelper(const Parts& parts, Clouds clouds);

  void Work();
  /// False at the end.
  bool AwaitWork();
  /// Signs in, when the time for a try has come.
  void BeginToHelp();
  void TakeBatches();
  void SendAnswers();

  struct Progress {
    MonoTime next_sign_in{};
    std::string failure;  ///< Of the last try to sign in, as it was told.
    MonoTime next_offer{};
    bool busy = false;  ///< The last look found something.
  };

  const Parts parts_;
  const std::unique_ptr<store::CheckHelp> help_;     ///< The thread's, with all up to the clouds.
  std::unique_ptr<controller::BatchRunner> runner_;  ///< Null until it has signed in.
  Progress progress_;
  const Clouds clouds_;
  const providers::Kinds kinds_;
  Mutex mutex_;
  CondVar changed_;
  bool answered_ GUARDED_BY(mutex_) = false;
  bool ending_ GUARDED_BY(mutex_) = false;
  const controller::BatchRunner::Answers answers_;
  std::thread worker_;  ///< Last: it uses all of the above.
};

}  // namespace bindery::app
