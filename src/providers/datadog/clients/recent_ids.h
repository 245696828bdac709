#pragma once

#include <chrono>
#include <map>
#include <string>
#include <utility>

#include "core/base/mutex.h"

namespace bindery::datadog {

/// The ids of objects that this process created in the last ten minutes: the searched list may not
/// show them yet, and they must not be created again. Thread-safe.
class RecentIds {
 public:
  void Put(const std::string& key, const std::string& id);
  /// Empty: none.
  [[nodiscard]] std::string Find(const std::string& key);

 private:
  using Time = std::chrono::steady_clock::time_point;

  Mutex mutex_;
  std::map<std::string, std::pair<std::string, Time>> created_ GUARDED_BY(mutex_);
};

}  // namespace bindery::datadog
