#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "core/clock.h"

namespace prometheus {  // NOLINT(readability-identifier-naming): the library's spelling
class Registry;
}  // namespace prometheus

namespace bindery {

/// What became of events on their way to a webhook. Each event ends as one of them but kFailed,
/// which counts attempts.
enum class NotificationOutcome {
  kDelivered,
  kRepeated,  ///< The same was told within repeatInterval.
  kGivenUp,   ///< Refused for too long.
  kExpired,   ///< Deleted by the retention before it could be told.
  kFailed,    ///< An attempt that will be made again.
};

/// What is counted of notifications; a part of Metrics. Names of webhooks are those of the
/// configuration, and few. Thread-safe.
class NotificationMetrics {
 public:
  explicit NotificationMetrics(prometheus::Registry& registry);
  ~NotificationMetrics();
  NotificationMetrics(const NotificationMetrics&) = delete;
  NotificationMetrics& operator=(const NotificationMetrics&) = delete;

  /// Its series are there from now on, at zero.
  void Begin(const std::string& webhook);
  /// There is no such webhook any more: what it was last is no state of anything.
  void End(const std::string& webhook);

  void Count(const std::string& webhook, NotificationOutcome outcome, std::size_t count);
  /// Events that wait to be told, or to be looked at.
  void SetPending(const std::string& webhook, std::size_t count);
  void SetFailing(const std::string& webhook, bool failing);
  void Delivered(const std::string& webhook, WallTime time);

 private:
  struct Families;
  std::unique_ptr<Families> families_;
};

}  // namespace bindery
