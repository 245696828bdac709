#pragma once

// Private to src/httpd: the threads that call the handler.

#include <boost/asio/thread_pool.hpp>
#include <memory>

#include "core/base/work_pool.h"
#include "httpd/server.h"

namespace bindery::httpd {

/// Up to three pools of threads. The first serves all requests. The options can add a pool for the
/// UNIX socket and a pool for vital paths: requests of these never wait behind ordinary requests.
class Workers {
 public:
  /// `options` must outlive the object.
  explicit Workers(const ServerOptions& options);

  /// Null: the thread that read the request calls the handler.
  [[nodiscard]] boost::asio::thread_pool* For(const Request& request) const;
  /// For work without a request; null as above.
  [[nodiscard]] boost::asio::thread_pool* common() const { return common_.get(); }

  /// Waits for running calls. Waiting calls never begin, and stay.
  void Stop();
  /// Destroys waiting calls with the Responders. A destroyed Responder answers.
  void Clear();

 private:
  const ServerOptions& options_;
  std::unique_ptr<WorkPool> common_;
  std::unique_ptr<WorkPool> socket_;
  std::unique_ptr<WorkPool> vital_;
};

}  // namespace bindery::httpd
