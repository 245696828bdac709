#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cloud/transport.h"
#include "core/base/clock.h"
#include "core/base/mutex.h"

namespace bindery::cloud {

/// A service's time, with the moment by the clock that is never set.
struct ServiceDate {
  std::string service;  ///< As HttpRequest::service.
  WallTime date;
  MonoTime at;
};

/// The time as the answer's `Date` header tells it. Nothing where the answer is no success, may be
/// a kept copy (`Age`), or has no date that can be read: an intermediary's clock is not the
/// service's.
[[nodiscard]] std::optional<WallTime> ReadServiceDate(const HttpResponse& response);

/// The last date of each service, from the calling threads to the judge of the time.
/// Thread-safe.
class ServiceDates {
 public:
  void Note(const std::string& service, WallTime date, MonoTime at);

  /// The dates since the last Take.
  [[nodiscard]] std::vector<ServiceDate> Take();

 private:
  Mutex mutex_;
  std::vector<ServiceDate> dates_ GUARDED_BY(mutex_);
};

/// Sends through `inner` and notes what the answers say of the time, read from `clock`'s Mono().
[[nodiscard]] std::shared_ptr<Transport> NotingDates(std::shared_ptr<Transport> inner,
                                                     std::shared_ptr<ServiceDates> dates,
                                                     std::shared_ptr<const Clock> clock);

}  // namespace bindery::cloud
