#pragma once

#include <optional>
#include <string>
#include <vector>

#include "controller/loop/loop_observer.h"
#include "controller/loop/manifest_source.h"

namespace bindery::controller {

/// Brings the scans of a directory into force in the engine, and tells the observer of each.
///
/// Invariants: a scan of the digest in force changes nothing. A scan that failed or would empty the
/// directory leaves what is in force as it is, and the next one is compared with all that is in
/// force. Reads no clock: callers pass the time. Belongs to the loop thread.
class ScanLoader {
 public:
  /// Both must outlive the object.
  ScanLoader(Engine& engine, LoopObserver& observer) : engine_(engine), observer_(observer) {}

  /// `usable`: false when the scan tells nothing but that it has to be repeated. `confirming`: it
  /// was made to look for missing manifests once more. Returns whether one more look has to decide
  /// about missing manifests; nullopt when it changed nothing.
  std::optional<bool> Take(Expected<ManifestSource::Scanned> scan, bool usable, bool confirming,
                           const Now& now);

  /// No scan has had a result for long, for the reason: nothing is known of the directory.
  void NoteOverdue(const Error& error, const Now& now);

  /// The same files may mean something else now: the next scan is brought into force in any case.
  void Invalidate() { digest_.clear(); }

  /// Some scan came into force.
  [[nodiscard]] bool loaded() const { return loaded_; }
  /// The last scan could not be loaded.
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  std::optional<bool> Load(ManifestSource::Scanned scan, bool confirming, const Now& now);
  void NoteFailure(const Error& error);

  Engine& engine_;
  LoopObserver& observer_;
  bool loaded_ = false;
  bool failed_ = false;
  bool edits_ = true;  ///< The next scan says how it differs from what is in force.
  std::string digest_;
  std::vector<std::string> held_;  ///< As DirectoryInForce::HeldByItems, of what is in force.
};

}  // namespace bindery::controller
