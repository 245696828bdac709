#include "controller/loop/scan_loader.h"

#include <utility>

#include "controller/catalog/missed_once.h"

namespace bindery::controller {

std::optional<bool> ScanLoader::Take(Expected<ManifestSource::Scanned> scan, bool usable,
                                     bool confirming, const Now& now) {
  if (!scan) engine_.scans().ScanFailed(usable ? scan.error().message : std::string(), now);
  if (!usable) return std::nullopt;
  if (!scan) {
    NoteFailure(scan.error());
    return std::nullopt;
  }
  failed_ = false;
  return Load(std::move(*scan), confirming, now);
}

std::optional<bool> ScanLoader::Load(ManifestSource::Scanned scan, bool confirming,
                                     const Now& now) {
  const bool same = loaded_ && !confirming && scan.input.digest == digest_;
  if (same && !HasMissedOnce(engine_.catalog())) {
    const bool news = !scan.scan.remember.empty() || !scan.scan.unremember.empty();
    if (scan.same && news) ListAll(scan.scan, scan.input);
    engine_.scans().Remember(scan.input, now);
    observer_.Loaded(scan.input, nullptr);
    if (engine_.catalog().directory().HasLostHolder(held_)) return true;
    return std::nullopt;
  }
  if (scan.same) ListAll(scan.scan, scan.input);
  if (const auto refused = engine_.catalog().directory().WouldEmpty(scan.input)) {
    edits_ = false;
    engine_.scans().ScanFailed(refused->message, now);
    NoteFailure(*refused);
    return std::nullopt;
  }
  if (!std::exchange(edits_, true)) scan.input.edit.reset();
  const Engine::Scanned changes = engine_.scans().Scan(scan.input, now);
  loaded_ = true;
  digest_ = scan.input.digest;
  held_ = engine_.catalog().directory().HeldByItems();
  observer_.Loaded(scan.input, &changes);
  return changes.confirm;
}

void ScanLoader::NoteOverdue(const Error& error, const Now& now) {
  engine_.scans().ScanFailed(error.message, now);
  NoteFailure(error);
}

void ScanLoader::NoteFailure(const Error& error) {
  failed_ = true;
  observer_.LoadFailed(error);
}

}  // namespace bindery::controller
