#include "store/read_connections.h"

namespace bindery::store {

ReadConnections::ReadConnections(std::unique_ptr<Engine> engine, std::unique_ptr<Connection> kept)
    : engine_(std::move(engine)), kept_(std::move(kept)) {}

Expected<bool> ReadConnections::PutBack() {
  const MutexLock lock(mutex_);
  return engine_->PutBack(*kept_);
}

void ReadConnections::Close() {
  const MutexLock lock(mutex_);
  kept_.reset();
}

}  // namespace bindery::store
