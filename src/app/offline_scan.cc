#include "app/offline_scan.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>

#include "app/directory_manifests.h"
#include "app/expired_conditions.h"
#include "manifests/loader.h"

namespace bindery {
namespace {

namespace fs = std::filesystem;

/// Files by path: one that was named twice is read as one.
using Files = std::map<std::string, SharedFile>;

void Add(const FileContent& content, const std::string& prefix, Files& files) {
  auto file = std::make_shared<FileContent>();
  file->path = prefix + content.path;
  file->digest = content.digest;
  for (const auto& manifest : content.manifests) {
    auto named = std::make_shared<Manifest>(*manifest);
    named->source.file.insert(0, prefix);
    file->manifests.push_back(std::move(named));
  }
  for (Problem problem : content.problems) {
    problem.file.insert(0, prefix);
    file->problems.push_back(std::move(problem));
  }
  files.emplace(file->path, file);
}

/// What is read so far, and how.
struct Reading {
  std::vector<const KindSchema*> schemas;
  Files files = {};
  ScanInput scan = {};
};

/// All that the files hold, as a scan tells it.
void List(const Files& files, ScanInput& scan) {
  const WallTime now = std::chrono::system_clock::now();
  std::vector<SharedFile> list;
  for (const auto& [path, file] : files) {
    scan.manifests += file->manifests.size();
    scan.problems.insert(scan.problems.end(), file->problems.begin(), file->problems.end());
    for (const auto& manifest : file->manifests) {
      if (auto expired = ExpiredCondition(*manifest, now)) {
        scan.problems.push_back(*std::move(expired));
      }
    }
    list.push_back(file);
  }
  scan.files = FileList(std::move(list));
}

Expected<void> AddFile(const fs::path& path, Reading& reading) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) return Fail(Code::kNotFound, "\"" + path.string() + "\" cannot be read");
  Add(LoadFile(text.str(), path.string(), reading.schemas), "", reading.files);
  return {};
}

Expected<void> AddDirectory(const ManifestsConfig& config, const fs::path& path,
                            const std::string& prefix, Reading& reading) {
  ManifestsConfig here = config;
  here.directory = path;
  DirectorySource source(DirectorySettingsOf(here),
                         [&reading](std::string_view text, const std::string& file) {
                           return LoadFile(text, file, reading.schemas);
                         });
  const Expected<DirectoryScan> found = source.Scan(/*assume_settled=*/true);
  if (!found) return Fail(found.error());
  for (const auto& content : found->files) Add(*content, prefix, reading.files);
  for (Problem problem : found->problems) {
    problem.file.insert(0, prefix);
    reading.scan.problems.push_back(std::move(problem));
  }
  for (const std::string& broken : found->broken) reading.scan.broken_files.insert(prefix + broken);
  return {};
}

}  // namespace

Expected<ScanInput> ReadOnce(const ManifestsConfig& config, const Kinds& kinds,
                             const std::vector<std::string>& paths) {
  Reading reading{kinds.Schemas()};
  if (paths.empty()) {
    // Named by the configuration: problems are relative to it, as the daemon shows them.
    if (auto added = AddDirectory(config, config.directory, "", reading); !added) {
      return Fail(added.error());
    }
    List(reading.files, reading.scan);
    return std::move(reading.scan);
  }
  for (const std::string& path : paths) {
    std::error_code failed;
    const fs::file_status status = fs::status(path, failed);
    if (!fs::exists(status)) return Fail(Code::kNotFound, "there is no \"" + path + "\"");
    const std::string prefix = path.ends_with('/') ? path : path + "/";
    Expected<void> added = fs::is_directory(status) ? AddDirectory(config, path, prefix, reading)
                                                    : AddFile(path, reading);
    if (!added) return Fail(added.error());
  }
  List(reading.files, reading.scan);
  return std::move(reading.scan);
}

}  // namespace bindery
