#include "controller/loop/write_runner.h"

#include <utility>

#include "controller/work/work_time.h"

namespace bindery::controller {
namespace {

using std::chrono::steady_clock;

}  // namespace

struct WriteRunner::Write final : OutgoingCall, std::enable_shared_from_this<WriteRunner::Write> {
  enum class Stage { kReadBefore, kWrite, kReadAfter };

  Write(CallSender calls, store::StateWriter& writer) : sender(std::move(calls)), store(writer) {}

  const CallSender sender;
  store::StateWriter& store;
  TargetKey key;
  WriteJob job;
  Results results;
  Stage stage = Stage::kWrite;
  cloud::PolicyCall write;  ///< Until it is sent.
  WriteResult told;         ///< What is known of it so far.
  std::weak_ptr<boost::asio::thread_pool> comparing;
  WorkTime time{steady_clock::now()};
  store::IntentRecord record;  ///< As it goes on record, and by its id is from then on.

  void Finish(WriteResult result) {
    result.intent = record.id;
    result.digest_desired = record.digest_desired;
    result.conditional = record.conditional;
    // The box holds the write from here on, which must not hold the box.
    const Results box = std::move(results);
    box->Put({std::move(key), std::move(result), shared_from_this()});
  }

  void Refuse(Error error) {
    told.written = Fail(std::move(error));
    told.duration = time.Passed(steady_clock::now());
    Finish(std::move(told));
  }

  /// Whether the request was sent is unknown.
  void OnException(const std::exception& failure) override {
    Error error = FromException(failure);
    error.outcome_unknown = true;
    Refuse(std::move(error));
  }

  /// Finishes with the exception of `step`, if any.
  template <typename Step>
  void Try(const Step& step) {
    const telemetry::TraceScope scope(trace);
    try {
      step();
    } catch (const std::exception& failure) {
      OnException(failure);
    }
  }

  /// Nothing is sent before the store has it on record.
  void Journal() {
    auto writing = MakeWriting(job);
    if (!writing) return Refuse(std::move(writing.error()));
    write = std::move(*writing);
    record = MakeIntent(job);
    store.BeginWrite(record, [self = shared_from_this()](Expected<std::int64_t> journaled) {
      self->Try([&] { self->Begin(journaled); });
    });
  }

  void Begin(const Expected<std::int64_t>& journaled) {
    if (!journaled) return Refuse(NotJournaled(journaled.error()));
    record.id = *journaled;
    if (ReadsBefore(job)) {
      Read(Stage::kReadBefore);
    } else {
      SendWrite();
    }
  }

  void Read(Stage next) {
    auto reading = MakeReading(*job.check);
    if (!reading) return Refuse(std::move(reading.error()));
    stage = next;
    ++told.readings;
    call = std::move(*reading);
    sender.Send(shared_from_this());
  }

  void SendWrite() {
    stage = Stage::kWrite;
    call = std::move(write);
    sender.Send(shared_from_this());
  }

  /// A program that stood still after recording its intent may have been replaced.
  [[nodiscard]] Expected<void> MaySend() const override {
    if (stage != Stage::kWrite) return {};
    auto may = store.MayAct();
    // Not of a code that says the service is away.
    if (!may) return Fail(Code::kInternal, "nothing was written: " + may.error().message);
    return {};
  }

  void Answered(Expected<cloud::HttpResponse> response) override {
    time.Answered(steady_clock::now());
    PostTo(comparing, [self = shared_from_this(), response = std::move(response)]() mutable {
      self->Try([&] { self->Compare(cloud::MakeBody(self->call, std::move(response))); });
    });
  }

  void Compare(const Expected<std::string>& answered) {
    time.Comparing(steady_clock::now());
    if (stage == Stage::kReadBefore) {
      auto same = StillAsRead(job, call, answered);
      if (!same) return Refuse(std::move(same.error()));
      return SendWrite();
    }
    if (stage == Stage::kReadAfter) {
      ReadBack(job, call, answered, told);
      return Conclude();
    }
    const int readings = told.readings;
    told = FinishWrite(job, call, answered);
    told.readings = readings;
    if (ReadsAfter(job, told)) return Read(Stage::kReadAfter);
    Conclude();
  }

  void Conclude() {
    told.duration = time.Worked(steady_clock::now());
    Finish(std::move(told));
  }
};

WriteRunner::WriteRunner(WorkThreads threads, store::StateWriter& store, Results results)
    : threads_(std::move(threads)),
      sender_(threads_.blocking),
      store_(store),
      results_(std::move(results)) {}

void WriteRunner::Start(TargetKey key, WriteJob job) {
  auto write = std::make_shared<Write>(sender_, store_);
  write->key = std::move(key);
  write->job = std::move(job);
  write->results = results_;
  write->comparing = threads_.comparing;
  write->connection = write->job.check->connection;
  write->trace = write->job.check->trace;
  PostTo(threads_.comparing, [write] { write->Try([&] { write->Journal(); }); });
}

}  // namespace bindery::controller
