#pragma once

#include <string>
#include <vector>

#include "telemetry/span.h"

namespace bindery::tracing {

/// Who exports: the resource's attributes ("service.name", …) and the version of the
/// instrumentation.
struct SpanOrigin {
  std::vector<telemetry::SpanAttribute> resource;
  std::string version;
};

/// An ExportTraceServiceRequest of OTLP 1.x in its JSON encoding.
[[nodiscard]] std::string OtlpJson(const SpanOrigin& origin,
                                   const std::vector<telemetry::Span>& spans);

}  // namespace bindery::tracing
