#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "cloud/transport.h"
#include "config/config.h"
#include "controller/engine.h"
#include "core/expected.h"
#include "emulator/emulator.h"
#include "telemetry/metrics.h"

namespace bindery {

/// A folder that goes with everything in it when the last owner goes.
class TemporaryFolder {
 public:
  /// An empty path when none can be made.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// The clouds a configuration names, ready to be called.
struct Clouds {
  std::unique_ptr<TemporaryFolder> folder;  ///< Of a private embedded cloud; outlives it.
  /// Null when no provider uses it.
  std::unique_ptr<emulator::Emulator> embedded;
  std::shared_ptr<CurlTransport> transport;
  Engine::Connections connections;
};

/// Where the embedded cloud of a configuration is to be found by a command.
enum class EmbeddedCloud {
  kServe,    ///< Start it on its configured address: the daemon.
  kPrivate,  ///< Start it on a copy of its state and any port: a command that must not change it.
};

/// Starts what must be started and signs in. `metrics` may be null.
[[nodiscard]] Expected<Clouds> OpenClouds(const Config& config, EmbeddedCloud embedded,
                                          Metrics* metrics);

/// What the engine takes from a configuration.
[[nodiscard]] EngineSettings EngineSettingsOf(const Config& config);

/// Connections as `config` wants them now, over the transport and embedded cloud that are there.
[[nodiscard]] Expected<Engine::Connections> Connect(const Config& config, const Clouds& clouds);

}  // namespace bindery
