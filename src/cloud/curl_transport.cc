#include <pthread.h>

#include <csignal>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cloud/curl_exchange.h"
#include "cloud/transport.h"

namespace bindery {
namespace {

using cloud_internal::CurlExchange;
using cloud_internal::ExchangeSettings;
using cloud_internal::ProxyChoice;

constexpr long kMaxKeptConnections = 1024;
constexpr int kLongestPollMillis = 60'000;  // The poll is woken when there is something to do.

struct FreeEasy {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
using EasyHandle = std::unique_ptr<CURL, FreeEasy>;

struct FreeMulti {
  void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
};

std::optional<std::string> Environment(const std::string& name) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here sets variables
  const char* value = std::getenv(name.c_str());
  if (value == nullptr) return std::nullopt;
  return value;
}

/// Starts a thread that receives no signal: they are for the loop that waits for them.
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
        observer_(std::move(options.observer)) {
    static const CURLcode kInitialised = curl_global_init(CURL_GLOBAL_DEFAULT);
    if (kInitialised == CURLE_OK) multi_.reset(curl_multi_init());
    if (multi_ == nullptr) return;
    curl_multi_setopt(multi_.get(), CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX);
    curl_multi_setopt(multi_.get(), CURLMOPT_MAXCONNECTS, kMaxKeptConnections);
    curl_multi_setopt(multi_.get(), CURLMOPT_MAX_HOST_CONNECTIONS,
                      static_cast<long>(options.max_connections_per_host));
    thread_ = StartWithoutSignals([this] { Run(); });
  }

  ~Impl() {
    {
      const std::scoped_lock lock(mutex_);
      cancelled_ = true;
      stopping_ = true;
    }
    if (!thread_.joinable()) return;
    curl_multi_wakeup(multi_.get());
    thread_.join();
  }

  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  Expected<HttpResponse> Send(const HttpRequest& request) {
    if (multi_ == nullptr) return Fail(Code::kInternal, "libcurl could not be initialised");
    CurlExchange exchange(request);
    {
      const std::scoped_lock lock(mutex_);
      if (cancelled_) return Cancelled(false);
      waiting_.push_back(&exchange);
    }
    curl_multi_wakeup(multi_.get());
    return exchange.Wait();
  }

  void CancelAll() {
    {
      const std::scoped_lock lock(mutex_);
      cancelled_ = true;
    }
    if (multi_ != nullptr) curl_multi_wakeup(multi_.get());
  }

 private:
  // Everything below runs on the transport's thread.

  void Run() {
    while (true) {
      std::vector<CurlExchange*> arrived;
      bool cancelled = false;
      bool stopping = false;
      {
        const std::scoped_lock lock(mutex_);
        arrived.swap(waiting_);
        cancelled = cancelled_;
        stopping = stopping_;
      }
      for (CurlExchange* exchange : arrived) Start(exchange, cancelled);
      if (cancelled) AbandonAll();
      if (stopping) return;
      int running = 0;
      curl_multi_perform(multi_.get(), &running);
      // Whoever is answered here may send again at once; the poll then returns at once.
      CollectFinished();
      curl_multi_poll(multi_.get(), nullptr, 0, kLongestPollMillis, nullptr);
    }
  }

  void Start(CurlExchange* exchange, bool cancelled) {
    if (cancelled) return Complete(exchange, nullptr, Cancelled(false));
    EasyHandle easy = TakeEasy();
    if (easy == nullptr) {
      return Complete(exchange, nullptr, Fail(Code::kInternal, "libcurl has no handle to give"));
    }
    if (auto prepared = exchange->Prepare(easy.get(), settings_); !prepared) {
      return Complete(exchange, nullptr, Fail(std::move(prepared.error())));
    }
    if (curl_multi_add_handle(multi_.get(), easy.get()) != CURLM_OK) {
      return Complete(exchange, nullptr, Fail(Code::kInternal, "libcurl refused the request"));
    }
    CURL* const key = easy.get();
    active_.emplace(key, Active{std::move(easy), exchange});
  }

  void CollectFinished() {
    int left = 0;
    while (CURLMsg* message = curl_multi_info_read(multi_.get(), &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      // The message does not outlive the removal of its handle.
      const CURLcode code = message->data.result;
      const auto found = active_.find(message->easy_handle);
      if (found == active_.end()) continue;
      Active active = std::move(found->second);
      active_.erase(found);
      curl_multi_remove_handle(multi_.get(), active.easy.get());
      Complete(active.exchange, active.easy.get(),
               active.exchange->Outcome(active.easy.get(), code));
      idle_.push_back(std::move(active.easy));
    }
  }

  void AbandonAll() {
    for (auto& [key, active] : active_) {
      const bool sent = active.exchange->Sent(active.easy.get());
      curl_multi_remove_handle(multi_.get(), active.easy.get());
      Complete(active.exchange, active.easy.get(), Cancelled(sent));
    }
    active_.clear();
  }

  void Complete(CurlExchange* exchange, CURL* easy, Expected<HttpResponse> result) {
    if (observer_) observer_(exchange->Describe(easy, result));
    // The exchange owns what the handle points to and is gone after Finish.
    if (easy != nullptr) curl_easy_reset(easy);
    exchange->Finish(std::move(result));
  }

  EasyHandle TakeEasy() {
    if (idle_.empty()) return EasyHandle(curl_easy_init());
    EasyHandle easy = std::move(idle_.back());
    idle_.pop_back();
    return easy;
  }

  struct Active {
    EasyHandle easy;
    CurlExchange* exchange;
  };

  const ExchangeSettings settings_;
  const std::function<void(const HttpExchange&)> observer_;
  std::unique_ptr<CURLM, FreeMulti> multi_;
  std::map<CURL*, Active> active_;
  std::vector<EasyHandle> idle_;

  std::mutex mutex_;  ///< Guards what follows.
  std::vector<CurlExchange*> waiting_;
  bool cancelled_ = false;
  bool stopping_ = false;

  std::thread thread_;
};

CurlTransport::CurlTransport(CurlTransportOptions options)
    : impl_(std::make_unique<Impl>(std::move(options))) {}
CurlTransport::~CurlTransport() = default;

Expected<HttpResponse> CurlTransport::Send(const HttpRequest& request) {
  return impl_->Send(request);
}

void CurlTransport::CancelAll() { impl_->CancelAll(); }

}  // namespace bindery
