#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>

#include "core/mutex.h"
#include "store/engine.h"
#include "store/lock_file.h"
#include "store/store_files.h"

namespace bindery::store {

/// A store in one SQLite file.
class SqliteEngine final : public Engine {
 public:
  /// What the opening for writing found.
  struct Found {
    std::string recovered_from;  ///< As StoreHealth::recovered_from().
    bool replaced = false;       ///< As StoreHealth::replaced().
  };

  /// For reading only.
  explicit SqliteEngine(std::filesystem::path path);
  /// For reading and writing.
  SqliteEngine(std::filesystem::path path, LockFile lock, Found found);

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

  const std::filesystem::path path_;
  mutable Mutex lock_mutex_;
  std::optional<LockFile> lock_ GUARDED_BY(lock_mutex_);
  const StoreFiles files_;
  const Found found_;
  std::atomic<bool> damaged_ = false;  ///< Found to be.
  bool same_at_end_ = false;
  std::string content_at_end_;  ///< As ContentLine().
};

}  // namespace bindery::store
