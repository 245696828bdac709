#include "app/directory/directory_manifests.h"

#include <algorithm>
#include <utility>

#include "core/text/time_text.h"
#include "manifests/documents/loader.h"

namespace bindery::app {

manifests::DirectorySettings MakeDirectorySettings(const config::ManifestsConfig& config) {
  manifests::DirectorySettings settings;
  settings.quiet = config.debounce;
  settings.directory = config.directory;
  settings.recursive = config.recursive;
  settings.verify_content = config.verify_content;
  settings.max_files = static_cast<std::size_t>(config.max_files);
  settings.max_total_bytes = static_cast<std::uint64_t>(config.max_bytes);
  return settings;
}

DirectoryManifests::DirectoryManifests(const config::ManifestsConfig& config,
                                       const providers::Kinds& kinds)
    : kinds_(kinds),
      source_(MakeDirectorySettings(config),
              [this](std::string_view text, const std::string& path) {
                return manifests::LoadFile(text, path, kinds_);
              }),
      watcher_(manifests::DirectoryWatcher::Open({config.directory, config.recursive})) {}

void DirectoryManifests::Seed(std::vector<manifests::KnownFile> files,
                              const manifests::DigestSum& sum) {
  seeded_ = true;
  source_.SeedAhead(std::move(files), sum);
}

void DirectoryManifests::ListAhead() {
  listed_ahead_ = true;
  source_.ListAhead();
}

bool DirectoryManifests::TakeHints() {
  manifests::Hints hints = watcher_.Drain();
  const bool any = hints.any;
  const MutexLock lock(mutex_);
  hints_.Add(std::move(hints));
  return any;
}

Expected<manifests::DirectoryScan> DirectoryManifests::ScanFor(controller::ScanMode how,
                                                               const manifests::Hints& hints) {
  // Repairs a broken watcher at the latest here: this scan sees the missed changes.
  const bool rearmed = watcher_.Rearm();
  if (std::exchange(listed_ahead_, false) && rearmed) source_.ListAhead();
  if (how == controller::ScanMode::kHinted && hints.any && !hints.everything && !rearmed) {
    return source_.ScanHinted(hints.files);
  }
  return source_.Scan(how != controller::ScanMode::kFull);
}

/// Adds the files under writing, by the watcher, to the facts of the reading.
void DirectoryManifests::AddWriters(manifests::DirectoryFacts& facts) {
  auto& under_way = facts.under_way;
  for (std::string& path : watcher_.BeingWritten()) {
    const bool known =
        std::any_of(under_way.begin(), under_way.end(),
                    [&](const manifests::Disturbance& other) { return other.path == path; });
    if (!known) under_way.push_back({std::move(path), "is being written"});
  }
}

Expected<void> DirectoryManifests::CheckAge(const std::string& digest) {
  const auto found = std::ranges::find(older_, digest, &store::GenerationRecord::digest);
  if (found == older_.end()) {
    older_.clear();
    return {};
  }
  refused_ = true;
  return Fail(Code::kFailedPrecondition,
              "DirectoryOlder: the manifests directory has the content that came into force at " +
                  FormatRfc3339(found->time) +
                  ", and a newer one has come into force since. What is in force stays until the "
                  "directory catches up; if the older content is meant, change any manifest");
}

Expected<controller::ManifestSource::Scanned> DirectoryManifests::Scan(controller::ScanMode how) {
  manifests::Hints hints;
  // What hints tell may have happened after the files were listed: they are left to the next scan.
  if (!listed_ahead_) {
    const MutexLock lock(mutex_);
    hints = std::exchange(hints_, manifests::Hints());
  }
  Expected<manifests::DirectoryScan> found = ScanFor(how, hints);
  if (!found || !found->settled) {
    const MutexLock lock(mutex_);
    hints_.Add(std::move(hints));
  }
  if (!found) return Fail(found.error());
  Scanned scanned;
  scanned.scan = std::move(*found);
  AddWriters(scanned.scan.facts);
  scanned.settled = scanned.scan.settled;
  scanned.input.digest = scanned.scan.digest;
  scanned.input.facts = scanned.scan.facts;
  if (!scanned.settled) return scanned;
  if (auto current = CheckAge(scanned.scan.digest); !current) return Fail(current.error());
  const bool first = digest_.empty();
  scanned.same = std::exchange(digest_, scanned.scan.digest) == scanned.scan.digest;
  if (scanned.same) return scanned;
  controller::ListAll(scanned.scan, scanned.input);
  // What was in force before a first scan without a seed is unknown.
  if ((first && !seeded_) || std::exchange(refused_, false)) scanned.input.edit.reset();
  return scanned;
}

}  // namespace bindery::app
