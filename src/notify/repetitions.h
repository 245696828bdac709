#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <string>

#include "core/access/event.h"

namespace bindery::notify {

/// What a webhook was told lately, so that the same thing is not told again too soon. Two events
/// are the same when reason, resource, target, message and severity are. By the events' own times:
/// going through the journal again gives the same answers.
class Repetitions {
 public:
  using Millis = std::chrono::milliseconds;

  /// Maximum number of different events; beyond it the oldest are forgotten, and sent again.
  static constexpr std::size_t kMost = 2'000;

  explicit Repetitions(Millis interval) : interval_(interval) {}

  /// Whether the same was told less than the interval before. If not, it is told now.
  [[nodiscard]] bool Repeats(const Event& event);

  /// The sent message did not arrive.
  void Forget() { told_.clear(); }

 private:
  void MakeRoom(WallTime now);

  Millis interval_;
  std::map<std::string, WallTime> told_;
};

}  // namespace bindery::notify
