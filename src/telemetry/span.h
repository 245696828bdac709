#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/clock.h"
#include "telemetry/trace.h"

namespace bindery::telemetry {

using SpanAttribute = std::pair<std::string, std::variant<std::string, std::int64_t>>;

/// Finished work in OpenTelemetry's form.
struct Span {
  enum class Kind { kInternal = 1, kClient = 3 };  ///< OTLP's numbers.

  TraceContext context;
  std::uint64_t parent = 0;  ///< A span of the same trace; 0: none.
  std::string name;          ///< From a small set.
  Kind kind = Kind::kInternal;
  WallTime start;
  WallTime end;
  std::vector<SpanAttribute> attributes;  ///< Nothing secret, and nobody's name.
  std::vector<TraceContext> links;        ///< Spans of other traces.
  /// Why, is in the attribute error.type: what services say of failures may name people.
  bool failed = false;
};

/// Takes spans. Thread-safe; never blocks.
class SpanSink {
 public:
  virtual ~SpanSink() = default;
  virtual void Record(Span span) = 0;
};

}  // namespace bindery::telemetry
