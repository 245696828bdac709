#pragma once

#include <chrono>
#include <map>
#include <string>
#include <utility>

#include "core/mutex.h"

namespace bindery {

/// The ids that this process was given for what it created in the last ten minutes: for a while the
/// list that is searched may not show it, and it must not be created once more. Thread-safe.
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

}  // namespace bindery
