#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "controller/claims/claim_age.h"
#include "manifests/files/directory_facts.h"
#include "store/ports/records.h"

namespace bindery::controller {

/// What of the manifests directory could not be read or understood, and since which look: whether
/// the evidence of a removal is complete.
///
/// What was unread already, with the same bytes, when a manifest went missing cannot hold it.
/// Belongs to the loop thread; pure except for internal memory.
class UnreadItems {
 public:
  /// The knowledge of an earlier run.
  void Load(const std::vector<store::EvidenceRecord::Unread>& records);
  [[nodiscard]] std::vector<store::EvidenceRecord::Unread> Records() const;
  /// Records() changed since the last call.
  [[nodiscard]] bool TakeNews() { return std::exchange(news_, false); }

  /// What the look of the number could not read.
  void Looked(const std::vector<manifests::UnreadItem>& items, std::int32_t look);

  /// An item that may hold a manifest which is missing since `look`; null: none.
  [[nodiscard]] const manifests::UnreadItem* GetHolder(std::int32_t look) const;
  /// An item that may hold the undeclared part of a claim of the age; null: none. For a manifest
  /// that was never known before, any unread item may hold its other half.
  [[nodiscard]] const manifests::UnreadItem* FindBlocker(const ClaimAge& age) const;
  /// The last look that found an item gone or changed.
  [[nodiscard]] std::int32_t went() const { return went_; }
  /// An item exists that is not ignored by its name.
  [[nodiscard]] bool Any() const;
  /// An item with its cause; empty: everything was read.
  [[nodiscard]] std::string Text() const;
  [[nodiscard]] static std::string GetText(const manifests::UnreadItem& item);

 private:
  struct Unread {
    manifests::UnreadItem item;
    std::int32_t since = 0;  ///< 0: it came up beside what it may hold, and is what it was then.
  };

  /// The item holds no missing manifest, and did not when it came up.
  [[nodiscard]] static bool IsHarmless(const Unread& unread) {
    return unread.item.harmless || unread.since == 0;
  }

  std::map<std::string, Unread> items_;  ///< By path.
  std::int32_t went_ = 0;
  bool news_ = false;
};

}  // namespace bindery::controller
