#pragma once

#include <string>
#include <string_view>

#include "telemetry/log.h"
#include "telemetry/trace.h"

namespace bindery::telemetry {

/// "debug", "info", "warn", "error"
[[nodiscard]] std::string_view ToString(LogLevel level);

/// A line for people, without a line break.
[[nodiscard]] std::string TextLine(WallTime time, LogLevel level, std::string_view message,
                                   LogFields fields, bool color);

/// A JSON object with level, ts and msg first, followed by the fields; a field with a used key gets
/// a `_` appended. For a valid `trace`, OpenTelemetry's trace_id and span_id.
[[nodiscard]] std::string JsonLine(WallTime time, LogLevel level, std::string_view message,
                                   LogFields fields, const TraceContext& trace);

}  // namespace bindery::telemetry
