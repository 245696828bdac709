#include "controller/check_runner.h"

#include <utility>

#include "core/digest.h"

namespace bindery {

using std::chrono::steady_clock;

struct CheckRunner::Check final : OutgoingCall, std::enable_shared_from_this<CheckRunner::Check> {
  TargetKey key;
  std::shared_ptr<const CheckJob> job;
  Results results;
  std::shared_ptr<const PolicyReader> stored;
  std::weak_ptr<boost::asio::thread_pool> comparing;
  steady_clock::time_point started = steady_clock::now();
  std::chrono::nanoseconds answered_after{0};

  void Finish(CheckResult result) {
    // The box holds the check from here on, which must not hold the box.
    const Results box = std::move(results);
    box->Put({std::move(key), std::move(result), shared_from_this()});
  }

  void BrokeOff(const std::exception& failure) override {
    CheckResult result;
    result.observed = Fail(FromException(failure));
    Finish(std::move(result));
  }

  void Begin(const CallSender& sender) {
    auto reading = job->kind->Reading(*job->connection, job->target.name, job->timeout);
    if (!reading) {
      Finish(FinishCheck(*job, {}, Fail(std::move(reading.error()))));
      return;
    }
    connection = job->connection;
    call = std::move(*reading);
    call.request.max_response_bytes = kMaxPolicyBytes;
    trace = job->trace;
    sender.Send(shared_from_this());
  }

  /// Only what is known already is dealt with here.
  void Answered(Expected<HttpResponse> response) override {
    answered_after = steady_clock::now() - started;
    Sha256Digest digest;
    if (response && IsGood(*response)) digest = Sha256Digest::Of(response->body);
    if (digest.empty() || digest != job->known_body) {
      PostTo(comparing,
             [check = shared_from_this(), digest, response = std::move(response)]() mutable {
               check->Compare(std::move(response), digest);
             });
      return;
    }
    CheckResult result;
    result.unchanged = true;
    result.body = digest;
    result.duration = answered_after;
    Finish(std::move(result));
  }

  void Compare(Expected<HttpResponse> response, const Sha256Digest& digest) {
    const auto begun = steady_clock::now();
    CheckResult result;
    try {
      result = FinishCheck(*job, call, BodyOf(call, std::move(response)), digest, *stored);
    } catch (const std::exception& failure) {
      BrokeOff(failure);
      return;
    }
    // Not the time it waited for a thread: that says nothing of the target.
    result.duration = answered_after + (steady_clock::now() - begun);
    Finish(std::move(result));
  }
};

CheckRunner::CheckRunner(WorkThreads threads, Results results, PolicyReader stored)
    : threads_(std::move(threads)),
      sender_(threads_.blocking),
      results_(std::move(results)),
      stored_(std::make_shared<const PolicyReader>(std::move(stored))) {}

void CheckRunner::Start(TargetKey key, std::shared_ptr<const CheckJob> job) {
  auto check = std::make_shared<Check>();
  check->key = std::move(key);
  check->job = std::move(job);
  check->results = results_;
  check->stored = stored_;
  check->comparing = threads_.comparing;
  try {
    check->Begin(sender_);
  } catch (const std::exception& failure) {
    check->BrokeOff(failure);
  }
}

}  // namespace bindery
