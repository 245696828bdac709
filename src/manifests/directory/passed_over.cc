#include "manifests/directory/passed_over.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <utility>

#include "manifests/directory/file_status.h"
#include "manifests/files/file_names.h"
#include "manifests/files/held_names.h"

namespace bindery::manifests {
namespace {

/// More are not worth telling, and each is kept in the store.
constexpr std::size_t kMostNamed = 1000;

bool MayBe(const dirent& entry, unsigned char type) {
  return entry.d_type == type || entry.d_type == DT_UNKNOWN;
}

void Warn(const std::string& path, const char* code, std::string message, Listing& listing) {
  Problem problem;
  problem.file = path;
  problem.severity = ProblemSeverity::kWarning;
  problem.code = code;
  problem.message = std::move(message);
  listing.problems.push_back(std::move(problem));
}

}  // namespace

void PassedOver::Take(int fd, const dirent& entry) {
  const std::string_view name = entry.d_name;
  if (auto held = IsSafeName(name) ? HeldBy(name) : std::nullopt) TakeHeld(fd, entry, *held);
  if (IsRepositoryName(name)) {
    repository_ = true;
  } else if (IsIgnoredName(name)) {
    if (!IsSafeName(name)) return;
    if (MayBe(entry, DT_REG) || MayBe(entry, DT_LNK)) TakeFile(fd, entry);
    if (recursive_ && MayBe(entry, DT_DIR)) TakeFolder(fd, entry);
  } else if (IsMisspelledName(name) && IsSafeName(name)) {
    FileStatus status;
    const bool is_file = entry.d_type == DT_REG ||
                         (entry.d_type != DT_DIR && LookUp(fd, entry.d_name, 0, status) == 0 &&
                          S_ISREG(status.mode));
    if (is_file && misspelled_.size() < kMostNamed) misspelled_.emplace_back(name);
  }
}

void PassedOver::TakeHeld(int fd, const dirent& entry, const HeldName& held) {
  FileStatus status;
  if (!MayBe(entry, DT_REG) || LookUp(fd, entry.d_name, AT_SYMLINK_NOFOLLOW, status) != 0) return;
  if (!S_ISREG(status.mode)) return;
  held_.push_back(
      {PathIn(folder_, entry.d_name), PathIn(folder_, held.name), std::string(held.left)});
}

/// Dots before the name hide a manifest file.
void PassedOver::TakeFile(int fd, const dirent& entry) {
  if (!IsHiddenManifestName(entry.d_name)) return;
  FileStatus status;
  if (LookUp(fd, entry.d_name, AT_SYMLINK_NOFOLLOW, status) != 0) return;
  if (S_ISREG(status.mode) || S_ISLNK(status.mode)) hidden_.emplace_back(entry.d_name);
}

void PassedOver::TakeFolder(int fd, const dirent& entry) {
  if (!IsHiddenFolderName(entry.d_name)) return;
  FileStatus status;
  if (LookUp(fd, entry.d_name, AT_SYMLINK_NOFOLLOW, status) != 0) return;
  if (S_ISDIR(status.mode)) folders_.push_back({entry.d_name, status.stamp});
}

void PassedOver::Tell(bool beside_data, Listing& listing) const {
  if (repository_) listing.repositories.push_back(folder_);
  listing.held_files.insert(listing.held_files.end(), held_.begin(), held_.end());
  constexpr std::string_view kDots = "..";
  for (const std::string& name : hidden_) {
    std::string path = PathIn(folder_, name);
    if (name.starts_with(kDots) && listing.problems.size() < kMostNamed) {
      Warn(path, "HiddenFile", "is not read, as its name begins with a dot: rename it", listing);
    }
    listing.hidden_files.push_back(std::move(path));
  }
  for (const std::string& name : misspelled_) {
    if (listing.misspelled.size() >= kMostNamed) break;
    std::string path = PathIn(folder_, name);
    Warn(path, "MisspelledEnding",
         "is not read: only .yaml, .yml and .json in small letters are manifest files; rename it",
         listing);
    listing.misspelled.push_back(std::move(path));
  }
  for (const auto& [name, stamp] : folders_) {
    const bool dots = name.starts_with(kDots);
    if (dots && beside_data) continue;
    std::string path = PathIn(folder_, name);
    if (dots && listing.problems.size() < kMostNamed) {
      Warn(path, "HiddenFolder", "is not read, as its name begins with a dot: rename it", listing);
    }
    listing.hidden_folders.emplace_back(std::move(path), stamp);
  }
}

}  // namespace bindery::manifests
