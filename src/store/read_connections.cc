#include "store/read_connections.h"

namespace bindery::store {

ReadConnections::ReadConnections(std::unique_ptr<Engine> engine, std::unique_ptr<Connection> kept)
    : engine_(std::move(engine)), kept_(std::move(kept)) {}

Expected<void> ReadConnections::ReadTogether(const std::function<void()>& read) const {
  if (holder_ == std::this_thread::get_id()) {
    read();
    return {};
  }
  /// Ends with its scope, also after an exception.
  struct Marked {
    explicit Marked(std::atomic<std::thread::id>& place) : holder(place) {
      holder = std::this_thread::get_id();
    }
    ~Marked() { holder = std::thread::id(); }
    Marked(const Marked&) = delete;
    Marked& operator=(const Marked&) = delete;
    std::atomic<std::thread::id>& holder;
  };
  const MutexLock lock(mutex_);
  return Noted(ReadOn(*kept_, "the store", [&](Connection& connection) {
    held_ = &connection;
    const Marked marked(holder_);
    read();
  }));
}

Expected<bool> ReadConnections::PutBack() {
  const MutexLock lock(mutex_);
  return engine_->PutBack(*kept_);
}

void ReadConnections::Close() {
  const MutexLock lock(mutex_);
  kept_.reset();
}

}  // namespace bindery::store
