#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bindery::telemetry {

/// A trace and a span: the content of W3C's `traceparent`. Cheap to make and to
/// copy.
struct TraceContext {
  std::uint64_t trace_high = 0;
  std::uint64_t trace_low = 0;
  std::uint64_t span = 0;
  bool sampled = false;  ///< Its spans are exported.

  /// False without a trace.
  [[nodiscard]] bool valid() const { return (trace_high != 0 || trace_low != 0) && span != 0; }
  bool operator==(const TraceContext&) const = default;
};

/// The first span of a new trace, with random ids; of all traces that part is sampled. Thread-safe.
[[nodiscard]] TraceContext NewTrace(double sample_ratio);

/// A new span of the same trace. Thread-safe.
[[nodiscard]] TraceContext MakeSpan(const TraceContext& trace);

/// 32 and 16 hexadecimal digits in lower case.
[[nodiscard]] std::string TraceIdText(const TraceContext& context);
[[nodiscard]] std::string SpanIdText(std::uint64_t span);

/// "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01". Requires: context.valid().
[[nodiscard]] std::string ToTraceparent(const TraceContext& context);

/// Nothing for what the W3C's recommendation says to ignore.
[[nodiscard]] std::optional<TraceContext> ParseTraceparent(std::string_view text);

/// The trace of the thread's work; not valid() without one.
[[nodiscard]] const TraceContext& CurrentTrace();

/// During its lifetime the thread works for `context`: log lines and requests belong to the trace.
class TraceScope {
 public:
  explicit TraceScope(const TraceContext& context);
  ~TraceScope();
  TraceScope(const TraceScope&) = delete;
  TraceScope& operator=(const TraceScope&) = delete;

 private:
  const TraceContext before_;
};

}  // namespace bindery::telemetry
