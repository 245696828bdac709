#pragma once

#include <optional>
#include <utility>

#include "controller/scan_input.h"

namespace bindery {

/// Keeps the last scan while it may have to be brought into force once more: manifests of it refer
/// to others, whose outputs may change, or want what a protected one holds, which may be forgotten.
///
/// Invariants: a scan that is handed out says that it is the last one again.
/// Belongs to the loop thread.
class LastScan {
 public:
  /// `scan` came into force. Replaces the one before it. `awaits_others`: as
  /// DirectoryInForce::AwaitsOthers.
  void Keep(const ScanInput& scan, bool awaits_others) {
    scan_.reset();
    if (!awaits_others) return;
    scan_ = scan;
    scan_->edit.reset();
    scan_->again = true;
    scan_->remember.clear();
    scan_->unremember.clear();
  }
  /// What its manifests depend on has changed.
  void NoteChange() { due_ = true; }
  /// The scan to bring into force now; null: none. Valid until the next Keep.
  [[nodiscard]] const ScanInput* TakeDue() {
    return std::exchange(due_, false) && scan_ ? &*scan_ : nullptr;
  }

 private:
  std::optional<ScanInput> scan_;
  bool due_ = false;
};

}  // namespace bindery
