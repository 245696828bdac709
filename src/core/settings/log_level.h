#pragma once

namespace bindery {

/// From the most to the least talkative.
enum class LogLevel { kDebug, kInfo, kWarn, kError };

/// How a log line is written: `key=value` for people, one JSON object a line for machines.
enum class LogFormat { kText, kJson };

}  // namespace bindery
