#pragma once

// Private to src/httpd: shared by the server, its connections and its Responders.

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "core/base/mutex.h"
#include "httpd/listener.h"
#include "httpd/places.h"
#include "httpd/server.h"
#include "httpd/workers.h"

namespace bindery::httpd {

class Connection;

/// Threads, listeners and open connections. Outlives the Server as long as a Responder does, but
/// everything in it that could run or hold something is gone once Stop() has returned.
class Core : public std::enable_shared_from_this<Core> {
 public:
  Core(ServerOptions options, Handler handler);
  ~Core();
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  [[nodiscard]] Expected<void> Listen();
  void Run();
  void Stop(std::chrono::milliseconds deadline);
  void After(std::chrono::milliseconds delay, std::function<void()> task);

  /// Calls the handler on a worker.
  void Dispatch(Request request, Responder responder);
  /// Runs `action` on the connection's strand. False when the connection or the server is gone.
  bool Deliver(const std::weak_ptr<Connection>& connection,
               std::function<void(Connection&)> action);

  void Forget(const Connection* connection);
  /// A leaving connection has work.
  void Stays(const Connection* connection);
  void Refused(Refusal why) const {
    if (options_.refused) options_.refused(why);
  }

  [[nodiscard]] const ServerOptions& options() const { return options_; }
  /// As LargeBodies::Take.
  [[nodiscard]] LargeBodies::Place TakeLargePlace(bool is_unix);
  [[nodiscard]] bool stopping() const { return stopping_.load(); }
  [[nodiscard]] const ListenAddress& tcp_address() const { return tcp_address_; }

 private:
  /// Null once stopped; valid until then.
  [[nodiscard]] boost::asio::io_context* Context() EXCLUDES(mutex_);
  void Admit(Listener::Socket socket, const Peer& peer);
  /// Closes a connection, because no descriptors are left for a new connection.
  void MakeRoom();
  void CallHandler(Request request, Responder responder) const;

  const ServerOptions options_;
  const Handler handler_;
  std::atomic<bool> stopping_ = false;
  ListenAddress tcp_address_;

  Mutex mutex_;
  CondVar no_connections_;
  std::unique_ptr<boost::asio::io_context> io_ GUARDED_BY(mutex_);  // Null once stopped.
  Places places_ GUARDED_BY(mutex_);

  Mutex stop_mutex_;  // One Stop() at a time.
  std::vector<std::thread> threads_ GUARDED_BY(stop_mutex_);

  // Made before the threads, and destroyed after them.
  std::vector<std::unique_ptr<Listener>> listeners_;
  Workers workers_;
};

}  // namespace bindery::httpd
