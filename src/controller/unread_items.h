#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "controller/claim_age.h"
#include "manifests/directory_facts.h"
#include "store/records.h"

namespace bindery {

/// What of the manifests directory could not be read or understood, and since which look: whether
/// the evidence of a removal is complete.
///
/// What was unread already, with the same bytes, when a manifest went missing cannot hold it.
/// Belongs to the loop thread; pure except for internal memory.
class UnreadItems {
 public:
  /// What an earlier run knew.
  void Load(const std::vector<EvidenceRecord::Unread>& records);
  [[nodiscard]] std::vector<EvidenceRecord::Unread> Records() const;
  /// Records() changed since this was called last.
  [[nodiscard]] bool TakeNews() { return std::exchange(news_, false); }

  /// What the look of the number could not read.
  void Looked(const std::vector<UnreadItem>& items, std::int32_t look);

  /// One that may hold a manifest which is missing since `look`; null: none.
  [[nodiscard]] const UnreadItem* HolderOf(std::int32_t look) const;
  /// One that may hold what a claim of the age does not declare; null: none. Of a manifest that was
  /// never known before, whatever is unread may hold the other half.
  [[nodiscard]] const UnreadItem* BlockerOf(const ClaimAge& age) const;
  /// The last look at which one had gone, or changed.
  [[nodiscard]] std::int32_t went() const { return went_; }
  /// There is one that is not ignored by its name.
  [[nodiscard]] bool Any() const;
  /// One of them, and why; empty: all was read.
  [[nodiscard]] std::string Text() const;
  [[nodiscard]] static std::string TextOf(const UnreadItem& item);

 private:
  struct Unread {
    UnreadItem item;
    std::int32_t since = 0;  ///< 0: it came up beside what it may hold, and is what it was then.
  };

  /// It holds nothing that is missing, and did not when it came up.
  [[nodiscard]] static bool IsHarmless(const Unread& unread) {
    return unread.item.harmless || unread.since == 0;
  }

  std::map<std::string, Unread> items_;  ///< By path.
  std::int32_t went_ = 0;
  bool news_ = false;
};

}  // namespace bindery
