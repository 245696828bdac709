#include "manifests/directory/hinted_look.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <map>
#include <string_view>
#include <utility>

#include "manifests/files/file_names.h"

namespace bindery::manifests {
namespace {

/// "folder" and "name" of "folder/name".
std::pair<std::string_view, std::string_view> Parts(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return {{}, path};
  return {path.substr(0, slash), path.substr(slash + 1)};
}

class HintedLooker {
 public:
  HintedLooker(const OpenRoot& root, const DirectorySettings& settings, const Listing& known)
      : root_(root), settings_(settings), known_(known) {}

  /// False when the hints do not tell all.
  bool Find(const std::vector<std::string>& hints) {
    std::map<std::string_view, std::set<std::string>> names;
    for (const std::string& hint : hints) {
      const auto [folder, name] = Parts(hint);
      if (!IsManifestName(name) || !IsSafeName(name)) return false;
      names[folder].emplace(name);
    }
    look_.present.file_count = known_.file_count;
    look_.present.name_count = known_.name_count;
    look_.present.bytes = known_.bytes;
    for (const auto& [folder, files] : names) {
      if (!FindIn(folder, files)) return false;
    }
    return look_.present.file_count > 0 && look_.present.name_count <= settings_.max_files &&
           look_.present.bytes <= settings_.max_total_bytes;
  }

  [[nodiscard]] std::optional<Error> LookAgain() const {
    if (!IsStillThere(root_, settings_)) return ChangedWhileRead(settings_, "");
    if (const auto path = DifferenceIn(root_, look_.present.folders)) {
      return ChangedWhileRead(settings_, *path);
    }
    struct stat status = {};
    for (const std::string& path : look_.gone) {
      if (::fstatat(root_.fd.get(), path.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) {
        return ChangedWhileRead(settings_, path);
      }
    }
    return std::nullopt;
  }

  HintedLook& look() { return look_; }

 private:
  bool FindIn(std::string_view path, const std::set<std::string>& names) {
    const ListedFolder* known = known_.Find(path);
    if (known == nullptr) return false;
    const Descriptor fd = OpenFolderAt(root_, known->path);
    struct stat status = {};
    if (!fd.valid() || ::fstat(fd.get(), &status) != 0) return false;
    const FileStamp stamp = FileStamp::Of(status);
    if (stamp.device != known->stamp.device || stamp.inode != known->stamp.inode) return false;
    ListedFolder folder{known->path, stamp, known->mount, false, {}, {}};
    for (const std::string& name : names) {
      if (!FindFile(fd.get(), name, *known, folder)) return false;
    }
    look_.present.folders.push_back(std::move(folder));
    return true;
  }

  bool FindFile(int fd, const std::string& name, const ListedFolder& known, ListedFolder& folder) {
    const std::size_t place = known.FindPlace(name);
    const ListedFile* before = known.HasAt(place, name) ? &known.files[place] : nullptr;
    if (before != nullptr) {
      --look_.present.file_count;
      --look_.present.name_count;
      look_.present.bytes -= static_cast<std::uint64_t>(before->stamp.size);
    }
    struct stat status = {};
    if (::fstatat(fd, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      if (errno != ENOENT) return false;
      if (before != nullptr) look_.gone.push_back(PathIn(folder.path, name));
      return true;
    }
    // A write under one of several names concerns all names of the file.
    if (!S_ISREG(status.st_mode) || status.st_nlink != 1) return false;
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (size > settings_.max_file_bytes) return false;
    ++look_.present.file_count;
    ++look_.present.name_count;
    look_.present.bytes += size;
    ListedFile file = folder.Named(name);
    file.stamp = FileStamp::Of(status);
    if (before != nullptr) AdoptContent(*before, file);
    // The hint knows better than the stamp.
    file.read_anyway = true;
    folder.files.push_back(std::move(file));
    return true;
  }

  const OpenRoot& root_;
  const DirectorySettings& settings_;
  const Listing& known_;
  HintedLook look_;
};

}  // namespace

// NOLINTNEXTLINE(readability-function-size): six parameters; the length is what it takes
Expected<std::optional<HintedLook>> LookAtHinted(const OpenRoot& root,
                                                 const DirectorySettings& settings,
                                                 const FileLoader& loader, const Listing& known,
                                                 const std::vector<std::string>& hints,
                                                 const std::function<void()>& hook) {
  const std::optional<HintedLook> does_not_tell;
  HintedLooker looker(root, settings, known);
  if (!looker.Find(hints)) return does_not_tell;
  const Expected<ReadOutcome> read = ReadFiles(root, settings, loader, looker.look().present);
  if (!read) return Fail(read.error());
  if (!read->problems.empty()) return does_not_tell;
  if (hook) hook();
  if (auto changed = looker.LookAgain()) return Fail(std::move(*changed));
  looker.look().parsed = read->parsed;
  looker.look().writers_unknown = read->writers_unknown;
  return std::optional(std::move(looker.look()));
}

void TakeOver(const HintedLook& look, Listing& known, std::set<std::string>& orphans) {
  known.file_count = look.present.file_count;
  known.name_count = look.present.name_count;
  known.bytes = look.present.bytes;
  for (const ListedFolder& part : look.present.folders) {
    ListedFolder& folder = *known.Find(part.path);
    for (const ListedFile& found : part.files) {
      const std::string_view name = part.GetName(found);
      const std::size_t place = folder.FindPlace(name);
      const bool listed = folder.HasAt(place, name);
      ListedFile file = listed ? folder.files[place] : folder.Named(name);
      file.stamp = found.stamp;
      file.content = found.content;
      file.proven = found.proven;
      file.open_for_writing = found.open_for_writing;
      file.record = found.record;
      const auto at = folder.files.begin() + static_cast<std::ptrdiff_t>(place);
      if (listed) {
        *at = std::move(file);
      } else {
        folder.files.insert(at, std::move(file));
      }
    }
  }
  for (const std::string& path : look.gone) {
    const auto [folder_path, name] = Parts(path);
    ListedFolder& folder = *known.Find(folder_path);
    const auto at = folder.files.begin() + static_cast<std::ptrdiff_t>(folder.FindPlace(name));
    if (at->record != WhatIsKept::kNone) orphans.insert(path);
    folder.files.erase(at);
  }
}

}  // namespace bindery::manifests
