#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/expected.h"
#include "store/ports/check_help.h"
#include "store/ports/records.h"
#include "store/ports/requests.h"
#include "store/ports/store_health.h"
#include "store/sql/connection.h"

namespace bindery::store {

/// The database of a store: the differences between databases besides their connections.
///
/// Threads: any.
class Engine {
 public:
  virtual ~Engine() = default;

  /// A connection for reading; errors as those of OpenStore.
  [[nodiscard]] virtual Expected<std::unique_ptr<Connection>> OpenReader() const = 0;

  /// Asked after each commit: whether it is durable where the next start looks for it, and the
  /// right to write is still this store's.
  [[nodiscard]] virtual Expected<void> ConfirmCommit() const = 0;

  /// As StateWriter::MayAct(); quick.
  [[nodiscard]] virtual Expected<void> MayAct() const { return {}; }

  /// As ReportReader::Replicas(); throws EngineError.
  [[nodiscard]] virtual std::vector<ReplicaRecord> Replicas(Connection& /*reader*/) const {
    return {};
  }

  /// As Store::OpenInbox().
  [[nodiscard]] virtual std::unique_ptr<RequestInbox> OpenInbox() const { return nullptr; }

  /// As Store::OpenCheckBatches().
  [[nodiscard]] virtual std::unique_ptr<CheckBatches> OpenCheckBatches() const { return nullptr; }

  /// Reads that are under way on connections of OpenReader(), and later ones, fail from now on.
  void EndReads() { reads_ended_ = true; }

  /// A read or a change failed.
  virtual void NoteFailure(const Error& error) = 0;
  /// A read or a change ended.
  void Note(const Expected<void>& result) {
    if (!result) NoteFailure(result.error());
  }

  // As those of StoreHealth. For a store opened for writing.
  [[nodiscard]] virtual std::string recovered_from() const { return {}; }
  [[nodiscard]] virtual bool replaced() const { return false; }
  virtual std::optional<StoreFault> Examine(bool try_write) = 0;
  /// With a connection for reading.
  virtual Expected<bool> PutBack(Connection& reader) = 0;

  /// A transaction that proves that the database accepts writes, and changes nothing.
  virtual Expected<void> TryWrite(Connection& writer) = 0;

  /// Before the connections of a store opened for writing are closed, and afterwards.
  virtual void Closing() = 0;
  virtual void Closed() = 0;

 protected:
  [[nodiscard]] const std::atomic<bool>& reads_ended() const { return reads_ended_; }

 private:
  std::atomic<bool> reads_ended_ = false;
};

}  // namespace bindery::store
