#include "telemetry/log.h"

#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <utility>

#include "telemetry/log_format.h"

namespace bindery::telemetry {
namespace {

spdlog::level::level_enum ToSpdlog(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarn:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
  }
  return spdlog::level::info;
}

/// Hands each finished line to a function.
class FunctionSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit FunctionSink(std::function<void(std::string_view)> take) : take_(std::move(take)) {}

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    take_(std::string_view(message.payload.data(), message.payload.size()));
  }
  void flush_() override {}

  std::function<void(std::string_view)> take_;
};

bool StandardErrorTakesColor() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here sets variables
  const char* no_color = std::getenv("NO_COLOR");
  return (no_color == nullptr || *no_color == '\0') && ::isatty(STDERR_FILENO) == 1;
}

spdlog::sink_ptr MakeSink(std::function<void(std::string_view)> sink) {
  if (sink) return std::make_shared<FunctionSink>(std::move(sink));
  return std::make_shared<spdlog::sinks::stderr_sink_mt>();
}

}  // namespace

class Logger::Impl {
 public:
  explicit Impl(Options options)
      : color_(!options.sink && StandardErrorTakesColor()),
        format_(options.format),
        level_(options.level),
        now_(std::move(options.now)),
        before_line_(std::move(options.before_line)),
        logger_("bindery", MakeSink(std::move(options.sink))) {
    // The line is made here, as a whole; spdlog adds nothing but the line break.
    logger_.set_pattern("%v");
    logger_.set_level(spdlog::level::trace);
    logger_.flush_on(spdlog::level::trace);
  }

  void Write(LogLevel level, std::string_view message, LogFields fields) {
    if (level < level_.load(std::memory_order_relaxed)) return;
    const WallTime time = now_ ? now_() : std::chrono::system_clock::now();
    const bool json = format_.load(std::memory_order_relaxed) == LogFormat::kJson;
    const std::string line = json ? JsonLine(time, level, message, fields, CurrentTrace())
                                  : TextLine(time, level, message, fields, color_);
    if (before_line_) before_line_();
    logger_.log(ToSpdlog(level), spdlog::string_view_t(line.data(), line.size()));
  }

  void SetLevel(LogLevel level) { level_.store(level, std::memory_order_relaxed); }
  void SetFormat(LogFormat format) { format_.store(format, std::memory_order_relaxed); }
  [[nodiscard]] LogLevel level() const { return level_.load(std::memory_order_relaxed); }

 private:
  const bool color_;
  std::atomic<LogFormat> format_;
  std::atomic<LogLevel> level_;
  const std::function<WallTime()> now_;
  const std::function<void()> before_line_;
  spdlog::logger logger_;
};

Logger::Logger(Options options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Logger::~Logger() = default;

void Logger::Write(LogLevel level, std::string_view message, LogFields fields) {
  impl_->Write(level, message, fields);
}
void Logger::Debug(std::string_view message, LogFields fields) {
  Write(LogLevel::kDebug, message, fields);
}
void Logger::Info(std::string_view message, LogFields fields) {
  Write(LogLevel::kInfo, message, fields);
}
void Logger::Warn(std::string_view message, LogFields fields) {
  Write(LogLevel::kWarn, message, fields);
}
void Logger::Error(std::string_view message, LogFields fields) {
  Write(LogLevel::kError, message, fields);
}

void Logger::SetLevel(LogLevel level) { impl_->SetLevel(level); }
void Logger::SetFormat(LogFormat format) { impl_->SetFormat(format); }
LogLevel Logger::level() const { return impl_->level(); }

}  // namespace bindery::telemetry
