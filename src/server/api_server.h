#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "core/clock.h"
#include "core/expected.h"
#include "httpd/router.h"
#include "httpd/server.h"
#include "server/control.h"
#include "store/store.h"
#include "telemetry/log.h"

namespace bindery {

/// What the endpoints are made of. Everything outlives the server.
struct ApiParts {
  const Store& store;
  Control& control;
  const Clock& clock;
  Logger& logger;
};

struct ApiOptions {
  std::string listen;     ///< "host:port"; empty for no TCP listener.
  std::string socket;     ///< Path of the UNIX socket; empty for none.
  bool insecure = false;  ///< Allows `listen` to be reachable from elsewhere.
  unsigned workers = 4;   ///< Requests answered at once; reads of the store block one each.
};

/// Serves /metrics, /livez, /readyz, /healthz, / and /api/v1, on TCP and on a UNIX socket alike.
/// docs/openapi.yaml describes it. Requests that change something are accepted only over the UNIX
/// socket, where the kernel says who asks.
class ApiServer {
 public:
  /// kFailedPrecondition when `listen` is not loopback and `insecure` is not set; else as
  /// httpd::Server::Start.
  [[nodiscard]] static Expected<std::unique_ptr<ApiServer>> Start(const ApiOptions& options,
                                                                  const ApiParts& parts);
  ~ApiServer();
  ApiServer(const ApiServer&) = delete;
  ApiServer& operator=(const ApiServer&) = delete;

  /// "127.0.0.1:9817", with the bound port; empty without a TCP listener.
  [[nodiscard]] std::string Address() const { return server_->Address(); }

  /// Stops accepting, waits up to `deadline` for requests in work. Idempotent. Answers of Control
  /// that come later go nowhere.
  void Stop(std::chrono::milliseconds deadline);

 private:
  ApiServer(const ApiOptions& options, const ApiParts& parts);

  ApiParts parts_;
  std::string socket_;
  httpd::Router router_;
  std::unique_ptr<httpd::Server> server_;  // Last: its workers use what is above.
};

}  // namespace bindery
