#include "store/sqlite_store.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "sqlite/copy.h"
#include "sqlite/database.h"
#include "store/clean_mark.h"
#include "store/drift_snapshot.h"
#include "store/opening.h"
#include "store/read_ahead.h"
#include "store/reads.h"
#include "store/retention.h"
#include "store/writes.h"

namespace bindery::store {
namespace {

Error ReadOnlyError() {
  Error error;
  error.code = Code::kFailedPrecondition;
  error.message = "the store is open for reading only";
  return error;
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): six parameters, the parts it owns
SqliteStore::SqliteStore(std::filesystem::path path, LockFile lock, std::string recovered_from,
                         std::unique_ptr<Connection> writer, std::unique_ptr<Connection> reader,
                         const Clock& clock)
    : path_(std::move(path)),
      lock_(std::move(lock)),
      files_(path_.string()),
      recovered_from_(std::move(recovered_from)),
      clock_(clock),
      writer_(std::make_unique<GroupWriter>(std::move(writer), [this] { return ConfirmCommit(); })),
      reader_(std::move(reader)) {}

SqliteStore::SqliteStore(std::filesystem::path path, std::unique_ptr<Connection> reader,
                         const Clock& clock)
    : path_(std::move(path)), files_(path_.string()), clock_(clock), reader_(std::move(reader)) {}

SqliteStore::~SqliteStore() {
  if (writer_ == nullptr) return;
  // While everything else still exists: callbacks of what is written last may read.
  writer_->Stop();
  // The reader before the writer, so that the last connection to close is one that can bring the
  // -wal file into the database. The lock is given back when all is done.
  const bool same = !files_.Look() && HoldsLock();
  reader_.reset();
  writer_.reset();
  if (same && !damaged_) LeaveCleanMark(path_.string());
  if (!same) files_.RemoveOrphans();
}

bool SqliteStore::HoldsLock() const {
  const MutexLock lock(lock_mutex_);
  return lock_->Holds();
}

Expected<void> SqliteStore::ConfirmCommit() const {
  if (const auto fault = files_.Look()) return Fail(fault->error);
  if (HoldsLock()) return {};
  return Fail(Code::kUnavailable, "the lock file of the store was removed while it was open");
}

std::optional<StoreFault> SqliteStore::Examine(bool try_write) {
  if (writer_ == nullptr) return std::nullopt;
  if (auto fault = files_.Look()) return fault;
  {
    const MutexLock lock(lock_mutex_);
    if (!lock_->Holds()) {
      if (auto renewed = lock_->Renew(); !renewed) {
        const bool taken = renewed.error().code == Code::kFailedPrecondition;
        return StoreFault{renewed.error(), /*lost=*/taken};
      }
    }
  }
  if (damaged_) {
    Error error;
    error.code = Code::kInternal;
    error.message = "the store \"" + path_.string() + "\" is damaged";
    return StoreFault{error, /*lost=*/true};
  }
  if (auto fault = files_.LookAtFileSystem(try_write)) return fault;
  if (!try_write) return std::nullopt;
  const Expected<void> written = Write([](Connection& connection) -> Expected<void> {
    const int version = connection.database().execAndGet("PRAGMA user_version").getInt();
    connection.database().exec("PRAGMA user_version = " + std::to_string(version));
    return {};
  });
  if (written) return std::nullopt;
  return StoreFault{written.error()};
}

Expected<bool> SqliteStore::PutBack() {
  std::error_code failure;
  if (std::filesystem::exists(std::filesystem::symlink_status(path_, failure))) return false;
  const std::filesystem::path folder = path_.parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, failure);
  const std::string copy = path_.string() + ".restoring";
  std::filesystem::remove(copy, failure);
  const MutexLock lock(reader_mutex_);
  if (auto copied = sqlite::CopyDatabase(reader_->database(), copy); !copied) {
    return Fail(copied.error());
  }
  files_.RemoveOrphans();
  // A link, unlike a rename, replaces nothing that came in the meantime.
  const bool placed = ::link(copy.c_str(), path_.c_str()) == 0;
  const std::error_code why{errno, std::generic_category()};
  std::filesystem::remove(copy, failure);
  if (placed) {
    sqlite::SyncFolder(folder.string());
    return true;
  }
  if (why == std::errc::file_exists) return false;
  return Fail(Code::kUnavailable, "cannot put the store back: " + why.message());
}

void SqliteStore::Note(const Expected<void>& result) const {
  if (!result && sqlite::SaysDamaged(result.error())) damaged_ = true;
}

template <typename F>
auto SqliteStore::Read(std::string_view what, F&& read) const {
  const MutexLock lock(reader_mutex_);
  Connection& reader = *reader_;
  auto result = sqlite::Attempt("read " + std::string(what), [&] {
    const ReadTransaction transaction(reader);
    return read(reader);
  });
  if (!result) Note(Fail(result.error()));
  return result;
}

template <typename F>
Expected<void> SqliteStore::ReadApart(std::string_view what, F&& read) const {
  auto connection = OpenForReading(path_);
  if (!connection) return Fail(connection.error());
  auto result = sqlite::Attempt("read " + std::string(what), [&] {
    const ReadTransaction transaction(**connection);
    read(**connection);
  });
  Note(result);
  return result;
}

Expected<void> SqliteStore::Write(GroupWriter::Work work) {
  if (writer_ == nullptr) return Fail(ReadOnlyError());
  auto result = writer_->Run(std::move(work));
  Note(result);
  return result;
}

Expected<void> SqliteStore::Apply(StoreChange change) {
  if (writer_ != nullptr && change.empty()) return {};
  return Write([this, &change](Connection& connection) {
    return WriteChange(connection, change, clock_.Wall());
  });
}

void SqliteStore::Submit(StoreChange change, std::function<void(Expected<void>)> done) {
  if (writer_ == nullptr) {
    done(Fail(ReadOnlyError()));
    return;
  }
  writer_->Submit(
      [this, held = std::move(change)](Connection& connection) {
        return WriteChange(connection, held, clock_.Wall());
      },
      [this, told = std::move(done)](Expected<void> result) {
        Note(result);
        told(std::move(result));
      });
}

void SqliteStore::BeginWrite(IntentRecord intent,
                             std::function<void(Expected<std::int64_t>)> done) {
  if (writer_ == nullptr) return done(Fail(ReadOnlyError()));
  auto id = std::make_shared<std::int64_t>(0);
  writer_->Submit(
      [id, held = std::move(intent)](Connection& connection) -> Expected<void> {
        *id = BeginIntent(connection, held);
        return {};
      },
      [this, id, told = std::move(done)](const Expected<void>& result) {
        Note(result);
        if (!result) return told(Fail(result.error()));
        told(*id);
      });
}

Expected<void> SqliteStore::Flush() {
  if (writer_ == nullptr) return Fail(ReadOnlyError());
  return writer_->Flush();
}

Expected<std::vector<ResourceRecord>> SqliteStore::Resources() const {
  return Read("resources", store::ReadResources);
}

Expected<std::optional<ResourceRecord>> SqliteStore::Resource(const std::string& name) const {
  return Read("a resource", [&](Connection& connection) { return FindResource(connection, name); });
}

Expected<std::vector<TargetRecord>> SqliteStore::Targets() const {
  return Read("targets", store::ReadTargets);
}

Expected<std::vector<DriftRecord>> SqliteStore::Drift(const DriftFilter& filter) const {
  return Read("drift", [&](Connection& connection) { return ReadDrift(connection, filter); });
}

Expected<std::unique_ptr<DriftSnapshot>> SqliteStore::SnapshotDrift() const {
  return SqliteDriftSnapshot::Open(path_, [this](const Expected<void>& result) { Note(result); });
}

Expected<std::vector<std::pair<std::int64_t, Event>>> SqliteStore::Events(
    const EventFilter& filter) const {
  return Read("events", [&](Connection& connection) { return ReadEvents(connection, filter); });
}

Expected<std::vector<JournalEntry>> SqliteStore::Journal(const JournalPage& page) const {
  return Read("the journal", [&](Connection& connection) { return ReadJournal(connection, page); });
}

Expected<std::vector<WebhookRecord>> SqliteStore::Webhooks() const {
  return Read("webhooks", ReadWebhooks);
}

Expected<std::vector<RevisionRecord>> SqliteStore::Revisions(const Target& target,
                                                             bool with_policy) const {
  return Read("revisions", [&](Connection& connection) {
    return ReadRevisions(connection, target, with_policy);
  });
}

Expected<std::vector<RevisionRecord>> SqliteStore::RevisionsInForce(WallTime at) const {
  return Read("revisions",
              [&](Connection& connection) { return ReadRevisionsInForce(connection, at); });
}

Expected<RevisionRecord> SqliteStore::Revision(std::int64_t id) const {
  auto found =
      Read("a revision", [&](Connection& connection) { return ReadRevision(connection, id); });
  if (!found) return Fail(found.error());
  if (!*found) return Fail(Code::kNotFound, "there is no revision " + std::to_string(id));
  return std::move(**found);
}

Expected<std::string> SqliteStore::Policy(const std::string& digest) const {
  auto found =
      Read("a policy", [&](Connection& connection) { return ReadPolicy(connection, digest); });
  if (!found) return Fail(found.error());
  if (!*found) return Fail(Code::kNotFound, "there is no policy \"" + digest + "\"");
  return std::move(**found);
}

Expected<std::vector<HoldRecord>> SqliteStore::Holds() const {
  return Read("guard holds", ReadHolds);
}

Expected<std::vector<IntentRecord>> SqliteStore::OpenIntents() const {
  return Read("intents", ReadOpenIntents);
}

Expected<std::vector<RemovalRecord>> SqliteStore::Removals(WallTime since) const {
  return Read("removals",
              [since](Connection& connection) { return ReadRemovals(connection, since); });
}

Expected<std::vector<RollbackRecord>> SqliteStore::Rollbacks() const {
  return Read("rollbacks", ReadRollbacks);
}

Expected<std::optional<GenerationRecord>> SqliteStore::LastGeneration() const {
  return Read("generations", ReadLastGeneration);
}

Expected<EvidenceRecord> SqliteStore::Evidence() const {
  return Read("the evidence", store::ReadEvidence);
}

Expected<std::vector<ManifestProblemRecord>> SqliteStore::Problems() const {
  return Read("manifest problems", ReadProblems);
}

Expected<StoreCounts> SqliteStore::Counts() const { return Read("counts", ReadCounts); }

Expected<std::vector<AuditEntry>> SqliteStore::AuditEntries(const AuditFilter& filter) const {
  auto found = Read("audit entries",
                    [&](Connection& connection) { return ReadAuditEntries(connection, filter); });
  if (!found) return Fail(found.error());
  if (!*found) return Fail(Code::kResourceExhausted, "too much is on record of " + filter.target);
  return std::move(**found);
}

Expected<std::vector<AuditFile>> SqliteStore::AuditFiles() const {
  return Read("audit files", ReadAuditFiles);
}

Expected<void> SqliteStore::ReadResources(const std::function<void(ResourceRecord&&)>& take) const {
  return ReadAhead<ResourceRecord>(
      [this](const NextRecord<ResourceRecord>& next) {
        return ReadApart("resources",
                         [&](Connection& connection) { EachResource(connection, next); });
      },
      take);
}

Expected<void> SqliteStore::ReadCatalog(
    const std::function<void(TargetRecord&&)>& take_target,
    const std::function<void(ResourceRecord&&)>& take_resource) const {
  return ReadBothAhead<TargetRecord, ResourceRecord>(
      [this](const NextRecord<TargetRecord>& next_target,
             const NextRecord<ResourceRecord>& next_resource) {
        return ReadApart("targets and resources", [&](Connection& connection) {
          EachTargetAndResource(connection, next_target, next_resource);
        });
      },
      take_target, take_resource);
}

Expected<void> SqliteStore::ReadFiles(const std::function<void(FileRecord&&)>& take) const {
  return ReadApart("files", [&](Connection& connection) { EachFile(connection, take); });
}

Expected<void> SqliteStore::Retain(WallTime before, std::size_t revisions) {
  return Write([&](Connection& connection) -> Expected<void> {
    store::Retain(connection, before, revisions);
    return {};
  });
}

void SqliteStore::OnCommit(CommitObserver observer) {
  if (writer_ != nullptr) writer_->OnCommit(std::move(observer));
}

}  // namespace bindery::store
