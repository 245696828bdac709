#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "cloud/connection.h"
#include "core/base/mutex.h"

namespace bindery::google {

/// The providers whose Privileged Access Manager let a question wait until its time was over: it is
/// not asked again for a minute, else each policy of the provider would wait as long. Thread-safe.
class SilentProvidersList {
 public:
  void Note(const cloud::Connection& connection);
  [[nodiscard]] bool Has(const cloud::Connection& connection);

 private:
  struct Noted {
    std::weak_ptr<cloud::Transport> transport;
    std::string provider;
    std::chrono::steady_clock::time_point until;
  };

  Mutex mutex_;
  std::vector<Noted> noted_ GUARDED_BY(mutex_);
};

/// The list of this process.
[[nodiscard]] SilentProvidersList& SilentProviders();

}  // namespace bindery::google
