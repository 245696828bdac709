#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/clock.h"
#include "core/settings/log_level.h"

namespace bindery::telemetry {

/// One named value of a log line. Values are data, not text: JSON lines keep numbers and booleans.
struct LogField {
  using Value = std::variant<std::string, std::int64_t, double, bool>;

  LogField(std::string_view field_key, std::string_view text)
      : key(field_key), value(std::string(text)) {}
  LogField(std::string_view field_key, const char* text)
      : key(field_key), value(std::string(text)) {}
  LogField(std::string_view field_key, bool flag) : key(field_key), value(flag) {}
  LogField(std::string_view field_key, double number) : key(field_key), value(number) {}
  template <std::integral Number>
  LogField(std::string_view field_key, Number number)
      : key(field_key), value(static_cast<std::int64_t>(number)) {}

  std::string key;
  Value value;
};

using LogFields = std::initializer_list<LogField>;

/// Writes lines like
///
///     2026-11-21T10:20:30.123Z info  policy written resource=payments-viewers durationMs=12
///     {"level":"info","ts":"2026-11-21T10:20:30.123Z","msg":"policy
///     written","resource":"payments-viewers",…}
///
/// to standard error, or to `sink`; a JSON line has the trace (trace.h) of the thread's work. One
/// call, one line: line breaks in logged texts are escaped. Thread-safe. Callers keep secrets
/// out.
class Logger {
 public:
  struct Options {
    LogFormat format = LogFormat::kText;
    LogLevel level = LogLevel::kInfo;
    /// Takes a whole line without its line break; one call at a time. Empty: standard error,
    /// coloured when that is a terminal and NO_COLOR is unset or empty.
    std::function<void(std::string_view)> sink = {};
    std::function<WallTime()> now = {};  ///< Empty: the system's clock.
    /// Called before each line, on the logging thread: clears the line on the
    /// terminal.
    std::function<void()> before_line = {};
  };

  explicit Logger(Options options);
  ~Logger();
  Logger(const Logger&) = delete;
  Logger& operator=(const Logger&) = delete;

  /// Nothing below level() is written. Frequent callers check level() first: to make the fields
  /// of a line costs more than to drop it.
  void Write(LogLevel level, std::string_view message, LogFields fields);
  void Debug(std::string_view message, LogFields fields = {});
  void Info(std::string_view message, LogFields fields = {});
  void Warn(std::string_view message, LogFields fields = {});
  void Error(std::string_view message, LogFields fields = {});

  /// For a configuration loaded again.
  void SetLevel(LogLevel level);
  void SetFormat(LogFormat format);
  [[nodiscard]] LogLevel level() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace bindery::telemetry
