#include "app/plan/import_room.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "core/text/count.h"
#include "manifests/files/file_names.h"

namespace bindery::app {
namespace {

namespace fs = std::filesystem;

/// "a" and "a/b" of "a/b/c.yaml".
void AddFolders(const std::string& path, std::set<std::string>& folders) {
  for (std::size_t at = path.find('/'); at != std::string::npos; at = path.find('/', at + 1)) {
    folders.insert(path.substr(0, at));
  }
}

}  // namespace

ImportRoom::ImportRoom(const config::ManifestsConfig& config, std::string advice)
    : advice_(std::move(advice)),
      most_files_(static_cast<std::uint64_t>(config.max_files)),
      most_bytes_(static_cast<std::uint64_t>(config.max_bytes)) {}

Error ImportRoom::MakeRefusal(const std::string& what, const std::string& key,
                              std::uint64_t limit) const {
  return {Code::kFailedPrecondition, "the manifests directory would have more " + what + " than " +
                                         key + " (" + std::to_string(limit) +
                                         "), and bindery would read none of it: set " + key +
                                         " higher" + advice_};
}

Expected<void> ImportRoom::CheckBytes() const {
  if (bytes_ <= most_bytes_) return {};
  return Fail(MakeRefusal("bytes", "manifests.maxBytes", most_bytes_));
}

ImportRoom ImportRoom::Measure(const config::ManifestsConfig& config, std::string advice) {
  ImportRoom room(config, std::move(advice));
  std::error_code failed;
  fs::recursive_directory_iterator entry(config.directory, failed);
  for (; !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
    std::error_code ignored;
    const std::string name = entry->path().filename().string();
    if (entry->is_directory(ignored)) {
      const bool left_out = !config.recursive || manifests::IsIgnoredName(name);
      if (left_out) {
        entry.disable_recursion_pending();
      } else {
        room.folders_.insert(entry->path().lexically_relative(config.directory).string());
      }
    } else if (manifests::IsManifestName(name)) {
      ++room.files_;
      const std::uintmax_t size = entry->file_size(ignored);
      if (!ignored) room.bytes_ += size;
    }
  }
  return room;
}

bool ImportRoom::IsAmple(std::uint64_t files, std::uint64_t bytes) const {
  constexpr std::uint64_t kFoldersOfFile = 2;
  return files_ + files <= most_files_ && bytes_ + bytes <= most_bytes_ &&
         folders_.size() + kFoldersOfFile * files <= most_files_;
}

Expected<void> ImportRoom::Take(const std::string& path, const std::string& text) {
  AddFolders(path, folders_);
  ++files_;
  bytes_ += text.size();
  if (files_ > most_files_) return Fail(MakeRefusal("files", "manifests.maxFiles", most_files_));
  if (folders_.size() > most_files_) {
    return Fail(MakeRefusal("folders", "manifests.maxFiles", most_files_));
  }
  return CheckBytes();
}

Expected<void> ImportRoom::Resize(std::uint64_t before, std::uint64_t after) {
  bytes_ = bytes_ - std::min(bytes_, before) + after;
  // A file that shrinks helps.
  return after <= before ? Expected<void>() : CheckBytes();
}

void ImportRoom::GiveBack(const std::string& text) {
  --files_;
  bytes_ -= text.size();
}

Expected<void> CheckRoom(const ImportRoom& room, const PolicyImportParts& parts,
                         const PolicyImportWish& wish, const InventoryFacts& facts) {
  // A member of a role is at most a manifest of its own.
  constexpr std::uint64_t kLongManifest = 1'024;
  constexpr std::uint64_t kShortMember = 16;
  std::uint64_t bytes = 0;
  for (const InventoryPolicy& policy : facts.policies) {
    bytes += kLongManifest * (1 + policy.bindings.size() / kShortMember);
  }
  if (room.IsAmple(facts.policies.size(), bytes)) return {};
  ImportRoom used = room;
  PolicyImportParts trial = parts;
  trial.place = {};
  trial.progress = {};
  trial.write = [&used](const std::string& path, const std::string& text) {
    return used.Take(path, text);
  };
  PolicyImportWish wanted = wish;
  wanted.read = false;
  std::vector<WrittenManifest> ignored;
  const auto tried = ImportPolicies(trial, wanted, facts, ignored);
  return tried ? Expected<void>() : Fail(tried.error());
}

}  // namespace bindery::app
