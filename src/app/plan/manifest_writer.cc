#include "app/plan/manifest_writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <set>
#include <system_error>
#include <utility>

#include "core/base/whole_file.h"
#include "manifests/files/descriptor.h"

namespace bindery::app {

/// A folder under a name that scans ignore, deleted by its owner with all of its files.
class StagingFolder {
 public:
  explicit StagingFolder(const std::filesystem::path& folder)
      : path_((folder / ".bindery-import-XXXXXX").string()),
        is_made_(::mkdtemp(path_.data()) != nullptr) {}
  ~StagingFolder() {
    std::error_code ignored;
    if (is_made_) std::filesystem::remove_all(path_, ignored);
  }
  StagingFolder(const StagingFolder&) = delete;
  StagingFolder& operator=(const StagingFolder&) = delete;

  [[nodiscard]] bool is_made() const { return is_made_; }
  [[nodiscard]] std::filesystem::path GetFile(std::size_t number) const {
    return std::filesystem::path(path_) / std::to_string(number);
  }

 private:
  std::string path_;
  bool is_made_;
};

namespace {

/// A file under a name that scans ignore, deleted by its owner.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& folder)
      : path_((folder / ".bindery-import-XXXXXX").string()),
        descriptor_(::mkostemp(path_.data(), O_CLOEXEC)) {}
  ~TemporaryFile() {
    if (descriptor_.valid()) ::unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  [[nodiscard]] int fd() const { return descriptor_.get(); }
  [[nodiscard]] const char* path() const { return path_.c_str(); }

 private:
  std::string path_;
  manifests::Descriptor descriptor_;
};

/// Into a file of the usual mode. False: errno says why not.
bool WriteText(const std::filesystem::path& file, const std::string& text) {
  constexpr ::mode_t kEverybody = 0666;
  const manifests::Descriptor descriptor(
      ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kEverybody));
  return descriptor.valid() && WriteAll(descriptor.get(), text);
}

/// Brings all of the file system of a folder to disk. False: errno says why not.
bool SyncFileSystem(const std::filesystem::path& folder) {
  const manifests::Descriptor descriptor(
      ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return descriptor.valid() && ::syncfs(descriptor.get()) == 0;
}

/// As any new file of this process would be: a temporary one is its owner's alone.
bool ShareAsUsual(int fd) {
  constexpr ::mode_t kEverybody = 0666;
  const ::mode_t mask = ::umask(0);
  ::umask(mask);
  return ::fchmod(fd, kEverybody & ~mask) == 0;
}

tl::unexpected<Error> CannotWrite(const std::filesystem::path& file) {
  const int error = errno;
  if (error == EEXIST) {
    return Fail(Code::kAlreadyExists,
                "\"" + file.string() + "\" exists already: it is never overwritten");
  }
  return Fail(Code::kFailedPrecondition,
              "\"" + file.string() + "\" cannot be written: " + manifests::SystemText(error));
}

}  // namespace

Expected<void> WriteNewFile(const std::filesystem::path& file, const std::string& text) {
  const std::filesystem::path folder = file.parent_path();
  const TemporaryFile temporary(folder);
  if (temporary.fd() < 0) return CannotWrite(file);
  if (!WriteAll(temporary.fd(), text) || !ShareAsUsual(temporary.fd()) ||
      ::fsync(temporary.fd()) != 0) {
    return CannotWrite(file);
  }
  // Unlike a renaming, a link replaces nothing.
  if (::link(temporary.path(), file.c_str()) != 0) return CannotWrite(file);
  SyncFolder(folder.string());
  return {};
}

Expected<void> WriteNewFiles(const std::filesystem::path& folder,
                             const std::vector<NewManifestFile>& files) {
  namespace fs = std::filesystem;
  if (files.empty()) return {};
  std::error_code failed;
  for (const NewManifestFile& file : files) {
    if (fs::exists(fs::symlink_status(folder / file.name, failed))) {
      errno = EEXIST;
      return CannotWrite(folder / file.name);
    }
  }
  const StagingFolder temporary(folder);
  if (!temporary.is_made()) return CannotWrite(folder);
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!WriteText(temporary.GetFile(i), files[i].text)) return CannotWrite(folder / files[i].name);
  }
  if (!SyncFileSystem(folder)) return CannotWrite(folder);
  for (std::size_t i = 0; i < files.size(); ++i) {
    const fs::path file = folder / files[i].name;
    if (::link(temporary.GetFile(i).c_str(), file.c_str()) == 0) continue;
    auto why = CannotWrite(file);
    for (std::size_t done = 0; done < i; ++done) fs::remove(folder / files[done].name, failed);
    return why;
  }
  SyncFolder(folder.string());
  return {};
}

NewFileBatches::NewFileBatches(std::filesystem::path folder) : folder_(std::move(folder)) {}
NewFileBatches::~NewFileBatches() = default;

/// A link cannot lead from one file system to another.
bool NewFileBatches::IsElsewhere(const std::filesystem::path& folder) const {
  struct ::stat here = {};
  struct ::stat there = {};
  return ::stat(folder_.c_str(), &here) == 0 && ::stat(folder.c_str(), &there) == 0 &&
         here.st_dev != there.st_dev;
}

Expected<void> NewFileBatches::Add(const std::filesystem::path& file, const std::string& text) {
  namespace fs = std::filesystem;
  if (IsElsewhere(file.parent_path())) return WriteNewFile(file, text);
  std::error_code failed;
  if (names_.contains(file) || fs::exists(fs::symlink_status(file, failed))) {
    errno = EEXIST;
    return CannotWrite(file);
  }
  if (staging_ == nullptr) staging_ = std::make_unique<StagingFolder>(folder_);
  if (!staging_->is_made()) return CannotWrite(folder_);
  if (!WriteText(staging_->GetFile(files_.size()), text)) return CannotWrite(file);
  files_.push_back(file);
  names_.insert(file);
  return {};
}

Expected<void> NewFileBatches::Place() {
  if (files_.empty()) return {};
  // The new folders are brought to disk with the texts.
  if (!SyncFileSystem(folder_)) return CannotWrite(folder_);
  std::set<std::filesystem::path> folders;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const std::filesystem::path& file = files_[i];
    if (::link(staging_->GetFile(i).c_str(), file.c_str()) != 0) return CannotWrite(file);
    folders.insert(file.parent_path());
  }
  for (const std::filesystem::path& folder : folders) SyncFolder(folder.string());
  staging_.reset();
  files_.clear();
  names_.clear();
  return {};
}

Expected<void> ReplaceFile(const std::filesystem::path& file, const std::string& text) {
  std::error_code failure;
  const std::filesystem::path real = std::filesystem::canonical(file, failure);
  struct ::stat before = {};
  if (failure || ::stat(real.c_str(), &before) != 0) return CannotWrite(file);
  // A file that may not be written is not replaced either.
  if (::access(real.c_str(), W_OK) != 0) return CannotWrite(file);
  const TemporaryFile temporary(real.parent_path());
  if (temporary.fd() < 0) return CannotWrite(file);
  if (!WriteAll(temporary.fd(), text) ||
      ::fchown(temporary.fd(), before.st_uid, before.st_gid) != 0 ||
      ::fchmod(temporary.fd(), before.st_mode) != 0 || ::fsync(temporary.fd()) != 0 ||
      !MoveIntoPlace(temporary.path(), real.string())) {
    return CannotWrite(file);
  }
  return {};
}

}  // namespace bindery::app
