#pragma once

#include <memory>
#include <string>

#include "cloud/transport.h"
#include "config/config.h"
#include "controller/engine.h"
#include "core/expected.h"
#include "emulator/emulator.h"
#include "telemetry/metrics.h"

namespace bindery {

/// The clouds a configuration names, ready to be called.
struct Clouds {
  std::unique_ptr<emulator::Emulator>
      embedded;  ///< Null when no provider uses it, or it runs elsewhere.
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
