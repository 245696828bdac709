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
      io_(std::make_unique<asio::io_context>()),
      places_(options_),
      workers_(options_) {}

Core::~Core() = default;

asio::io_context* Core::Context() {
  const MutexLock lock(mutex_);
  return io_.get();
}

Expected<void> Core::Listen() {
  const auto admit = [this](Listener::Socket socket, const Peer& peer) {
    Admit(std::move(socket), peer);
  };
  const auto make_room = [this] { MakeRoom(); };
  asio::io_context& io = *Context();
  if (!options_.listen.empty()) {
    auto address = ParseListenAddress(options_.listen);
    if (!address) return Fail(address.error());
    auto listener = std::make_unique<Listener>(io, admit, make_room);
    auto bound = listener->ListenTcp(*address);
    if (!bound) return Fail(bound.error());
    tcp_address_ = *bound;
    listeners_.push_back(std::move(listener));
  }
  if (!options_.socket_path.empty()) {
    auto listener = std::make_unique<Listener>(io, admit, make_room);
    if (auto bound = listener->ListenUnix(options_); !bound) return bound;
    listeners_.push_back(std::move(listener));
  }
  return {};
}

void Core::Run() {
  for (const auto& listener : listeners_) listener->Begin();
  const unsigned count = std::max(1U, options_.io_threads);
  try {
    const MutexLock lock(stop_mutex_);
    for (unsigned i = 0; i < count; ++i) {
      threads_.emplace_back([io = Context()] {
        // Keeps the loop running without work, until stopped.
        const auto work = asio::make_work_guard(*io);
        io->run();
      });
    }
  } catch (...) {  // No thread can be made: those there are end before their owner does.
    Stop(std::chrono::milliseconds(0));
    throw;
  }
}

void Core::Admit(Listener::Socket socket, const Peer& peer) {
  std::shared_ptr<const TlsContext> tls;
  if (options_.tls && !peer.is_unix) tls = options_.tls();
  const auto connection = std::make_shared<Connection>(*this, std::move(socket), peer, tls);
  Places::Admission admission;
  {
    const MutexLock lock(mutex_);
    if (stopping_) return;
    admission = places_.Admit(connection, peer);
  }
  if (admission.leaves != nullptr) {
    Refused(Refusal::kLeft);
    asio::post(admission.leaves->executor(), [leaves = admission.leaves] { leaves->Leave(); });
  }
  // Without an answer: a client beyond the limits does not read answers.
  if (admission.room == Places::Room::kNone) return Refused(Refusal::kNoRoom);
  const bool vital_only = admission.room == Places::Room::kVitalOnly;
  asio::post(connection->executor(), [connection, vital_only] { connection->Start(vital_only); });
}

void Core::MakeRoom() {
  std::shared_ptr<Connection> leaves;
  {
    const MutexLock lock(mutex_);
    leaves = places_.Oldest();
  }
  if (leaves == nullptr) return;
  Refused(Refusal::kLeft);
  asio::post(leaves->executor(), [leaves] { leaves->Leave(); });
}

void Core::Stays(const Connection* connection) {
  const MutexLock lock(mutex_);
  places_.Stays(connection);
}

LargeBodies::Place Core::TakeLargePlace(bool is_unix) {
  const MutexLock lock(mutex_);
  return places_.large_bodies().Take(is_unix);
}

void Core::Forget(const Connection* connection) {
  const MutexLock lock(mutex_);
  places_.Forget(connection);
  if (places_.empty()) no_connections_.NotifyAll();
}

void Core::CallHandler(Request request, Responder responder) const {
  try {
    handler_(std::move(request), std::move(responder));
  } catch (const std::exception&) {
    // The last Responder went with the handler: the peer has its 500.
  }
}

void Core::Dispatch(Request request, Responder responder) {
  asio::thread_pool* const workers = workers_.For(request);
  if (workers == nullptr) return CallHandler(std::move(request), std::move(responder));
  asio::post(*workers,
             [this, request = std::move(request), responder = std::move(responder)]() mutable {
               CallHandler(std::move(request), std::move(responder));
             });
}

bool Core::Deliver(const std::weak_ptr<Connection>& connection,
                   std::function<void(Connection&)> action) {
  // Under the lock, so that neither the connection nor its io_context can go meanwhile.
  const MutexLock lock(mutex_);
  if (io_ == nullptr) return false;
  std::shared_ptr<Connection> alive = connection.lock();
  if (alive == nullptr) return false;
  const auto executor = alive->executor();
  asio::post(executor, [alive = std::move(alive), action = std::move(action)] { action(*alive); });
  return true;
}

void Core::After(std::chrono::milliseconds delay, std::function<void()> task) {
  const MutexLock lock(mutex_);
  if (io_ == nullptr || stopping_) return;
  auto run = [this, task = std::move(task)] {
    if (workers_.common() == nullptr) return task();
    asio::post(*workers_.common(), task);
  };
  if (delay.count() <= 0) return asio::post(*io_, std::move(run));  // Without a timer.
  auto timer = std::make_shared<asio::steady_timer>(*io_, delay);
  timer->async_wait([timer, run = std::move(run)](const boost::system::error_code& error) {
    if (!error) run();
  });
}

void Core::Stop(std::chrono::milliseconds deadline) {
  const MutexLock stop_lock(stop_mutex_);
  asio::io_context* const running = Context();
  if (running == nullptr) return;
  const auto end = std::chrono::steady_clock::now() + deadline;
  stopping_ = true;
  for (const auto& listener : listeners_) listener->Close();
  {
    const MutexLock lock(mutex_);
    for (const auto& connection : places_.All()) {
      asio::post(connection->executor(), [connection] { connection->CloseIfIdle(); });
    }
    if (deadline.count() > 0 && !threads_.empty()) {
      no_connections_.WaitUntil(mutex_, end, [this]() REQUIRES(mutex_) { return places_.empty(); });
    }
  }
  running->stop();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  workers_.Stop();
  listeners_.clear();
  std::unique_ptr<asio::io_context> io;
  std::vector<std::shared_ptr<Connection>> connections;
  {
    // The destructors answer pending requests, and answering takes the lock.
    const MutexLock lock(mutex_);
    io = std::move(io_);
    connections = places_.TakeAll();
  }
  workers_.Clear();
  connections.clear();
  io.reset();
}

}  // namespace bindery::httpd
