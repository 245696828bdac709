#include <pthread.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cloud/curl/curl_events.h"
#include "cloud/curl/curl_exchange.h"
#include "cloud/curl/stream_sharing.h"
#include "cloud/transport.h"
#include "core/base/mutex.h"

namespace bindery::cloud {
namespace {

constexpr long kMaxKeptConnections = 1024;
constexpr std::size_t kUsuallyArrived = 64;

std::optional<std::string> Environment(const std::string& name) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here sets variables
  const char* value = std::getenv(name.c_str());
  if (value == nullptr) return std::nullopt;
  return value;
}

/// Starts a thread that receives no signal: signals are for the waiting loop.
template <typename Body>
std::thread StartWithoutSignals(Body body) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread(std::move(body));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

tl::unexpected<Error> Cancelled(bool may_have_been_sent) {
  Error error;
  error.code = Code::kCancelled;
  error.message = "cancelled: shutting down";
  error.outcome_unknown = may_have_been_sent;
  return Fail(std::move(error));
}

}  // namespace

class CurlTransport::Impl {
 public:
  explicit Impl(CurlTransportOptions options)
      : settings_{std::move(options.user_agent), options.connect_timeout,
                  std::move(options.ca_file),
                  ProxyChoice(options.proxy, options.no_proxy, Environment)},
        observer_(std::move(options.observer)),
        sharing_(options.max_connections_per_host > 0) {
    if (!events_.usable()) return;
    for (const TransferGroup group : {TransferGroup::kStreams, TransferGroup::kExchanges}) {
      CURLM* const multi = events_.multi(group);
      curl_multi_setopt(multi, CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX);
      curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, kMaxKeptConnections);
      curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS,
                        static_cast<long>(options.max_connections_per_host));
    }
    thread_ = StartWithoutSignals([this] { Run(); });
  }

  ~Impl() {
    {
      const MutexLock lock(mutex_);
      cancelled_ = true;
      stopping_ = true;
    }
    if (!thread_.joinable()) return;
    events_.Wake();
    thread_.join();
  }

  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void SendAsync(std::shared_ptr<const HttpRequest> request, Done done) {
    if (!events_.usable()) {
      return done(Fail(Code::kInternal, "libcurl could not be initialised"));
    }
    bool first = false;
    {
      const MutexLock lock(mutex_);
      first = waiting_.empty();
      waiting_.push_back({std::move(request), std::move(done)});
    }
    // With earlier requests in the queue the thread is awake already, and takes them all.
    if (first) events_.Wake();
  }

  void CancelAll() {
    {
      const MutexLock lock(mutex_);
      cancelled_ = true;
    }
    if (events_.usable()) events_.Wake();
  }

 private:
  struct Waiting {
    std::shared_ptr<const HttpRequest> request;
    Done done;
  };
  struct Active {
    std::unique_ptr<CurlExchange> exchange;
    CURLM* multi = nullptr;  ///< That has it.
  };

  // Everything below runs on the transport's thread.

  void Run() {
    // With its first allocation a thread gets one of the allocator's few arenas. Now an arena is
    // left; later the thread might have to share the arena of a thread making requests, and wait.
    arrived_.reserve(kUsuallyArrived);
    while (true) {
      bool cancelled = false;
      bool stopping = false;
      {
        const MutexLock lock(mutex_);
        arrived_.swap(waiting_);
        cancelled = cancelled_;
        stopping = stopping_;
      }
      for (Waiting& waiting : arrived_) {
        if (cancelled) {
          Refuse(waiting, Cancelled(false));
        } else {
          Start(waiting);
        }
      }
      arrived_.clear();
      if (cancelled) AbandonAll();
      if (stopping) return;
      events_.Turn();
      CollectFinished();
    }
  }

  void Start(Waiting& waiting) {
    std::unique_ptr<CurlExchange> exchange = TakeIdle(ChooseSort(*waiting.request));
    if (exchange->easy() == nullptr) {
      return Refuse(waiting, Fail(Code::kInternal, "libcurl has no handle to give"));
    }
    CURLM* const multi = MultiFor(*waiting.request);
    auto begun = exchange->Begin(std::move(waiting.request), std::move(waiting.done));
    if (begun && curl_multi_add_handle(multi, exchange->easy()) != CURLM_OK) {
      begun = Fail(Code::kInternal, "libcurl refused the request");
    }
    if (!begun) return Complete(std::move(exchange), Fail(std::move(begun.error())));
    if (multi == events_.multi(TransferGroup::kStreams)) sharing_.Began();
    CURL* const key = exchange->easy();
    active_.emplace(key, Active{std::move(exchange), multi});
  }

  CURLM* MultiFor(const HttpRequest& request) {
    if (!sharing_.Takes(request)) return events_.multi(TransferGroup::kExchanges);
    CURLM* const multi = events_.multi(TransferGroup::kStreams);
    if (const auto limit = sharing_.LimitForOneMore()) {
      curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, *limit);
    }
    return multi;
  }

  void Refuse(Waiting& waiting, Expected<HttpResponse> result) {
    if (observer_) observer_(DescribeUnsent(*waiting.request));
    waiting.done(std::move(result));
  }

  void CollectFinished() {
    CollectFinishedTransfers(events_.multi(TransferGroup::kStreams));
    CollectFinishedTransfers(events_.multi(TransferGroup::kExchanges));
  }

  void CollectFinishedTransfers(CURLM* multi) {
    int left = 0;
    while (CURLMsg* message = curl_multi_info_read(multi, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      // The message does not outlive the removal of its handle.
      const CURLcode code = message->data.result;
      auto found = active_.extract(message->easy_handle);
      if (found.empty()) continue;
      std::unique_ptr<CurlExchange> exchange = std::move(found.mapped().exchange);
      if (code == CURLE_OK) exchange->KeepConnection();
      Remove(*exchange, multi);
      auto outcome = exchange->Outcome(code);
      Complete(std::move(exchange), std::move(outcome));
    }
  }

  void Remove(const CurlExchange& exchange, CURLM* multi) {
    curl_multi_remove_handle(multi, exchange.easy());
    if (multi == events_.multi(TransferGroup::kStreams)) sharing_.Ended();
  }

  void AbandonAll() {
    for (auto& [easy, active] : std::exchange(active_, {})) {
      const bool sent = active.exchange->Sent();
      Remove(*active.exchange, active.multi);
      Complete(std::move(active.exchange), Cancelled(sent));
    }
  }

  void Complete(std::unique_ptr<CurlExchange> exchange, Expected<HttpResponse> result) {
    const HttpExchange facts = exchange->Describe(result);
    sharing_.Note(facts, exchange->url());
    if (observer_) observer_(facts);
    exchange->Finish(std::move(result));
    auto& idle = idle_.at(static_cast<std::size_t>(exchange->sort()));
    idle.push_back(std::move(exchange));
  }

  std::unique_ptr<CurlExchange> TakeIdle(ExchangeSort sort) {
    auto& idle = idle_.at(static_cast<std::size_t>(sort));
    if (idle.empty()) return std::make_unique<CurlExchange>(settings_, events_);
    std::unique_ptr<CurlExchange> exchange = std::move(idle.back());
    idle.pop_back();
    return exchange;
  }

  const ExchangeSettings settings_;
  const std::function<void(const HttpExchange&)> observer_;
  StreamSharing sharing_;
  /// By the sort of the last request.
  std::array<std::vector<std::unique_ptr<CurlExchange>>, kExchangeSorts> idle_;
  std::unordered_map<CURL*, Active> active_;
  std::vector<Waiting> arrived_;  ///< Taken, not started yet.
  CurlEvents events_;

  Mutex mutex_;
  std::vector<Waiting> waiting_ GUARDED_BY(mutex_);
  bool cancelled_ GUARDED_BY(mutex_) = false;
  bool stopping_ GUARDED_BY(mutex_) = false;

  std::thread thread_;
};

CurlTransport::CurlTransport(CurlTransportOptions options)
    : impl_(std::make_unique<Impl>(std::move(options))) {}
CurlTransport::~CurlTransport() = default;

Expected<HttpResponse> CurlTransport::Send(const HttpRequest& request) {
  std::promise<Expected<HttpResponse>> promise;
  std::future<Expected<HttpResponse>> answer = promise.get_future();
  // The request outlives the answer, because the caller waits.
  const std::shared_ptr<const HttpRequest> borrowed(std::shared_ptr<void>(), &request);
  impl_->SendAsync(borrowed, [&promise](Expected<HttpResponse> result) {
    promise.set_value(std::move(result));
  });
  return answer.get();
}

void CurlTransport::SendAsync(std::shared_ptr<HttpRequest> request, Done done) {
  impl_->SendAsync(std::move(request), std::move(done));
}

void CurlTransport::CancelAll() { impl_->CancelAll(); }

}  // namespace bindery::cloud
