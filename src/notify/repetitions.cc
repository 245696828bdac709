#include "notify/repetitions.h"

#include <algorithm>

#include "core/text/digest.h"

namespace bindery::notify {
namespace {

std::string MakeKey(const Event& event) {
  std::string key;
  for (const std::string* part : {&event.reason, &event.resource, &event.target, &event.message}) {
    key += *part + '\n';
  }
  if (event.severity) key += ToString(*event.severity);
  return Sha256Hex(key);
}

}  // namespace

bool Repetitions::Repeats(const Event& event) {
  if (interval_.count() == 0) return false;
  const auto [told, added] = told_.try_emplace(MakeKey(event), event.time);
  // What seems to be earlier is from after the clock was set back: how much later is unknown.
  const auto since = event.time - told->second;
  if (!added && since >= since.zero() && since < interval_) return true;
  told->second = event.time;
  if (told_.size() > kMost) MakeRoom(event.time);
  return false;
}

void Repetitions::MakeRoom(WallTime now) {
  std::erase_if(told_, [&](const auto& entry) { return now - entry.second >= interval_; });
  if (told_.size() <= kMost) return;
  const auto time = [](const auto& entry) { return entry.second; };
  told_.erase(std::ranges::min_element(told_, {}, time));
}

}  // namespace bindery::notify
