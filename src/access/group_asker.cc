#include "access/group_asker.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace bindery::access {
namespace {

constexpr std::string_view kGroupPrefix = "group:";
/// About 100 MB of addresses; then everything is asked for anew.
constexpr std::size_t kMostKeptMembers = 1'000'000;
/// A refusal may be lifted meanwhile: somebody is at work on it.
constexpr std::chrono::minutes kRefusalKept{1};

/// The service does not answer, or not now: no statement about the group.
bool IsPassing(Code code) {
  return code == Code::kUnavailable || code == Code::kDeadlineExceeded ||
         code == Code::kResourceExhausted || code == Code::kUnauthenticated ||
         code == Code::kCancelled;
}

}  // namespace

std::shared_ptr<const GroupAsker::Kept> GroupAsker::Find(const std::string& group) const {
  const MutexLock lock(mutex_);
  const auto found = kept_.find(group);
  return found == kept_.end() || found->second->until < clock_.Mono() ? nullptr : found->second;
}

void GroupAsker::Keep(const std::string& group, const Reading& reading,
                      std::chrono::milliseconds max_age) {
  const auto kept = std::make_shared<const Kept>(Kept{reading, clock_.Mono() + max_age});
  const MutexLock lock(mutex_);
  if (const auto old = kept_.find(group); old != kept_.end()) {
    kept_members_ -= 1 + old->second->reading.direct.members.size();
  }
  kept_members_ += 1 + reading.direct.members.size();
  if (kept_members_ > kMostKeptMembers) {
    kept_.clear();
    kept_members_ = 1 + reading.direct.members.size();
  }
  kept_[group] = kept;
}

GroupAsker::Reading GroupAsker::Read(const std::string& group, providers::GroupBudget& budget) {
  if (const auto kept = Find(group)) return kept->reading;
  const std::string address = group.substr(std::min(group.size(), kGroupPrefix.size()));
  Reading reading;
  std::chrono::milliseconds max_age = kRefusalKept;
  for (const Service& service : services_) {
    if (budget.IsSpent(std::chrono::steady_clock::now())) {
      reading.direct.gap = budget.stopped.empty()
                               ? "not asked: one question asks for a limited number of groups"
                               : "not asked after " + budget.stopped;
      return reading;
    }
    auto connection = service.connect();
    auto direct = connection ? service.directory->Read(**connection, address, budget)
                             : Expected<providers::DirectMembers>(Fail(connection.error()));
    reading.origin = service.directory->name();
    reading.at = clock_.Wall();
    if (direct) {
      reading.known = true;
      reading.direct = *std::move(direct);
      // What a later question can complete is not kept.
      max_age = reading.direct.gap.empty() ? service.max_age : std::min(service.max_age, max_age);
      break;
    }
    reading.direct.gap = reading.origin + ": " + ToString(direct.error());
    if (!IsPassing(direct.error().code)) continue;
    // A service that is away would be waited for again and again.
    if (budget.calls > 0) budget.stopped = reading.direct.gap;
    budget.calls = 0;
    return reading;
  }
  Keep(group, reading, max_age);
  return reading;
}

}  // namespace bindery::access
