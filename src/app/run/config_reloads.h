#pragma once

#include <filesystem>
#include <functional>

#include "app/clouds/clouds.h"
#include "app/observe/run_telemetry.h"
#include "app/settings/config_watch.h"
#include "config/config.h"
#include "core/base/work_pool.h"

namespace bindery::app {

/// Loads the configuration file again, on request and when it has changed, and tells how that went.
///
/// Invariant: all or nothing. A configuration with one fault, or with a provider that cannot be
/// signed in to, changes nothing. Belongs to the loop's thread.
class ConfigReloads {
 public:
  struct Calls {
    /// Signs in; on a thread of the pool, as it may ask a metadata server.
    std::function<Expected<ConnectedProviders>(const config::Config&)> connect;
    /// Brings a configuration into force, on the loop's thread.
    std::function<void(config::Config, ConnectedProviders)> take_over;
    /// Runs a task on the loop's thread; called on any.
    std::function<void(std::function<void()>)> post;
  };

  /// `run` and `pool` must outlive every reload.
  ConfigReloads(std::filesystem::path file, RunTelemetry& run, WorkPool& pool, Calls calls);

  /// Loads the file if changed.
  void LoadIfChanged();

  void Load();

  /// The watch of the read file, for a start that took long.
  [[nodiscard]] ConfigWatch& watch() { return watch_; }

 private:
  void TakeOver(config::Config config, Expected<ConnectedProviders> providers);
  void End(bool successful);

  const std::filesystem::path file_;
  RunTelemetry& run_;
  WorkPool& pool_;
  const Calls calls_;
  ConfigWatch watch_;
};

}  // namespace bindery::app
