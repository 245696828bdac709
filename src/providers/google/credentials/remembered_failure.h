#pragma once

#include <chrono>
#include <optional>

#include "core/base/clock.h"
#include "core/base/error.h"

namespace bindery::google {

/// The failure of the last attempt to get a token, which callers are given for a while instead of
/// another attempt: for 1 s, doubling to 1 min with each failure in a row, or for longer when the
/// endpoint asks for it. Told the time. Belongs to one thread or lock.
class RememberedFailure {
 public:
  void Remember(Error error, MonoTime now);
  /// An attempt succeeded: the next failure is the first in a row.
  void Forget();

  /// What callers are given at `now`; null: an attempt may be made.
  [[nodiscard]] const Error* At(MonoTime now) const;

 private:
  std::optional<Error> error_;
  std::chrono::milliseconds pause_{0};  ///< After the last failure.
  MonoTime end_{};
};

}  // namespace bindery::google
