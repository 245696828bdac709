#include "store/sql_store.h"

#include <utility>

#include "store/tables/reads.h"
#include "store/tables/retention.h"
#include "store/tables/writes.h"

namespace bindery::store {
namespace {

Error ReadOnlyError() {
  Error error;
  error.code = Code::kFailedPrecondition;
  error.message = "the store is open for reading only";
  return error;
}

/// Temporary errors without relation to the content of the change.
bool IsOfTheDatabase(Code code) {
  return code == Code::kUnavailable || code == Code::kResourceExhausted ||
         code == Code::kPermissionDenied || code == Code::kDeadlineExceeded;
}

/// Counts one missing change. Used on the writer's thread.
class Missing {
 public:
  explicit Missing(std::shared_ptr<std::atomic<int>> count) : count_(std::move(count)) {}

  /// True from the second time on: the changes of a group are tried once more, each for itself.
  [[nodiscard]] bool IsTriedAgain() { return std::exchange(tried_, true); }

  void Note(bool missing) {
    if (missing == noted_) return;
    noted_ = missing;
    *count_ += missing ? 1 : -1;
  }

 private:
  std::shared_ptr<std::atomic<int>> count_;
  bool tried_ = false;
  bool noted_ = false;
};

}  // namespace

SqlStore::SqlStore(std::unique_ptr<Engine> engine, std::unique_ptr<Connection> writer,
                   std::unique_ptr<Connection> reader, const Clock& clock)
    : SqlReads(std::move(engine), std::move(reader)),
      clock_(clock),
      inventory_(connections(), [this](GroupWriter::Work work) { return Write(std::move(work)); }),
      hours_(connections(), [this](GroupWriter::Work work) {
        if (writer_ == nullptr) return;
        // An hour is no row that later changes look up.
        writer_->Submit(
            std::move(work), [this](const Expected<void>& result) { this->engine().Note(result); },
            [](Foresight& /*foresight*/) {});
      }) {
  if (writer == nullptr) return;
  writer_ = std::make_unique<GroupWriter>(std::move(writer),
                                          [this] { return this->engine().ConfirmCommit(); });
}

SqlStore::~SqlStore() {
  if (writer_ == nullptr) return;
  // While everything else still exists: callbacks of what is written last may read.
  writer_->Stop();
  engine().Closing();
  // The reader before the writer, so that the last connection to close is able to tidy up.
  connections().Close();
  writer_.reset();
  engine().Closed();
}

std::optional<StoreFault> SqlStore::Examine(bool try_write) {
  if (writer_ == nullptr) return std::nullopt;
  const bool tries = try_write || !IsComplete();
  if (auto fault = engine().Examine(tries); fault || !tries) return fault;
  // Asked between two changes: a change counts as missing until its write has succeeded.
  Expected<void> complete;
  const Expected<void> written = Write([this, &complete](Connection& connection) {
    complete = IsComplete();
    return engine().TryWrite(connection);
  });
  if (!written) return StoreFault{written.error()};
  if (!complete) return StoreFault{complete.error(), /*lost=*/true};
  return std::nullopt;
}

Expected<void> SqlStore::IsComplete() const {
  if (*missing_ == 0) return {};
  return Fail(Code::kUnavailable, "some changes could not be recorded while it took no writes");
}

Expected<void> SqlStore::Write(GroupWriter::Work work, GroupWriter::Foresee foresee) {
  if (writer_ == nullptr) return Fail(ReadOnlyError());
  auto result = writer_->Run(std::move(work), std::move(foresee));
  engine().Note(result);
  return result;
}

Expected<void> SqlStore::Apply(StoreChange change) {
  if (writer_ != nullptr && change.empty()) return {};
  return Write(
      [this, &change](Connection& connection) {
        return WriteChange(connection, change, clock_.Wall());
      },
      [&change](Foresight& foresight) { foresight.Note(change); });
}

void SqlStore::Submit(StoreChange change, std::function<void(Expected<void>)> done) {
  if (writer_ == nullptr) {
    done(Fail(ReadOnlyError()));
    return;
  }
  if (change.empty()) {
    // Called when all earlier changes are durable.
    return writer_->Submit([this](Connection& /*connection*/) { return IsComplete(); },
                           std::move(done), [](Foresight& /*foresight*/) {});
  }
  const auto missing = std::make_shared<Missing>(missing_);
  const auto held = std::make_shared<const StoreChange>(std::move(change));
  writer_->Submit(
      [this, missing, held](Connection& connection) {
        // Missing until success: a later piece of the group asks.
        missing->Note(true);
        auto written = WriteChange(connection, *held, clock_.Wall());
        if (missing->IsTriedAgain()) connection.Settle();
        missing->Note(!written && IsOfTheDatabase(written.error().code));
        return written;
      },
      [this, missing, told = std::move(done)](Expected<void> result) {
        missing->Note(!result && IsOfTheDatabase(result.error().code));
        engine().Note(result);
        told(std::move(result));
      },
      [held](Foresight& foresight) { foresight.Note(*held); });
}

void SqlStore::BeginWrite(IntentRecord intent, std::function<void(Expected<std::int64_t>)> done) {
  if (writer_ == nullptr) return done(Fail(ReadOnlyError()));
  auto id = std::make_shared<std::int64_t>(0);
  const auto held = std::make_shared<const IntentRecord>(std::move(intent));
  writer_->Submit(
      [this, id, held](Connection& connection) -> Expected<void> {
        if (auto complete = IsComplete(); !complete) return complete;
        *id = BeginIntent(connection, *held);
        return {};
      },
      [this, id, told = std::move(done)](const Expected<void>& result) {
        engine().Note(result);
        if (!result) return told(Fail(result.error()));
        told(*id);
      },
      [held](Foresight& foresight) { foresight.Note(*held); });
}

Expected<void> SqlStore::Flush() {
  if (writer_ == nullptr) return Fail(ReadOnlyError());
  return writer_->Flush();
}

Expected<void> SqlStore::Retain(WallTime before, std::size_t revisions) {
  return Write([&](Connection& connection) -> Expected<void> {
    store::Retain(connection, before, revisions);
    return {};
  });
}

void SqlStore::OnCommit(CommitObserver observer) {
  if (writer_ != nullptr) writer_->OnCommit(std::move(observer));
}

std::optional<std::uint64_t> SqlStore::ContentVersion() const {
  // Another writer may have taken over.
  if (writer_ == nullptr || !engine().MayAct()) return std::nullopt;
  return writer_->content_version() + put_back_;
}

Expected<bool> SqlStore::PutBack() {
  auto done = connections().PutBack();
  if (done && *done) ++put_back_;
  return done;
}

Expected<StoreCounts> SqlStore::Counts() const { return connections().Read("counts", ReadCounts); }

Expected<std::vector<JournalEntry>> SqlStore::Journal(const JournalPage& page) const {
  return connections().Read("the journal",
                            [&](Connection& connection) { return ReadJournal(connection, page); });
}

Expected<std::vector<WebhookRecord>> SqlStore::Webhooks() const {
  return connections().Read("webhooks", ReadWebhooks);
}

Expected<std::vector<AuditFile>> SqlStore::AuditFiles() const {
  return connections().Read("audit files", ReadAuditFiles);
}

}  // namespace bindery::store
