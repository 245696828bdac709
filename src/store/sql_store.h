#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "store/group_writer.h"
#include "store/sql_hours.h"
#include "store/sql_inventory.h"
#include "store/sql_reads.h"

namespace bindery::store {

/// A store in a database: writes go through a GroupWriter. Here are the ports that write or watch
/// the store, and those that say how far a reader of what was written came.
class SqlStore final : public SqlReads {
 public:
  /// For reading and writing; without `writer` for reading only.
  SqlStore(std::unique_ptr<Engine> engine, std::unique_ptr<Connection> writer,
           std::unique_ptr<Connection> reader, const Clock& clock);

  /// Waits until everything submitted is durable.
  ~SqlStore() override;
  SqlStore(const SqlStore&) = delete;
  SqlStore& operator=(const SqlStore&) = delete;

  Expected<void> Apply(StoreChange change) override;
  void Submit(StoreChange change, std::function<void(Expected<void>)> done) override;
  void BeginWrite(IntentRecord intent, std::function<void(Expected<std::int64_t>)> done) override;
  [[nodiscard]] Expected<void> MayAct() const override { return engine().MayAct(); }
  Expected<void> Flush() override;
  std::optional<StoreFault> Examine(bool try_write) override;
  Expected<bool> PutBack() override;
  Expected<void> Retain(WallTime before, std::size_t revisions) override;
  void OnCommit(CommitObserver observer) override;
  [[nodiscard]] std::optional<std::uint64_t> ContentVersion() const override;
  [[nodiscard]] Expected<StoreCounts> Counts() const override;
  [[nodiscard]] Expected<std::vector<JournalEntry>> Journal(const JournalPage& page) const override;
  [[nodiscard]] Expected<std::vector<WebhookRecord>> Webhooks() const override;
  [[nodiscard]] Expected<std::vector<AuditFile>> AuditFiles() const override;
  [[nodiscard]] InventoryStore& inventory() const override { return inventory_; }
  [[nodiscard]] HourStore& hours() const override { return hours_; }
  [[nodiscard]] std::unique_ptr<RequestInbox> OpenInbox() const override {
    return engine().OpenInbox();
  }
  [[nodiscard]] std::unique_ptr<CheckBatches> OpenCheckBatches() const override {
    return engine().OpenCheckBatches();
  }

 private:
  Expected<void> Write(GroupWriter::Work work, GroupWriter::Foresee foresee = nullptr);
  /// No submitted change is missing.
  [[nodiscard]] Expected<void> IsComplete() const;

  const Clock& clock_;
  /// Changes whose last try failed: the caller's view of the record is wrong. A write to a cloud
  /// must not follow, and only a new start reads the true record.
  const std::shared_ptr<std::atomic<int>> missing_ = std::make_shared<std::atomic<int>>(0);
  std::atomic<std::uint64_t> put_back_ = 0;  ///< How often.
  std::unique_ptr<GroupWriter> writer_;      ///< None when read only.
  mutable SqlInventory inventory_;           ///< Goes by the above.
  mutable SqlHours hours_;                   ///< Likewise.
};

}  // namespace bindery::store
