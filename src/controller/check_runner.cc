#include "controller/check_runner.h"

#include <boost/asio/post.hpp>
#include <exception>
#include <optional>

#include "core/digest.h"

namespace bindery {
namespace asio = boost::asio;
namespace {

using std::chrono::steady_clock;

constexpr std::size_t kComparers = 2;

}  // namespace

/// One check under way. Touched by one thread at a time.
struct CheckRunner::Check : std::enable_shared_from_this<CheckRunner::Check> {
  TargetKey key;
  std::shared_ptr<const CheckJob> job;
  Results results;
  steady_clock::time_point started = steady_clock::now();
  PolicyRead read;
  std::chrono::nanoseconds answered_after{0};

  void Finish(CheckResult result) {
    // The box holds the check from here on, which must not hold the box.
    const Results box = std::move(results);
    box->Put({std::move(key), std::move(result), shared_from_this()});
  }

  void GiveUp(const std::exception& failure) {
    CheckResult result;
    result.observed = Fail(FromException(failure));
    Finish(std::move(result));
  }

  /// Finishes with what `work` gives, or with what it throws.
  template <typename Work>
  void FinishBy(const Work& work) {
    std::optional<CheckResult> result;
    try {
      result = work();
    } catch (const std::exception& failure) {
      return GiveUp(failure);
    }
    Finish(std::move(*result));
  }

  void RunBlocking() {
    FinishBy([this] { return RunCheck(*job); });
  }

  void Compare(Expected<HttpResponse> response, const Sha256Digest& digest) {
    const auto begun = steady_clock::now();
    FinishBy([&] {
      const Expected<std::string> body = BodyOf(read, std::move(response));
      CheckResult result = FinishCheck(*job, read, body, digest);
      // Not the time it waited for a thread: that says nothing of the target.
      result.duration = answered_after + (steady_clock::now() - begun);
      return result;
    });
  }

  /// Once more with other credentials, if there are some.
  void TryAgain(HttpResponse refusal) {
    FinishBy([&] {
      if (job->connection->authorizer->Refused(read.request)) return RunCheck(*job);
      CheckResult result = FinishCheck(*job, read, BodyOf(read, std::move(refusal)));
      result.duration = answered_after;
      return result;
    });
  }
};

CheckRunner::CheckRunner(std::shared_ptr<asio::thread_pool> blocking, Results results)
    : pools_{std::move(blocking), std::make_shared<asio::thread_pool>(kComparers)},
      results_(std::move(results)) {}

void CheckRunner::Start(TargetKey key, std::shared_ptr<const CheckJob> job) {
  auto check = std::make_shared<Check>();
  check->key = std::move(key);
  check->job = std::move(job);
  check->results = results_;
  try {
    Send(check);
  } catch (const std::exception& failure) {
    check->GiveUp(failure);
  }
}

void CheckRunner::Send(const std::shared_ptr<Check>& check) {
  const CheckJob& job = *check->job;
  auto read = job.kind->Reading(*job.connection, job.target.name, job.timeout);
  const bool sendable = read && job.connection->authorizer->TryAuthorize(read->request);
  if (!sendable) {
    asio::post(*pools_.blocking, [check] { check->RunBlocking(); });
    return;
  }
  check->read = std::move(*read);
  const TraceScope scope(job.trace);
  // Part of the check, and goes with it.
  std::shared_ptr<HttpRequest> request(check, &check->read.request);
  job.connection->transport->SendAsync(std::move(request),
                                       [pools = pools_, check](Expected<HttpResponse> response) {
                                         try {
                                           Answered(pools, check, std::move(response));
                                         } catch (const std::exception& failure) {
                                           check->GiveUp(failure);
                                         }
                                       });
}

/// On the transport's thread: only what is known already is dealt with here.
void CheckRunner::Answered(const Pools& pools, const std::shared_ptr<Check>& check,
                           Expected<HttpResponse> response) {
  check->answered_after = steady_clock::now() - check->started;
  if (response && RefusesCredentials(*response)) {
    asio::post(*pools.blocking, [check, refusal = std::move(*response)]() mutable {
      check->TryAgain(std::move(refusal));
    });
    return;
  }
  Sha256Digest digest;
  if (response && IsGood(*response)) digest = Sha256Digest::Of(response->body);
  if (digest.empty() || digest != check->job->known_body) {
    asio::post(*pools.comparing, [check, digest, response = std::move(response)]() mutable {
      check->Compare(std::move(response), digest);
    });
    return;
  }
  CheckResult result;
  result.unchanged = true;
  result.body = digest;
  result.duration = check->answered_after;
  check->Finish(std::move(result));
}

}  // namespace bindery
