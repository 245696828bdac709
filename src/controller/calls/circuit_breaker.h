#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>

#include "core/base/clock.h"
#include "core/base/error.h"

namespace bindery::controller {

/// Whether calls to one host may go. It opens when calls for several targets in a row got no answer
/// from the service (and none got one in between): then one call at a time tries whether the host
/// is back, after 1 s, doubling to 30 s. A target that failed alone never opens it.
///
/// Belongs to the loop thread; the caller passes the time.
class CircuitBreaker {
 public:
  /// True when a call for the target may go. Every call that goes must be followed by Ended.
  /// `urgent`: people wait for it; it may try every second.
  bool TryPass(bool urgent, MonoTime now);

  /// When TryPass is worth asking again.
  [[nodiscard]] MonoTime NextTry(bool urgent, MonoTime now) const;

  /// The result of a call that passed; `error` is null when it succeeded. True when the state
  /// changed.
  bool Ended(const std::string& target, const Error* error, MonoTime now);

  [[nodiscard]] bool open() const { return open_; }
  /// Number of consecutive times that the host was unreachable; 0 while the host answers.
  [[nodiscard]] int trips() const { return trips_; }
  [[nodiscard]] const std::string& last_error() const { return last_error_; }

 private:
  [[nodiscard]] MonoTime TryAt(bool urgent) const;

  bool open_ = false;
  bool trying_ = false;  ///< One call is under way to see whether the host is back.
  int trips_ = 0;
  MonoTime opened_at_{};
  std::set<std::string> failed_;  ///< Targets whose calls failed since the last answer.
  std::string last_error_;
};

}  // namespace bindery::controller
