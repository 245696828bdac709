#pragma once

#include <memory>

#include "cloud/transport.h"
#include "telemetry/span.h"

namespace bindery::tracing {

/// Sends through `inner` and adds the trace of the calling thread (CurrentTrace) to each request,
/// in its `traceparent`. For sampled traces it hands a client span to `spans`, which may be null. A
/// request without a trace is sent unchanged.
[[nodiscard]] std::shared_ptr<cloud::Transport> Traced(std::shared_ptr<cloud::Transport> inner,
                                                       std::shared_ptr<telemetry::SpanSink> spans);

}  // namespace bindery::tracing
