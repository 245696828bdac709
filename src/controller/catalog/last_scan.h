#pragma once

#include <optional>
#include <utility>

#include "controller/claims/scan_input.h"

namespace bindery::controller {

/// Keeps the last scan while the scan may have to be brought into force once more: some manifests
/// refer to outputs that may change, or want the claim of a protected resource that may be
/// forgotten.
///
/// Invariants: a scan that is handed out becomes the last scan again. Belongs to the loop
/// thread.
class LastScan {
 public:
  /// `scan` came into force. Replaces the former scan. `awaits_others`: as
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
  /// A dependency of the scan's manifests has changed.
  void NoteChange() { due_ = true; }
  /// The scan to bring into force now; null: none. Valid until the next Keep.
  [[nodiscard]] const ScanInput* TakeDue() {
    return std::exchange(due_, false) && scan_ ? &*scan_ : nullptr;
  }

  [[nodiscard]] bool IsDue() const { return due_ && scan_; }

 private:
  std::optional<ScanInput> scan_;
  bool due_ = false;
};

}  // namespace bindery::controller
