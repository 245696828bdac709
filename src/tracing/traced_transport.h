#pragma once

#include <memory>

#include "cloud/transport.h"
#include "telemetry/span.h"

namespace bindery {

/// Sends through `inner` and tells each request which trace the calling thread works for
/// (CurrentTrace), in its `traceparent`. Of traces that are sampled it hands a client span to
/// `spans`, which may be null. What belongs to no trace goes as it is.
[[nodiscard]] std::shared_ptr<Transport> Traced(std::shared_ptr<Transport> inner,
                                                std::shared_ptr<SpanSink> spans);

}  // namespace bindery
