#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/mutex.h"
#include "store/connection.h"
#include "store/group_writer.h"
#include "store/lock_file.h"
#include "store/store.h"
#include "store/store_files.h"

namespace bindery::store {

/// The store in one SQLite file: writes go through a GroupWriter, reads through a connection of
/// their own, one at a time.
class SqliteStore final : public Store {
 public:
  /// For reading and writing.
  SqliteStore(std::filesystem::path path, LockFile lock, std::string recovered_from,
              std::unique_ptr<Connection> writer, std::unique_ptr<Connection> reader,
              const Clock& clock);
  /// For reading only.
  SqliteStore(std::filesystem::path path, std::unique_ptr<Connection> reader, const Clock& clock);

  /// Waits until everything submitted is durable, and marks the file as left in good order unless
  /// it turned out to be damaged.
  ~SqliteStore() override;
  SqliteStore(const SqliteStore&) = delete;
  SqliteStore& operator=(const SqliteStore&) = delete;

  [[nodiscard]] std::string recovered_from() const override { return recovered_from_; }

  Expected<void> Apply(StoreChange change) override;
  void Submit(StoreChange change, std::function<void(Expected<void>)> done) override;
  void BeginWrite(IntentRecord intent, std::function<void(Expected<std::int64_t>)> done) override;
  Expected<void> Flush() override;
  std::optional<StoreFault> Examine(bool try_write) override;
  Expected<bool> PutBack() override;

  [[nodiscard]] Expected<std::vector<ResourceRecord>> Resources() const override;
  [[nodiscard]] Expected<std::optional<ResourceRecord>> Resource(
      const std::string& name) const override;
  [[nodiscard]] Expected<std::vector<TargetRecord>> Targets() const override;
  [[nodiscard]] Expected<std::vector<DriftRecord>> Drift(const DriftFilter& filter) const override;
  [[nodiscard]] Expected<std::unique_ptr<DriftSnapshot>> SnapshotDrift() const override;
  [[nodiscard]] Expected<std::vector<std::pair<std::int64_t, Event>>> Events(
      const EventFilter& filter) const override;
  [[nodiscard]] Expected<std::vector<JournalEntry>> Journal(const JournalPage& page) const override;
  [[nodiscard]] Expected<std::vector<WebhookRecord>> Webhooks() const override;
  [[nodiscard]] Expected<std::vector<RevisionRecord>> Revisions(const Target& target,
                                                                bool with_policy) const override;
  [[nodiscard]] Expected<std::vector<RevisionRecord>> RevisionsInForce(WallTime at) const override;
  [[nodiscard]] Expected<RevisionRecord> Revision(std::int64_t id) const override;
  [[nodiscard]] Expected<std::string> Policy(const std::string& digest) const override;
  [[nodiscard]] Expected<std::vector<HoldRecord>> Holds() const override;
  [[nodiscard]] Expected<std::vector<IntentRecord>> OpenIntents() const override;
  [[nodiscard]] Expected<std::vector<RemovalRecord>> Removals(WallTime since) const override;
  [[nodiscard]] Expected<std::vector<RollbackRecord>> Rollbacks() const override;
  [[nodiscard]] Expected<std::optional<GenerationRecord>> LastGeneration() const override;
  [[nodiscard]] Expected<std::vector<ManifestProblemRecord>> Problems() const override;
  [[nodiscard]] Expected<EvidenceRecord> Evidence() const override;
  [[nodiscard]] Expected<StoreCounts> Counts() const override;

  [[nodiscard]] Expected<std::vector<AuditEntry>> AuditEntries(
      const AuditFilter& filter) const override;
  [[nodiscard]] Expected<std::vector<AuditFile>> AuditFiles() const override;
  Expected<void> ReadResources(const std::function<void(ResourceRecord&&)>& take) const override;
  Expected<void> ReadCatalog(
      const std::function<void(TargetRecord&&)>& take_target,
      const std::function<void(ResourceRecord&&)>& take_resource) const override;
  Expected<void> ReadFiles(const std::function<void(FileRecord&&)>& take) const override;

  Expected<void> Retain(WallTime before, std::size_t revisions) override;
  void OnCommit(CommitObserver observer) override;

 private:
  /// Runs `read` on the reading connection; failures begin with "read <what>: ".
  template <typename F>
  auto Read(std::string_view what, F&& read) const;

  /// The same on a connection for this one read.
  template <typename F>
  Expected<void> ReadApart(std::string_view what, F&& read) const;

  /// Notes when a read or a change met damage.
  void Note(const Expected<void>& result) const;

  Expected<void> Write(GroupWriter::Work work);

  /// Whether what was just committed is in the files at the path, and the right to write is ours.
  [[nodiscard]] Expected<void> ConfirmCommit() const;
  [[nodiscard]] bool HoldsLock() const;

  const std::filesystem::path path_;
  mutable Mutex lock_mutex_;
  std::optional<LockFile> lock_ GUARDED_BY(lock_mutex_);
  const StoreFiles files_;
  const std::string recovered_from_;
  const Clock& clock_;
  mutable std::atomic<bool> damaged_ = false;  // found to be
  std::unique_ptr<GroupWriter> writer_;        // none when read only

  mutable Mutex reader_mutex_;
  std::unique_ptr<Connection> reader_ GUARDED_BY(reader_mutex_);
};

}  // namespace bindery::store
