#include "providers/google/clients/silent_providers.h"

#include <algorithm>

namespace bindery::google {

void SilentProvidersList::Note(const cloud::Connection& connection) {
  constexpr std::chrono::minutes kPause(1);
  const auto now = std::chrono::steady_clock::now();
  const MutexLock lock(mutex_);
  std::erase_if(noted_, [&](const Noted& one) { return one.until <= now; });
  noted_.push_back({connection.transport, connection.provider, now + kPause});
}

bool SilentProvidersList::Has(const cloud::Connection& connection) {
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

}  // namespace bindery::google
