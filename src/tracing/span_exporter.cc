#include "tracing/span_exporter.h"

#include <pthread.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <exception>
#include <iterator>
#include <optional>
#include <utility>

#include "cloud/retry_after.h"
#include "core/base/json.h"
#include "tracing/header_file.h"

namespace bindery::tracing {
namespace {

using std::chrono::milliseconds;

constexpr int kAttempts = 5;

/// The statuses that OTLP calls retryable.
bool IsPassing(int status) {
  return status == 429 || status == 502 || status == 503 || status == 504;
}

/// The meaning of an answer. The body is not repeated: it may repeat the request.
Expected<cloud::HttpResponse> Judged(Expected<cloud::HttpResponse> response) {
  if (!response || (response->status >= 200 && response->status < 300)) return response;
  Error error;
  error.http_status = response->status;
  error.code = IsPassing(response->status) ? Code::kUnavailable : Code::kInvalidArgument;
  error.message = "the collector answered HTTP " + std::to_string(response->status);
  error.retry_after = cloud::RetryAfter(*response, std::nullopt, std::chrono::system_clock::now());
  return Fail(std::move(error));
}

/// {"partialSuccess": {"rejectedSpans": "3"}}
std::size_t RejectedSpans(const std::string& body) {
  const Expected<Json> answer = ParseJson(body);
  const Json* partial = answer ? FindMember(*answer, "partialSuccess") : nullptr;
  const Json* rejected = partial == nullptr ? nullptr : FindMember(*partial, "rejectedSpans");
  if (rejected == nullptr) return 0;
  if (rejected->is_number_unsigned()) return rejected->get<std::size_t>();
  if (!rejected->is_string()) return 0;
  const auto& text = rejected->get_ref<const std::string&>();
  std::size_t count = 0;
  std::from_chars(text.data(), text.data() + text.size(), count);
  return count;
}

bool IsWorthAnotherTry(const Error& error) {
  return error.code == Code::kUnavailable || error.code == Code::kDeadlineExceeded;
}

}  // namespace

SpanExporter::SpanExporter(SpanExporterOptions options, std::shared_ptr<cloud::Transport> transport)
    : options_(std::move(options)), transport_(std::move(transport)) {
  // Signals are for the waiting loop.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { Run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

SpanExporter::~SpanExporter() { Stop(milliseconds(0)); }

void SpanExporter::Record(telemetry::Span span) {
  std::size_t waiting = 0;
  {
    const MutexLock lock(mutex_);
    if (!stopping_ && waiting_.size() < options_.capacity) {
      waiting_.push_back(std::move(span));
      waiting = waiting_.size();
    }
  }
  if (waiting == 0) return Count("dropped", 1);
  if (waiting == 1 || waiting == options_.batch) changed_.NotifyAll();
}

void SpanExporter::Stop(milliseconds patience) {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    changed_.NotifyAll();
    changed_.WaitFor(mutex_, patience, [this]() REQUIRES(mutex_) { return over_; });
  }
  if (!thread_.joinable()) return;
  if (options_.cancel) options_.cancel();
  thread_.join();
}

void SpanExporter::Run() {
  const MutexLock lock(mutex_);
  while (true) {
    changed_.Wait(mutex_, [this]() REQUIRES(mutex_) { return stopping_ || !waiting_.empty(); });
    changed_.WaitFor(mutex_, options_.interval, [this]() REQUIRES(mutex_) {
      return stopping_ || waiting_.size() >= options_.batch;
    });
    if (waiting_.empty()) break;
    const auto end = std::next(
        waiting_.begin(), static_cast<std::ptrdiff_t>(std::min(waiting_.size(), options_.batch)));
    const std::vector<telemetry::Span> batch(std::make_move_iterator(waiting_.begin()),
                                             std::make_move_iterator(end));
    waiting_.erase(waiting_.begin(), end);
    const MutexRelease released(mutex_);
    Export(batch);
  }
  over_ = true;
  changed_.NotifyAll();
}

void SpanExporter::Export(const std::vector<telemetry::Span>& spans) {
  Expected<std::size_t> exported = Fail(Code::kInternal, "not run");
  try {
    exported = Send(spans);
  } catch (const std::exception& failure) {
    exported = Fail(Code::kInternal, std::string("unexpected: ") + failure.what());
  }
  const std::size_t count = exported.value_or(0);
  Count("exported", count);
  Count("failed", spans.size() - count);
  Tell(exported ? nullptr : &exported.error());
}

/// How many the collector took.
Expected<std::size_t> SpanExporter::Send(const std::vector<telemetry::Span>& spans) {
  cloud::HttpRequest request;
  request.method = "POST";
  request.url = options_.endpoint + "/v1/traces";
  request.timeout = options_.timeout;
  request.service = "otlp";
  request.operation = "traces";
  request.body = OtlpJson(options_.origin, spans);
  auto headers = ReadHeaderFile(options_.headers_file);
  if (!headers) return Fail(std::move(headers.error()));
  request.headers = std::move(*headers);
  request.headers.emplace_back("Content-Type", "application/json");
  milliseconds wait = options_.backoff;
  for (int attempt = 1;; ++attempt, wait *= 2) {
    const Expected<cloud::HttpResponse> response = Judged(transport_->Send(request));
    if (response) return spans.size() - std::min(spans.size(), RejectedSpans(response->body));
    const Error& error = response.error();
    if (attempt == kAttempts || !IsWorthAnotherTry(error)) return Fail(error);
    // Known at the first failure: all attempts may take minutes.
    Tell(&error);
    if (!WaitToTryAgain(error.retry_after.value_or(wait))) return Fail(error);
  }
}

/// False when no time is left.
bool SpanExporter::WaitToTryAgain(milliseconds time) {
  const MutexLock lock(mutex_);
  return !changed_.WaitFor(mutex_, time, [this]() REQUIRES(mutex_) { return stopping_; });
}

void SpanExporter::Count(std::string_view outcome, std::size_t count) const {
  if (options_.counted && count > 0) options_.counted(outcome, count);
}

void SpanExporter::Tell(const Error* error) {
  const bool fails = error != nullptr;
  if (std::exchange(failing_, fails) != fails && options_.told) options_.told(error);
}

}  // namespace bindery::tracing
