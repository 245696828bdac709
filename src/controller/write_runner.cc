#include "controller/write_runner.h"

#include <utility>

namespace bindery {
namespace {

using std::chrono::steady_clock;

}  // namespace

struct WriteRunner::Write final : OutgoingCall, std::enable_shared_from_this<WriteRunner::Write> {
  TargetKey key;
  WriteJob job;
  Results results;
  std::weak_ptr<boost::asio::thread_pool> comparing;
  steady_clock::time_point started = steady_clock::now();
  std::int64_t intent = 0;
  std::string digest_desired;
  std::chrono::nanoseconds answered_after{0};

  void Finish(WriteResult result) {
    result.intent = intent;
    result.digest_desired = digest_desired;
    // The box holds the write from here on, which must not hold the box.
    const Results box = std::move(results);
    box->Put({std::move(key), std::move(result), shared_from_this()});
  }

  void Refuse(Error error) {
    WriteResult result;
    result.written = Fail(std::move(error));
    result.duration = steady_clock::now() - started;
    Finish(std::move(result));
  }

  /// Whether it was sent by then, nobody knows.
  void BrokeOff(const std::exception& failure) override {
    Error error = FromException(failure);
    error.outcome_unknown = true;
    Refuse(std::move(error));
  }

  /// Finishes with what `step` throws, if it does.
  template <typename Step>
  void Try(const Step& step) {
    const TraceScope scope(trace);
    try {
      step();
    } catch (const std::exception& failure) {
      BrokeOff(failure);
    }
  }

  /// Nothing is sent before the store has it on record.
  void Journal(Store& store, const CallSender& sender) {
    auto writing = WritingOf(job);
    if (!writing) return Refuse(std::move(writing.error()));
    call = std::move(*writing);
    IntentRecord record = IntentOf(job);
    digest_desired = record.digest_desired;
    store.BeginWrite(std::move(record),
                     [write = shared_from_this(), sender](Expected<std::int64_t> journaled) {
                       write->Try([&] { write->Begin(journaled, sender); });
                     });
  }

  void Begin(const Expected<std::int64_t>& journaled, const CallSender& sender) {
    if (!journaled) return Refuse(NotJournaled(journaled.error()));
    intent = *journaled;
    sender.Send(shared_from_this());
  }

  void Answered(Expected<HttpResponse> response) override {
    answered_after = steady_clock::now() - started;
    PostTo(comparing, [write = shared_from_this(), response = std::move(response)]() mutable {
      write->Try([&] { write->Compare(std::move(response)); });
    });
  }

  void Compare(Expected<HttpResponse> response) {
    const auto begun = steady_clock::now();
    WriteResult result = FinishWrite(job, call, BodyOf(call, std::move(response)));
    // Not the time it waited for a thread: that says nothing of the target.
    result.duration = answered_after + (steady_clock::now() - begun);
    Finish(std::move(result));
  }
};

WriteRunner::WriteRunner(WorkThreads threads, Store& store, Results results)
    : threads_(std::move(threads)),
      sender_(threads_.blocking),
      store_(store),
      results_(std::move(results)) {}

void WriteRunner::Start(TargetKey key, WriteJob job) {
  auto write = std::make_shared<Write>();
  write->key = std::move(key);
  write->job = std::move(job);
  write->results = results_;
  write->comparing = threads_.comparing;
  write->connection = write->job.check->connection;
  write->trace = write->job.check->trace;
  PostTo(threads_.comparing, [write, sender = sender_, &store = store_] {
    write->Try([&] { write->Journal(store, sender); });
  });
}

}  // namespace bindery
