#include "app/directory_manifests.h"

#include <utility>

#include "manifests/loader.h"

namespace bindery {

DirectorySettings DirectorySettingsOf(const ManifestsConfig& config) {
  DirectorySettings settings;
  settings.directory = config.directory;
  settings.recursive = config.recursive;
  settings.max_files = static_cast<std::size_t>(config.max_files);
  settings.max_total_bytes = static_cast<std::uint64_t>(config.max_bytes);
  return settings;
}

DirectoryManifests::DirectoryManifests(const ManifestsConfig& config, const Kinds& kinds)
    : schemas_(kinds.Schemas()),
      source_(DirectorySettingsOf(config),
              [this](std::string_view text, const std::string& path) {
                return LoadFile(text, path, schemas_);
              }),
      watcher_(DirectoryWatcher::Open({config.directory, config.recursive})) {}

Expected<ManifestSource::Scanned> DirectoryManifests::Scan(bool assume_settled) {
  // What was amiss with the watcher is mended here at the latest: this scan sees what it missed.
  watcher_.Rearm();
  Expected<DirectoryScan> found = source_.Scan(assume_settled);
  if (!found) return Fail(found.error());
  Scanned scanned;
  scanned.settled = found->settled;
  scanned.input.digest = found->digest;
  scanned.input.problems = std::move(found->problems);
  scanned.input.broken_files.insert(found->broken.begin(), found->broken.end());
  for (const auto& content : found->files) {
    scanned.input.problems.insert(scanned.input.problems.end(), content->problems.begin(),
                                  content->problems.end());
  }
  scanned.input.files = std::move(found->files);
  return scanned;
}

}  // namespace bindery
