#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cloud/transport.h"
#include "config/config.h"
#include "controller/engine/engine.h"
#include "core/base/expected.h"
#include "core/base/mutex.h"
#include "emulator/emulator.h"
#include "providers/provider.h"
#include "telemetry/metrics.h"
#include "telemetry/span.h"

namespace bindery::app {

/// A folder that is deleted with its content by the last owner.
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

/// One provider, ready for calls.
struct ConnectedProvider {
  std::shared_ptr<const cloud::Connection> connection;
  std::shared_ptr<cloud::ServiceDates> dates;  ///< What its services say of the time.
  providers::SignInDescription sign_in;
};

/// All providers of a configuration.
struct ConnectedProviders {
  controller::Engine::Connections connections;
  controller::Engine::Dates dates;
  std::map<std::string, providers::SignInDescription> sign_ins;  ///< By provider.
};

/// Waits that a shutdown ends. Thread-safe.
class Patience {
 public:
  /// Returns after the time, or immediately when End was called.
  void Wait(std::chrono::milliseconds time);
  void End();

 private:
  Mutex mutex_;
  CondVar changed_;
  bool ended_ GUARDED_BY(mutex_) = false;
};

/// The observers of calls; either may be null.
struct CallObservers {
  telemetry::Metrics* metrics = nullptr;
  std::shared_ptr<telemetry::SpanSink> spans = nullptr;
  std::function<void()> called = {};  ///< After each call, on any thread; may be empty.
};

/// The clouds a configuration names, ready to be called.
struct Clouds {
  std::unique_ptr<TemporaryFolder> folder;  ///< Of a private embedded cloud; outlives it.
  /// Null when no provider uses the embedded cloud.
  std::unique_ptr<emulator::Emulator> embedded;
  std::shared_ptr<cloud::CurlTransport> transport;
  std::shared_ptr<cloud::Transport>
      traced;  ///< The same for calls, which say what they are part of.
  std::shared_ptr<Patience> patience = std::make_shared<Patience>();
  ConnectedProviders providers;

  /// Every call and wait under way, and every later one, ends immediately. For shutdown.
  void Cancel() const {
    patience->End();
    transport->CancelAll();
  }
};

/// Where the embedded cloud of a configuration is to be found by a command.
enum class EmbeddedCloud {
  kServe,    ///< Start it on its configured address: the daemon.
  kPrivate,  ///< Start it on a copy of its state and any port: a command that must not change it.
};

/// How the configuration says to reach anything.
[[nodiscard]] cloud::CurlTransportOptions MakeTransportOptions(const config::Config& config);

/// Starts the necessary parts, without signing in.
[[nodiscard]] Expected<Clouds> StartClouds(const config::Config& config, EmbeddedCloud embedded,
                                           const CallObservers& observers = {});

/// Reads the provider's credentials, over the given transport and embedded cloud. For credentials
/// of a metadata server, calls the server.
[[nodiscard]] Expected<ConnectedProvider> ConnectProvider(const providers::ProviderConfig& provider,
                                                          const Clouds& clouds);

/// All providers of `config`, or the first error. May take a while; runs on any thread.
[[nodiscard]] Expected<ConnectedProviders> ConnectAll(const config::Config& config,
                                                      const Clouds& clouds);

/// StartClouds and ConnectAll.
[[nodiscard]] Expected<Clouds> OpenClouds(const config::Config& config, EmbeddedCloud embedded,
                                          const CallObservers& observers = {});

/// The types of the configured providers, by name.
[[nodiscard]] std::map<std::string, std::string> ProviderTypes(const config::Config& config);

/// What the engine takes from a configuration; default projects come from the connections, and are
/// a placeholder for those that only credentials know where no connection exists.
[[nodiscard]] controller::EngineSettings MakeEngineSettings(
    const config::Config& config, const controller::Engine::Connections& connections);

}  // namespace bindery::app
