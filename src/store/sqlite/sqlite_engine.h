#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/base/mutex.h"
#include "store/sql/engine.h"
#include "store/sqlite/lock_file.h"
#include "store/sqlite/sqlite_connection.h"
#include "store/sqlite/store_files.h"
#include "store/witness/witnessed_run.h"

namespace bindery::store {

/// A store in one SQLite file.
class SqliteEngine final : public Engine {
 public:
  /// The findings of the opening for writing.
  struct Found {
    std::string recovered_from;  ///< As StoreHealth::recovered_from().
    bool replaced = false;       ///< As StoreHealth::replaced().
  };

  /// For reading only.
  explicit SqliteEngine(std::filesystem::path path);
  /// For reading and writing.
  SqliteEngine(std::filesystem::path path, LockFile lock, Found found, WitnessedRun run);

  [[nodiscard]] Expected<std::unique_ptr<Connection>> OpenReader() const override;
  [[nodiscard]] Expected<void> ConfirmCommit() const override;
  void NoteFailure(const Error& error) override;
  [[nodiscard]] std::string recovered_from() const override { return found_.recovered_from; }
  [[nodiscard]] bool replaced() const override { return found_.replaced; }
  std::optional<StoreFault> Examine(bool try_write) override;
  Expected<bool> PutBack(Connection& reader) override;
  Expected<void> TryWrite(Connection& writer) override;
  void Closing() override;
  /// Marks the file as left in good order unless it turned out to be damaged.
  void Closed() override;

 private:
  [[nodiscard]] bool HoldsLock() const;
  std::optional<StoreFault> RenewLock();
  /// Whether the database holds what the run has written: it may be put back to an older state in
  /// place, also while nothing is written.
  std::optional<StoreFault> LookAtRun();
  /// Nothing: the store does not know the run.
  [[nodiscard]] Expected<std::optional<std::int64_t>> WritesInPlace() REQUIRES(look_mutex_);

  const std::filesystem::path path_;
  mutable Mutex lock_mutex_;
  std::optional<LockFile> lock_ GUARDED_BY(lock_mutex_);
  const StoreFiles files_;
  const Found found_;
  const std::optional<WitnessedRun> run_;  ///< None for reading only.
  Mutex look_mutex_;
  /// For LookAtRun() alone: a different one may be in the middle of a long read.
  std::unique_ptr<SqliteConnection> look_ GUARDED_BY(look_mutex_);
  std::atomic<bool> damaged_ = false;  ///< Found to be.
  bool same_at_end_ = false;
  std::string content_at_end_;  ///< As ContentLine().
};

}  // namespace bindery::store
