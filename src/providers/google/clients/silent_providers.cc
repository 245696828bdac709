#include "providers/google/clients/silent_providers.h"

#include <algorithm>

namespace bindery {

void SilentProvidersList::Note(const Connection& connection) {
  constexpr std::chrono::minutes kPause(1);
  const auto now = std::chrono::steady_clock::now();
  const MutexLock lock(mutex_);
  std::erase_if(noted_, [&](const Noted& one) { return one.until <= now; });
  noted_.push_back({connection.transport, connection.provider, now + kPause});
}

bool SilentProvidersList::Has(const Connection& connection) {
  const auto now = std::chrono::steady_clock::now();
  const MutexLock lock(mutex_);
  return std::ranges::any_of(noted_, [&](const Noted& one) {
    return one.until > now && one.provider == connection.provider &&
           one.transport.lock() == connection.transport;
  });
}

SilentProvidersList& SilentProviders() {
  static SilentProvidersList silent;
  return silent;
}

}  // namespace bindery
