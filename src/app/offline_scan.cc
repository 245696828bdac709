#include "app/offline_scan.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "app/directory_manifests.h"
#include "manifests/loader.h"

namespace bindery {
namespace {

namespace fs = std::filesystem;

void Add(const FileContent& content, const std::string& prefix, ScanInput& scan) {
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
    scan.problems.push_back(problem);
    file->problems.push_back(std::move(problem));
  }
  scan.files.push_back(std::move(file));
}

Expected<void> AddFile(const fs::path& path, const std::vector<const KindSchema*>& schemas,
                       ScanInput& scan) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) return Fail(Code::kNotFound, "\"" + path.string() + "\" cannot be read");
  Add(LoadFile(text.str(), path.string(), schemas), "", scan);
  return {};
}

Expected<void> AddDirectory(const ManifestsConfig& config, const fs::path& path,
                            const std::vector<const KindSchema*>& schemas,
                            const std::string& prefix, ScanInput& scan) {
  ManifestsConfig here = config;
  here.directory = path;
  DirectorySource source(DirectorySettingsOf(here),
                         [&schemas](std::string_view text, const std::string& file) {
                           return LoadFile(text, file, schemas);
                         });
  const Expected<DirectoryScan> found = source.Scan(/*assume_settled=*/true);
  if (!found) return Fail(found.error());
  for (const auto& content : found->files) Add(*content, prefix, scan);
  for (Problem problem : found->problems) {
    problem.file.insert(0, prefix);
    scan.problems.push_back(std::move(problem));
  }
  for (const std::string& broken : found->broken) scan.broken_files.insert(prefix + broken);
  return {};
}

}  // namespace

Expected<ScanInput> ReadOnce(const ManifestsConfig& config, const Kinds& kinds,
                             const std::vector<std::string>& paths) {
  const std::vector<const KindSchema*> schemas = kinds.Schemas();
  ScanInput scan;
  if (paths.empty()) {
    // Named by the configuration: problems are relative to it, as the daemon shows them.
    if (auto added = AddDirectory(config, config.directory, schemas, "", scan); !added) {
      return Fail(added.error());
    }
    return scan;
  }
  for (const std::string& path : paths) {
    std::error_code failed;
    const fs::file_status status = fs::status(path, failed);
    if (!fs::exists(status)) return Fail(Code::kNotFound, "there is no \"" + path + "\"");
    const std::string prefix = path.ends_with('/') ? path : path + "/";
    Expected<void> added = fs::is_directory(status)
                               ? AddDirectory(config, path, schemas, prefix, scan)
                               : AddFile(path, schemas, scan);
    if (!added) return Fail(added.error());
  }
  return scan;
}

}  // namespace bindery
