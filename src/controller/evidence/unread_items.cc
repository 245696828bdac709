#include "controller/evidence/unread_items.h"

#include <algorithm>

namespace bindery::controller {

void UnreadItems::Load(const std::vector<store::EvidenceRecord::Unread>& records) {
  for (const store::EvidenceRecord::Unread& unread : records) {
    items_[unread.path] = {{unread.path, "", unread.fingerprint, unread.ignored}, unread.since};
  }
}

std::vector<store::EvidenceRecord::Unread> UnreadItems::Records() const {
  std::vector<store::EvidenceRecord::Unread> records;
  for (const auto& [path, unread] : items_) {
    records.push_back({path, unread.item.fingerprint, unread.item.ignored, unread.since});
  }
  return records;
}

void UnreadItems::Looked(const std::vector<manifests::UnreadItem>& items, std::int32_t look) {
  std::map<std::string, Unread> now;
  for (const manifests::UnreadItem& item : items) {
    const auto before = items_.find(item.path);
    const bool known =
        before != items_.end() && before->second.item.fingerprint == item.fingerprint;
    const std::int32_t since = item.harmless ? 0 : look;
    now[item.path] = {item, known ? before->second.since : since};
    if (!known) news_ = true;
  }
  for (const auto& [path, unread] : items_) {
    const auto still = now.find(path);
    const bool same = still != now.end() && still->second.since == unread.since;
    if (!same && !IsHarmless(unread)) went_ = look;
  }
  news_ = news_ || now.size() != items_.size();
  items_ = std::move(now);
}

const manifests::UnreadItem* UnreadItems::GetHolder(std::int32_t look) const {
  for (const auto& [path, unread] : items_) {
    if (IsHarmless(unread)) continue;
    if (unread.since >= look || unread.item.opaque) return &unread.item;
  }
  return nullptr;
}

const manifests::UnreadItem* UnreadItems::FindBlocker(const ClaimAge& age) const {
  if (const manifests::UnreadItem* holder = GetHolder(age.look); holder != nullptr) return holder;
  if (!age.fresh) return nullptr;
  for (const auto& [path, unread] : items_) {
    if (!unread.item.ignored && !IsHarmless(unread)) return &unread.item;
  }
  return nullptr;
}

bool UnreadItems::Any() const {
  return std::any_of(items_.begin(), items_.end(), [](const auto& unread) {
    return !unread.second.item.ignored && !IsHarmless(unread.second);
  });
}

std::string UnreadItems::Text() const {
  const auto first = std::find_if(items_.begin(), items_.end(),
                                  [](const auto& unread) { return !IsHarmless(unread.second); });
  return first == items_.end() ? "" : GetText(first->second.item);
}

std::string UnreadItems::GetText(const manifests::UnreadItem& item) {
  return "\"" + item.path + "\" " + item.why;
}

}  // namespace bindery::controller
