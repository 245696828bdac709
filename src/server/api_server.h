#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/expected.h"
#include "httpd/router.h"
#include "httpd/server.h"
#include "server/control.h"
#include "server/event_streams.h"
#include "server/identities.h"
#include "server/inventory_port.h"
#include "server/requests/allowed_hosts.h"
#include "server/requests/change_signal.h"
#include "server/requests/web_settings.h"
#include "server/sign_in.h"
#include "store/ports/hour_store.h"
#include "store/ports/report_reader.h"
#include "telemetry/log.h"

namespace bindery::report {
struct KeptReports;
}

namespace bindery::server {

class LargeAnswers;

/// What the endpoints are made of. Everything outlives the server.
struct ApiParts {
  const store::ReportReader& store;
  Control& control;
  const Clock& clock;
  telemetry::Logger& logger;
  ChangeSignal& changes;            ///< Of the store.
  std::filesystem::path manifests;  ///< The folder whose lines are shown with problems.
  /// Told why somebody is not served: one of a few words, see docs/metrics.md. From any thread; may
  /// be empty.
  std::function<void(std::string_view reason)> refused = {};
  /// Scans of clouds; null where the daemon makes none, as while it stands by.
  InventoryPort* inventory = nullptr;
  /// What the daemons saw and did, by hours; null: nothing of that is shown.
  const store::HourStore* hours = nullptr;
  /// What reports tell of everything, for all requests.
  std::shared_ptr<report::KeptReports> kept =
      nullptr;                                    // The server makes it; its requests share it.
  std::shared_ptr<LargeAnswers> large = nullptr;  // Likewise; the last: it uses the others.
};

struct ApiOptions {
  std::string listen;                     ///< "host:port"; empty for no TCP listener.
  std::string socket;                     ///< Path of the UNIX socket; empty for none.
  std::filesystem::path web_config = {};  ///< See WebConfig; empty: plain HTTP without users.
  bool insecure = false;  ///< Allows `listen` to be reachable from elsewhere without sign-in.
  unsigned workers = 4;   ///< Requests answered at once; reads of the store block one each.
  std::vector<std::string> allowed_hosts = {};  ///< See AllowedHosts.
  httpd::ListenerLimits connections{512, 128};  ///< Of the TCP listener.
  httpd::ListenerLimits socket_connections{128, 0};
  EventStreams::Limits streams = {};
};

/// Serves /metrics, /livez, /readyz, /healthz, /api/v1 and the dashboard, on TCP and on a UNIX
/// socket alike. docs/openapi.yaml describes it. Requests that change something are accepted over
/// the UNIX socket, where the kernel says who asks, and over TCP from who has signed in.
class ApiServer {
 public:
  /// kFailedPrecondition when `listen` is not loopback, the web configuration requires no
  /// authentication and `insecure` is not set; kInvalidArgument for an unusable web configuration
  /// or certificate; else as httpd::Server::Start.
  [[nodiscard]] static Expected<std::unique_ptr<ApiServer>> Start(const ApiOptions& options,
                                                                  const ApiParts& parts);
  ~ApiServer();
  ApiServer(const ApiServer&) = delete;
  ApiServer& operator=(const ApiServer&) = delete;

  /// "127.0.0.1:9817", with the bound port; empty without a TCP listener.
  [[nodiscard]] std::string Address() const { return server_->Address(); }

  /// Every route as "GET /api/v1/resources/{name}".
  [[nodiscard]] std::vector<std::string> Routes() const { return router_.Routes(); }

  /// Stops accepting, ends streams, waits up to `deadline` for requests in work. Idempotent.
  /// Answers of Control that come later go nowhere.
  void Stop(std::chrono::milliseconds deadline);

 private:
  ApiServer(const ApiOptions& options, const ApiParts& parts, std::unique_ptr<WebSettings> web);

  [[nodiscard]] httpd::ServerOptions HttpOptions(const ApiOptions& options);
  void AddHeaders(httpd::Response& response);
  void Refused(std::string_view reason) const;
  /// The answer to a request that a browser sends for a foreign page; nothing for further requests.
  [[nodiscard]] std::optional<httpd::Response> FindRefusal(const httpd::Request& request) const;
  void Serve(httpd::Request request, httpd::Responder responder);

  ApiParts parts_;
  std::string socket_;
  std::unique_ptr<WebSettings> web_;
  const AllowedHosts hosts_;
  Identities identities_;
  SignIn sign_in_;
  EventStreams streams_;
  httpd::Router router_;
  std::unique_ptr<httpd::Server> server_;  // Last: its workers use what is above.
};

}  // namespace bindery::server
