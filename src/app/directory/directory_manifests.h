#pragma once

#include <string>
#include <utility>
#include <vector>

#include "config/config.h"
#include "controller/loop/manifest_source.h"
#include "core/base/mutex.h"
#include "manifests/directory/directory.h"
#include "manifests/watch/watcher.h"
#include "providers/registry/kinds.h"
#include "store/ports/records.h"

namespace bindery::app {

/// The manifests directory of a configuration, as the controller's source.
class DirectoryManifests final : public controller::ManifestSource {
 public:
  DirectoryManifests(const config::ManifestsConfig& config, const providers::Kinds& kinds);

  /// Before the first scan: begins to list the directory in the background. Hints that come
  /// meanwhile belong to the second scan.
  void ListAhead();

  /// Before the first scan; as DirectorySource::SeedAhead. All that is in force must be in the
  /// files: the first scan tells how it differs from them.
  void Seed(std::vector<manifests::KnownFile> files, const manifests::DigestSum& sum);

  /// Before the first scan: a directory with the content of one of these generations is refused
  /// until the content changes. For a replica that takes over, because its directory may lag
  /// behind.
  void RefuseOlder(std::vector<store::GenerationRecord> older) { older_ = std::move(older); }

  [[nodiscard]] Expected<Scanned> Scan(controller::ScanMode how) override;
  [[nodiscard]] int WatchDescriptor() const override { return watcher_.fd(); }
  bool TakeHints() override;

  [[nodiscard]] const manifests::DirectoryWatcher& watcher() const { return watcher_; }

 private:
  void AddWriters(manifests::DirectoryFacts& facts);
  /// Unknown, or not older; the older generations are forgotten then.
  [[nodiscard]] Expected<void> CheckAge(const std::string& digest);
  [[nodiscard]] Expected<manifests::DirectoryScan> ScanFor(controller::ScanMode how,
                                                           const manifests::Hints& hints);

  const providers::Kinds& kinds_;
  manifests::DirectorySource source_;
  manifests::DirectoryWatcher watcher_;
  bool seeded_ = false;
  bool listed_ahead_ = false;  ///< The scan to come starts from what was listed before.
  std::string digest_;         ///< Of the last settled scan.
  std::vector<store::GenerationRecord> older_;
  bool refused_ = false;  ///< As older, since the last scan that was given.
  Mutex mutex_;
  manifests::Hints hints_ GUARDED_BY(mutex_);  ///< Not scanned for yet.
};

/// How a configuration's directory is read.
[[nodiscard]] manifests::DirectorySettings MakeDirectorySettings(
    const config::ManifestsConfig& config);

}  // namespace bindery::app
