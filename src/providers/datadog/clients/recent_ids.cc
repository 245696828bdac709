#include "providers/datadog/clients/recent_ids.h"

namespace bindery::datadog {
namespace {

constexpr std::chrono::minutes kRecent(10);

}  // namespace

void RecentIds::Put(const std::string& key, const std::string& id) {
  const MutexLock lock(mutex_);
  const Time now = std::chrono::steady_clock::now();
  std::erase_if(created_, [&](const auto& item) { return item.second.second < now - kRecent; });
  created_.insert_or_assign(key, std::pair(id, now));
}

std::string RecentIds::Find(const std::string& key) {
  const MutexLock lock(mutex_);
  const auto found = created_.find(key);
  if (found == created_.end()) return "";
  const auto& [id, at] = found->second;
  return at < std::chrono::steady_clock::now() - kRecent ? "" : id;
}

}  // namespace bindery::datadog
