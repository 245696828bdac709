#pragma once

#include "config/config.h"
#include "controller/manifest_source.h"
#include "manifests/directory.h"
#include "manifests/watcher.h"
#include "reconcilers/kinds.h"

namespace bindery {

/// The manifests directory of a configuration, as the controller's source.
class DirectoryManifests final : public ManifestSource {
 public:
  DirectoryManifests(const ManifestsConfig& config, const Kinds& kinds);

  [[nodiscard]] Expected<Scanned> Scan(bool assume_settled) override;
  [[nodiscard]] int WatchDescriptor() const override { return watcher_.fd(); }
  bool TakeHints() override { return watcher_.Drain(); }

  [[nodiscard]] const DirectoryWatcher& watcher() const { return watcher_; }

 private:
  std::vector<const KindSchema*> schemas_;
  DirectorySource source_;
  DirectoryWatcher watcher_;
};

/// How a configuration's directory is read.
[[nodiscard]] DirectorySettings DirectorySettingsOf(const ManifestsConfig& config);

}  // namespace bindery
