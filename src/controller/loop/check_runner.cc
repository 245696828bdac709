#include "controller/loop/check_runner.h"

#include <utility>

#include "controller/work/work_time.h"
#include "core/text/digest.h"

namespace bindery::controller {

using std::chrono::steady_clock;

struct CheckRunner::Check final : OutgoingCall, std::enable_shared_from_this<CheckRunner::Check> {
  TargetKey key;
  std::shared_ptr<const CheckJob> job;
  Results results;
  std::shared_ptr<const PolicyReader> stored;
  std::weak_ptr<boost::asio::thread_pool> comparing;
  std::weak_ptr<boost::asio::thread_pool> blocking;
  WorkTime time{steady_clock::now()};
  CallSender sender;
  bool asks_etag = false;  ///< The call under way is Kind::ReadEtag.
  EtagAnswer etag_answer = EtagAnswer::kNotAsked;

  explicit Check(CallSender calls) : sender(std::move(calls)) {}

  void Finish(CheckResult result) {
    // The box holds the check from here on, which must not hold the box.
    const Results box = std::move(results);
    box->Put({std::move(key), std::move(result), shared_from_this()});
  }

  void OnException(const std::exception& failure) override {
    CheckResult result;
    result.observed = Fail(FromException(failure));
    Finish(std::move(result));
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

  void Begin() {
    connection = job->connection;
    if (!job->etag_first) return Read();
    asks_etag = true;
    Send(job->kind->ReadEtag(*connection, job->target.name, job->timeout));
  }

  void Read() {
    asks_etag = false;
    Send(job->kind->BuildGet(*connection, job->target.name, job->timeout));
  }

  void Send(Expected<cloud::PolicyCall> reading) {
    if (!reading) {
      Finish(FinishCheck(*job, {}, Fail(std::move(reading.error()))));
      return;
    }
    call = std::move(*reading);
    call.request.max_response_bytes = kMaxPolicyBytes;
    sender.Send(shared_from_this());
  }

  /// Only what is known already is dealt with here.
  void Answered(Expected<cloud::HttpResponse> response) override {
    time.Answered(steady_clock::now());
    if (asks_etag) return TakeEtag(cloud::MakeBody(call, std::move(response)));
    Sha256Digest digest;
    if (response && cloud::IsGood(*response)) digest = Sha256Digest::Of(response->body);
    if (digest.empty() || digest != job->known_body) {
      PostTo(comparing,
             [check = shared_from_this(), digest, response = std::move(response)]() mutable {
               check->Try([&] {
                 check->Compare(cloud::MakeBody(check->call, std::move(response)), digest);
               });
             });
      return;
    }
    CheckResult result;
    result.unchanged = true;
    result.body = digest;
    result.etag_answer = etag_answer;
    result.duration = time.UntilAnswer();
    Finish(std::move(result));
  }

  void TakeEtag(Expected<std::string> answered) {
    const std::optional<EtagAnswer> etag = JudgeEtag(*job, answered);
    if (etag == EtagAnswer::kSame) {
      CheckResult result = SameByEtag(*job);
      result.duration = time.UntilAnswer();
      return Finish(std::move(result));
    }
    PostTo(comparing, [check = shared_from_this(), etag, answered = std::move(answered)] {
      check->Try([&] {
        if (!etag) return check->Compare(answered, {});
        check->etag_answer = *etag;
        check->Read();
      });
    });
  }

  /// What has to be known before the policy can be compared, on a thread that may block.
  void Ask(const Expected<std::string>& answered, const Sha256Digest& digest,
           JustInTimeAnswers questions) {
    PostTo(blocking,
           [check = shared_from_this(), answered, digest, questions = std::move(questions)] {
             check->Try([&] {
               check->job =
                   std::make_shared<const CheckJob>(WithJustInTimeAnswers(*check->job, questions));
               PostTo(check->comparing, [check, answered, digest] {
                 check->Try([&] { check->Compare(answered, digest); });
               });
             });
           });
  }

  void Compare(const Expected<std::string>& answered, const Sha256Digest& digest) {
    time.Comparing(steady_clock::now());
    CheckResult result = FinishCheck(*job, call, answered, digest, *stored);
    if (!result.questions.empty()) return Ask(answered, digest, std::move(result.questions));
    result.etag_answer = etag_answer;
    result.duration = time.Worked(steady_clock::now());
    Finish(std::move(result));
  }
};

CheckRunner::CheckRunner(WorkThreads threads, Results results, PolicyReader stored)
    : threads_(std::move(threads)),
      sender_(threads_.blocking),
      results_(std::move(results)),
      stored_(std::make_shared<const PolicyReader>(std::move(stored))) {}

void CheckRunner::Start(TargetKey key, std::shared_ptr<const CheckJob> job) {
  auto check = std::make_shared<Check>(sender_);
  check->key = std::move(key);
  check->trace = job->trace;
  check->job = std::move(job);
  check->results = results_;
  check->stored = stored_;
  check->comparing = threads_.comparing;
  check->blocking = threads_.blocking;
  check->Try([&] { check->Begin(); });
}

}  // namespace bindery::controller
