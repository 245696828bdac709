#include "app/directory/offline_scan.h"

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include "app/directory/directory_manifests.h"
#include "controller/loop/manifest_source.h"
#include "core/text/text_search.h"
#include "manifests/documents/loader.h"
#include "manifests/files/file_names.h"

namespace bindery::app {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStandardInput = "-";

/// DirectorySettings::max_file_bytes: a named file is judged as the daemon would.
constexpr std::size_t kLargestFile = 16U << 20U;

/// Files by path: a file that was named twice is read once.
using Files = std::map<std::string, manifests::SharedFile>;

std::shared_ptr<const manifests::Manifest> Named(const manifests::Manifest& manifest,
                                                 const std::string& prefix) {
  auto named = std::make_shared<manifests::Manifest>(manifest);
  named->source.file = prefix + manifest.source.file.str();
  return named;
}

void Add(const manifests::FileContent& content, const std::string& prefix, Files& files) {
  auto file = std::make_shared<manifests::FileContent>();
  file->path = prefix + content.path;
  file->digest = content.digest;
  file->blank = content.blank;
  for (const auto& manifest : content.manifests) {
    file->manifests.push_back(Named(*manifest, prefix));
  }
  for (manifests::Problem problem : content.problems) {
    problem.file.insert(0, prefix);
    file->problems.push_back(std::move(problem));
  }
  for (const auto& manifest : content.invalid) file->invalid.push_back(Named(*manifest, prefix));
  files.emplace(file->path, file);
}

/// The state of the reading.
struct Reading {
  const manifests::KindSchemas& kinds;
  Files files = {};
  controller::ScanInput scan = {};
  /// Real paths of read files, under their given names.
  std::set<std::string> known = {};
};

std::string RealPath(const fs::path& path) {
  std::error_code failed;
  return fs::weakly_canonical(path, failed).string();
}

void List(const Files& files, controller::ScanInput& scan) {
  std::vector<manifests::SharedFile> list;
  for (const auto& [path, file] : files) list.push_back(file);
  AddFiles(std::move(list), scan);
}

/// All of a stream; of a longer one than a manifest file may be, one byte more than that. Nothing
/// where the stream cannot be read.
std::optional<std::string> ReadUpToLimit(std::istream& in) {
  std::string text;
  std::string piece(1U << 16U, '\0');
  while (in && text.size() <= kLargestFile) {
    in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    text.append(piece, 0, static_cast<std::size_t>(in.gcount()));
  }
  if (in.bad()) return std::nullopt;
  return text;
}

/// What the daemon would make of such a file.
void AddText(const std::string& text, const std::string& name, Reading& reading) {
  if (text.size() <= kLargestFile) {
    Add(manifests::LoadFile(text, name, reading.kinds), "", reading.files);
    return;
  }
  manifests::Problem problem;
  problem.file = name;
  problem.code = "TooLarge";
  problem.message = "holds more than " + std::to_string(kLargestFile) + " bytes: split the file";
  reading.scan.problems.push_back(std::move(problem));
  reading.scan.broken_files.insert(name);
}

Error Unreadable(const std::string& path, const std::error_code& why) {
  return {Code::kNotFound, "\"" + path + "\" cannot be read: " + why.message()};
}

Expected<void> AddFile(const std::string& path, Reading& reading) {
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  const std::optional<std::string> text = in ? ReadUpToLimit(in) : std::nullopt;
  if (!text) return Fail(Unreadable(path, {errno, std::generic_category()}));
  AddText(*text, path, reading);
  return {};
}

Expected<void> AddStandardInput(Reading& reading) {
  const std::optional<std::string> text = ReadUpToLimit(std::cin);
  if (!text) return Fail(Code::kInternal, "standard input cannot be read");
  AddText(*text, "<stdin>", reading);
  return {};
}

Expected<void> AddDirectory(const config::ManifestsConfig& config, const fs::path& path,
                            const std::string& prefix, Reading& reading) {
  config::ManifestsConfig here = config;
  here.directory = path;
  manifests::DirectorySource source(MakeDirectorySettings(here),
                                    [&reading](std::string_view text, const std::string& file) {
                                      return manifests::LoadFile(text, file, reading.kinds);
                                    });
  const Expected<manifests::DirectoryScan> found = source.Scan(/*assume_settled=*/true);
  if (!found) return Fail(found.error());
  const auto is_new = [&](const std::string& file) {
    return reading.known.empty() || !reading.known.contains(RealPath(path / file));
  };
  for (const auto& content : found->files) {
    if (is_new(content->path)) Add(*content, prefix, reading.files);
  }
  for (manifests::Problem problem : found->problems) {
    if (!is_new(problem.file)) continue;
    problem.file.insert(0, prefix);
    reading.scan.problems.push_back(std::move(problem));
  }
  for (const std::string& broken : found->broken) reading.scan.broken_files.insert(prefix + broken);
  if (prefix.empty()) reading.scan.facts = found->facts;
  return {};
}

Expected<void> AddPath(const config::ManifestsConfig& config, const std::string& path,
                       Reading& reading) {
  if (path == kStandardInput) return AddStandardInput(reading);
  std::error_code failed;
  const fs::file_status status = fs::status(path, failed);
  if (status.type() == fs::file_type::not_found) {
    return Fail(Code::kNotFound, "there is no \"" + path + "\"");
  }
  if (failed) return Fail(Unreadable(path, failed));
  if (!fs::is_directory(status)) return AddFile(path, reading);
  return AddDirectory(config, path, path.ends_with('/') ? path : path + "/", reading);
}

/// Some path is a part of the directory, and none all of it.
bool LieWithin(const std::vector<std::string>& paths, const fs::path& directory) {
  const std::string whole = RealPath(directory);
  bool any = false;
  for (const std::string& path : paths) {
    if (path == kStandardInput) continue;
    const std::string real = RealPath(path);
    if (IsWithin(whole, real)) return false;
    any = any || IsWithin(real, whole);
  }
  return any;
}

/// The rest of the configured directory, as far as it can be read.
void AddContext(const config::ManifestsConfig& config, const std::set<std::string>& named,
                Reading& reading) {
  for (const std::string& path : named) reading.known.insert(RealPath(path));
  std::error_code failed;
  const fs::path near = fs::proximate(config.directory, failed);
  const std::string prefix = (failed ? config.directory : near).string() + "/";
  std::ignore = AddDirectory(config, config.directory, prefix == "./" ? "" : prefix, reading);
}

}  // namespace

void AddFiles(std::vector<manifests::SharedFile> files, controller::ScanInput& scan) {
  for (const manifests::SharedFile& file : files) {
    scan.manifests += file->manifests.size();
    scan.problems.insert(scan.problems.end(), file->problems.begin(), file->problems.end());
  }
  scan.files = manifests::FileList(std::move(files));
}

Expected<controller::ScanInput> ReadOnce(const config::ManifestsConfig& config,
                                         const providers::Kinds& kinds,
                                         std::optional<KnownManifests> known) {
  manifests::DirectorySource source(MakeDirectorySettings(config),
                                    [&kinds](std::string_view text, const std::string& file) {
                                      return manifests::LoadFile(text, file, kinds);
                                    });
  if (known) source.Seed(std::move(known->files), known->sum);
  Expected<manifests::DirectoryScan> found = source.Scan(/*assume_settled=*/true);
  if (!found) return Fail(found.error());
  controller::ScanInput scan;
  scan.facts = std::move(found->facts);
  controller::ListAll(*found, scan);
  if (!known) scan.edit.reset();
  return scan;
}

Expected<GivenFiles> ReadGiven(const config::ManifestsConfig& config, const providers::Kinds& kinds,
                               const std::vector<std::string>& paths) {
  Reading reading{kinds};
  for (const std::string& path : paths) {
    if (auto added = AddPath(config, path, reading); !added) return Fail(added.error());
  }
  GivenFiles given;
  given.files = reading.files.size();
  for (const auto& [path, file] : reading.files) {
    given.manifests += file->manifests.size();
    given.named.insert(path);
  }
  for (const manifests::Problem& problem : reading.scan.problems) given.named.insert(problem.file);
  if (LieWithin(paths, config.directory)) AddContext(config, given.named, reading);
  List(reading.files, reading.scan);
  given.scan = std::move(reading.scan);
  return given;
}

}  // namespace bindery::app
