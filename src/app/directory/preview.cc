#include "app/directory/preview.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include "app/directory/directory_manifests.h"
#include "app/directory/offline_scan.h"
#include "core/base/mutex.h"
#include "core/base/parallel_for.h"
#include "core/text/count.h"
#include "core/text/digest.h"
#include "manifests/directory/contents.h"
#include "manifests/documents/loader.h"

namespace bindery::app {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20U;

/// Ignored files are recognised from look to look by stamps. Stamps never match between two places:
/// a file with the same path counts as the same file.
void KnowByPath(const controller::UnreadItems& known, std::vector<manifests::UnreadItem>& items) {
  std::map<std::string, std::string> fingerprints;
  for (const store::EvidenceRecord::Unread& record : known.Records()) {
    if (record.ignored) fingerprints[record.path] = record.fingerprint;
  }
  for (manifests::UnreadItem& item : items) {
    const auto found = fingerprints.find(item.path);
    if (item.ignored && found != fingerprints.end()) item.fingerprint = found->second;
  }
}

std::vector<manifests::SharedFile> LoadAll(const std::vector<server::PlanUpload::File>& files,
                                           const providers::Kinds& kinds) {
  std::vector<manifests::SharedFile> loaded(files.size());
  ParallelFor(files.size(), [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      loaded[i] = std::make_shared<const manifests::FileContent>(
          manifests::LoadFile(files[i].text, files[i].path, kinds));
    }
  });
  std::ranges::sort(loaded, {}, [](const manifests::SharedFile& file) { return file->path; });
  return loaded;
}

}  // namespace

bool HasManifestsInForce(const controller::Catalog& catalog) {
  const auto& resources = catalog.claims().resources();
  return std::any_of(resources.begin(), resources.end(),
                     [](const auto& resource) { return resource.second.accepted; });
}

Expected<void> TakeAsNext(controller::ScanInput scan, controller::DryRun& run) {
  controller::Catalog& catalog = run.engine().catalog();
  if (auto refused = catalog.directory().WouldEmpty(scan)) return Fail(*std::move(refused));
  controller::RemovalEvidence& evidence = catalog.evidence();
  evidence.TakeAnyGround();
  evidence.rest().SetSettle(std::chrono::milliseconds(0));
  KnowByPath(evidence.unread(), scan.facts.unread);
  run.Scan(scan);
  return {};
}

void TakeAsInForce(const controller::ScanInput& scan, const controller::DryRun::Reads& reads,
                   controller::DryRun& run) {
  run.Scan(scan);
  if (const auto waiting = run.AwaitingValues(); !waiting.empty()) run.Work(waiting, reads);
  run.AssumeInForce();
}

controller::ScanInput ScanOfUpload(const server::PlanUpload& upload,
                                   const providers::Kinds& kinds) {
  const std::vector<manifests::SharedFile> files = LoadAll(upload.files, kinds);
  manifests::Contents contents;
  contents.Become(manifests::FileList(files));
  controller::ScanInput scan;
  scan.broken_files = contents.undecodable();
  for (const server::PlanUpload::Unread& unread : upload.unread) {
    scan.facts.unread.push_back({unread.path, unread.why, Sha256Hex(unread.path + unread.why),
                                 unread.ignored, unread.opaque});
    if (unread.ignored) continue;
    scan.broken_files.insert(unread.path);
    manifests::Problem problem;
    problem.file = unread.path;
    problem.code = "Unread";
    problem.message = unread.why;
    scan.problems.push_back(std::move(problem));
  }
  scan.digest = contents.Digest(scan.broken_files, scan.problems);
  std::ranges::move(contents.Unread(), std::back_inserter(scan.facts.unread));
  std::ranges::sort(scan.facts.unread, {}, &manifests::UnreadItem::path);
  AddFiles(files, scan);
  return scan;
}

Expected<std::string> UploadText(const config::ManifestsConfig& config,
                                 const providers::Kinds& kinds,
                                 const std::vector<std::string>& names) {
  Mutex mutex;
  std::map<std::string, std::string> texts;
  manifests::DirectorySource source(MakeDirectorySettings(config),
                                    [&](std::string_view text, const std::string& path) {
                                      {
                                        const MutexLock lock(mutex);
                                        texts[path] = text;
                                      }
                                      return manifests::LoadFile(text, path, kinds);
                                    });
  const Expected<manifests::DirectoryScan> found = source.Scan(/*assume_settled=*/true);
  if (!found) return Fail(found.error());
  server::PlanUpload upload;
  upload.names = names;
  std::size_t bytes = 0;
  for (const manifests::SharedFile& file : found->files) {
    // Files that are no text cannot be sent as text.
    if (found->broken.contains(file->path)) continue;
    upload.files.push_back({file->path, std::move(texts[file->path])});
    bytes += upload.files.back().text.size();
  }
  for (const manifests::UnreadItem& item : found->facts.unread) {
    const bool sent =
        std::ranges::binary_search(upload.files, item.path, {}, &server::PlanUpload::File::path);
    if (sent || item.harmless) continue;
    upload.unread.push_back({item.path, item.why, item.ignored, item.opaque});
  }
  std::string text = bytes > server::kMostPlanBytes ? std::string() : server::GetText(upload);
  if (!text.empty() && text.size() <= server::kMostPlanBytes) return text;
  return Fail(
      Code::kFailedPrecondition,
      fmt::format("\"{}\" is too large to be sent to a daemon: the {} of it have {:.1f} MiB, "
                  "and a daemon takes {} MiB; bindery plan --base DIR needs no daemon",
                  config.directory.string(), Count(found->files.size(), "file"),
                  static_cast<double>(std::max(bytes, text.size())) / kMiB,
                  server::kMostPlanBytes / kMiB));
}

}  // namespace bindery::app
