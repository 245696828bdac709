#include "notify/retry_pause.h"

#include <algorithm>

namespace bindery::notify {

void RetryPause::Failed(MonoTime now, std::optional<std::chrono::milliseconds> wanted) {
  ++failures_;
  end_ = now +
         std::max(backoff_.AfterFailure(failures_), wanted.value_or(std::chrono::milliseconds(0)));
}

}  // namespace bindery::notify
