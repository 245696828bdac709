#include "httpd/core.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <exception>

#include "httpd/connection.h"

namespace bindery::httpd {

namespace asio = boost::asio;

Core::Core(ServerOptions options, Handler handler)
    : options_(std::move(options)),
      handler_(std::move(handler)),
      io_(std::make_unique<asio::io_context>()) {
  if (options_.workers > 0) workers_ = std::make_unique<asio::thread_pool>(options_.workers);
}

Core::~Core() = default;

Expected<void> Core::Listen() {
  const auto admit = [this](Listener::Socket socket, Peer peer) {
    Admit(std::move(socket), std::move(peer));
  };
  if (!options_.listen.empty()) {
    auto address = ParseListenAddress(options_.listen);
    if (!address) return Fail(address.error());
    auto listener = std::make_unique<Listener>(*io_, admit);
    auto bound = listener->ListenTcp(*address);
    if (!bound) return Fail(bound.error());
    tcp_address_ = *bound;
    listeners_.push_back(std::move(listener));
  }
  if (!options_.socket_path.empty()) {
    auto listener = std::make_unique<Listener>(*io_, admit);
    if (auto bound = listener->ListenUnix(options_.socket_path, options_.socket_mode); !bound) {
      return bound;
    }
    listeners_.push_back(std::move(listener));
  }
  return {};
}

void Core::Run() {
  for (const auto& listener : listeners_) listener->Accept();
  const unsigned count = std::max(1U, options_.io_threads);
  for (unsigned i = 0; i < count; ++i) {
    threads_.emplace_back([io = io_.get()] {
      // Keeps the loop going while there is nothing to wait for, until it is stopped.
      const auto work = asio::make_work_guard(*io);
      io->run();
    });
  }
}

void Core::Admit(Listener::Socket socket, Peer peer) {
  std::shared_ptr<const TlsContext> tls;
  if (options_.tls && !peer.is_unix) tls = options_.tls();
  const auto connection =
      std::make_shared<Connection>(*this, std::move(socket), std::move(peer), std::move(tls));
  bool refused = false;
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return;
    refused = connections_.size() >= options_.max_connections;
    connections_.emplace(connection.get(), connection);
  }
  asio::post(connection->executor(), [connection, refused] {
    if (refused) return connection->Refuse();
    connection->Start();
  });
}

void Core::Forget(const Connection* connection) {
  const std::lock_guard lock(mutex_);
  connections_.erase(connection);
  if (connections_.empty()) no_connections_.notify_all();
}

void Core::CallHandler(Request request, Responder responder) const {
  try {
    handler_(std::move(request), std::move(responder));
  } catch (const std::exception&) {
    // The last Responder went with the handler: the peer has its 500.
  }
}

void Core::Dispatch(Request request, Responder responder) {
  if (workers_ == nullptr) return CallHandler(std::move(request), std::move(responder));
  asio::post(*workers_,
             [this, request = std::move(request), responder = std::move(responder)]() mutable {
               CallHandler(std::move(request), std::move(responder));
             });
}

bool Core::Deliver(const std::weak_ptr<Connection>& connection,
                   std::function<void(Connection&)> action) {
  // Under the lock, so that neither the connection nor its io_context can go meanwhile.
  const std::lock_guard lock(mutex_);
  if (io_ == nullptr) return false;
  std::shared_ptr<Connection> alive = connection.lock();
  if (alive == nullptr) return false;
  const auto executor = alive->executor();
  asio::post(executor, [alive = std::move(alive), action = std::move(action)] { action(*alive); });
  return true;
}

void Core::After(std::chrono::milliseconds delay, std::function<void()> task) {
  const std::lock_guard lock(mutex_);
  if (io_ == nullptr || stopping_) return;
  auto timer = std::make_shared<asio::steady_timer>(*io_, delay);
  timer->async_wait([this, timer, task = std::move(task)](const boost::system::error_code& error) {
    if (error) return;
    if (workers_ == nullptr) return task();
    asio::post(*workers_, task);
  });
}

void Core::Stop(std::chrono::milliseconds deadline) {
  const std::lock_guard stop_lock(stop_mutex_);
  if (io_ == nullptr) return;
  const auto end = std::chrono::steady_clock::now() + deadline;
  stopping_ = true;
  asio::post(*io_, [this] {
    for (const auto& listener : listeners_) listener->Close();
  });
  {
    std::unique_lock lock(mutex_);
    for (const auto& entry : connections_) {
      asio::post(entry.second->executor(),
                 [connection = entry.second] { connection->CloseIfIdle(); });
    }
    if (deadline.count() > 0 && !threads_.empty()) {
      no_connections_.wait_until(lock, end, [this] { return connections_.empty(); });
    }
  }
  io_->stop();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  if (workers_ != nullptr) {
    workers_->stop();
    workers_->join();
  }
  listeners_.clear();
  std::unique_ptr<asio::io_context> io;
  std::unordered_map<const Connection*, std::shared_ptr<Connection>> connections;
  std::unique_ptr<asio::thread_pool> workers;
  {
    // Their destructors answer pending requests, which takes the lock.
    const std::lock_guard lock(mutex_);
    io = std::move(io_);
    connections.swap(connections_);
    workers = std::move(workers_);
  }
  workers.reset();
  connections.clear();
  io.reset();
}

}  // namespace bindery::httpd
