#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "cloud/transport.h"
#include "core/base/mutex.h"
#include "telemetry/span.h"
#include "tracing/otlp_json.h"

namespace bindery::tracing {

struct SpanExporterOptions {
  std::string endpoint;      ///< Without "/v1/traces".
  std::string headers_file;  ///< See header_file.h; may be empty.
  SpanOrigin origin;
  std::chrono::milliseconds timeout{10'000};  ///< Of one export.
  std::chrono::milliseconds interval{5'000};  ///< How long a span waits for others at most.
  std::chrono::milliseconds backoff{1'000};   ///< After the first failure; then twice as long.
  std::size_t capacity = 2048;                ///< Spans that may wait; others are dropped.
  std::size_t batch = 512;                    ///< Spans of one export at most.
  /// Told "exported", "dropped" or "failed", and how many spans. From any thread; must be quick.
  std::function<void(std::string_view outcome, std::size_t count)> counted = {};
  /// Called with the error when exports begin to fail, and with nullptr when exports succeed again.
  std::function<void(const Error*)> told = {};
  std::function<void()> cancel = {};  ///< Ends what the transport is about.
};

/// Sends spans to a collector by OTLP over HTTP, in JSON, from a separate thread. Recording one
/// never blocks.
class SpanExporter final : public telemetry::SpanSink {
 public:
  SpanExporter(SpanExporterOptions options, std::shared_ptr<cloud::Transport> transport);
  /// Stop without patience.
  ~SpanExporter() override;
  SpanExporter(const SpanExporter&) = delete;
  SpanExporter& operator=(const SpanExporter&) = delete;

  void Record(telemetry::Span span) override;

  /// Sends the waiting spans, once, for this time at most. Later spans are dropped.
  void Stop(std::chrono::milliseconds patience);

 private:
  void Run();
  void Export(const std::vector<telemetry::Span>& spans);
  [[nodiscard]] Expected<std::size_t> Send(const std::vector<telemetry::Span>& spans);
  [[nodiscard]] bool WaitToTryAgain(std::chrono::milliseconds time);
  void Count(std::string_view outcome, std::size_t count) const;
  void Tell(const Error* error);

  const SpanExporterOptions options_;
  const std::shared_ptr<cloud::Transport> transport_;
  bool failing_ = false;  ///< Of the thread's own.

  Mutex mutex_;
  CondVar changed_;
  std::vector<telemetry::Span> waiting_ GUARDED_BY(mutex_);
  bool stopping_ GUARDED_BY(mutex_) = false;
  bool over_ GUARDED_BY(mutex_) = false;

  std::thread thread_;
};

}  // namespace bindery::tracing
