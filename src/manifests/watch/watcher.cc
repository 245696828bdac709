#include "manifests/watch/watcher.h"

#include <dirent.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <set>
#include <utility>

#include "core/base/mutex.h"
#include "core/text/text_search.h"
#include "manifests/files/descriptor.h"
#include "manifests/files/file_names.h"
#include "manifests/watch/folder_watches.h"
#include "manifests/watch/open_writes.h"
#include "manifests/watch/watch_chain.h"

namespace bindery::manifests {
namespace {

constexpr std::uint32_t kNameEvents = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO;
constexpr std::uint32_t kSelfEvents = IN_DELETE_SELF | IN_MOVE_SELF;
/// For a folder that only holds a link or the directory itself: no events of writes inside.
constexpr std::uint32_t kStepEvents = kNameEvents | kSelfEvents;
constexpr std::uint32_t kFolderEvents =
    kNameEvents | kSelfEvents | IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB;

/// A directory that never rests must not keep Drain() from returning.
constexpr int kMaxReads = 64;
constexpr int kMaxResolutions = 8;
/// Looking at more files one by one is no cheaper than a full look.
constexpr std::size_t kMaxHintedFiles = 1000;

std::string AbsolutePath(const std::filesystem::path& path) {
  std::error_code failed;
  const std::filesystem::path absolute = std::filesystem::absolute(path, failed);
  return failed ? path.string() : absolute.string();
}

std::string WhyNoInstance(int error) {
  std::string text = "inotify is not available: " + SystemText(error);
  if (error == EMFILE) text += " (raise fs.inotify.max_user_instances)";
  return text;
}

std::string WhyNoWatch(const std::string& path, int error) {
  if (error == ENOSPC) {
    return "out of inotify watches at \"" + path + "\" (raise fs.inotify.max_user_watches)";
  }
  return "cannot watch \"" + path + "\": " + SystemText(error);
}

bool IsLink(const std::string& path) {
  struct stat status = {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode);
}

/// The creation of a name is a hint if no write will follow: a regular file under writing gives a
/// hint when closed, and must not be read before.
bool IsCompleteAtOnce(const std::string& path) {
  struct stat status = {};
  return ::lstat(path.c_str(), &status) == 0 && (!S_ISREG(status.st_mode) || status.st_nlink > 1);
}

/// The real path, "" for a dangling path.
std::string RealPath(const std::string& path) {
  std::array<char, PATH_MAX> buffer = {};
  return ::realpath(path.c_str(), buffer.data()) != nullptr ? std::string(buffer.data())
                                                            : std::string();
}

}  // namespace

std::string_view ToString(WatchMode mode) {
  return mode == WatchMode::kInotify ? "inotify" : "poll";
}

void Hints::Add(Hints other) {
  any = any || other.any;
  everything =
      everything || other.everything || files.size() + other.files.size() > kMaxHintedFiles;
  if (everything) {
    files.clear();
  } else {
    files.insert(files.end(), std::make_move_iterator(other.files.begin()),
                 std::make_move_iterator(other.files.end()));
  }
}

class DirectoryWatcher::Impl {
 public:
  explicit Impl(const WatcherSettings& settings)
      : settings_(settings), path_(AbsolutePath(settings.directory)) {
    if (settings_.force_polling) {
      incomplete_ = "polling was asked for";
      return;
    }
    fd_ = Descriptor(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
    if (!fd_.valid()) {
      incomplete_ = WhyNoInstance(errno);
      return;
    }
    Arm();
  }

  [[nodiscard]] int fd() const { return fd_.get(); }

  [[nodiscard]] std::string reason() const {
    const MutexLock lock(mutex_);
    return incomplete_.empty() ? unwatchable_ : incomplete_;
  }

  Hints Drain() {
    const MutexLock lock(mutex_);
    if (!fd_.valid()) return {};
    hints_ = Hints();
    arm_ = false;
    alignas(inotify_event) std::array<char, 64U * 1024U> buffer = {};
    for (int reads = 0; reads < kMaxReads; ++reads) {
      const ssize_t size = ::read(fd_.get(), buffer.data(), buffer.size());
      if (size < 0 && errno == EINTR) continue;
      if (size <= 0) break;
      TakeEvents(buffer.data(), static_cast<std::size_t>(size));
    }
    if (arm_) Arm();
    if (hints_.any && !(incomplete_.empty() && unwatchable_.empty())) hints_.everything = true;
    if (hints_.everything) hints_.files.clear();
    return std::move(hints_);
  }

  std::vector<std::string> BeingWritten() {
    const MutexLock lock(mutex_);
    return written_.FindBelow(chain_.real_path);
  }

  bool Rearm() {
    const MutexLock lock(mutex_);
    if (!fd_.valid()) return false;
    const bool moved = ResolveChain(path_) != chain_;
    const bool lacking = !incomplete_.empty();
    if (!moved && !lacking) return false;
    Arm();
    return moved || incomplete_.empty();
  }

 private:
  // Watching --------------------------------------------------------------------------------------

  /// Watches exactly the present folders. An existing watch continues without a gap.
  void Arm() REQUIRES(mutex_) {
    watches_.BeginRound();
    incomplete_.clear();
    linked_.clear();
    for (int i = 0; i < kMaxResolutions; ++i) {
      chain_ = ResolveChain(path_);
      for (const WatchStep& step : chain_.steps) {
        FolderWatch* const watch = Add(step.folder, kStepEvents, true);
        if (watch != nullptr) watch->names.insert(step.name);
      }
      if (!chain_.real_path.empty()) WatchTree(chain_.real_path, 0);
      // A step may have been taken before its watch was in place.
      if (ResolveChain(path_) == chain_) break;
    }
    unwatchable_ = chain_.real_path.empty() ? std::string() : WhyUnwatchable(chain_.real_path);
    watches_.EndRound();
  }

  /// Null when the folder cannot be watched. An error only for an `essential` folder; the scan
  /// reports any other folder as unreadable, and the parent announces a change.
  FolderWatch* Add(const std::string& path, std::uint32_t events, bool essential) REQUIRES(mutex_) {
    FolderWatch* const watch = watches_.Add(path, events);
    if (watch != nullptr) return watch;
    const bool gone = errno == ENOENT || errno == ENOTDIR;
    const bool denied = errno == EACCES || errno == EPERM;
    if (!gone && (essential || !denied)) incomplete_ = WhyNoWatch(path, errno);
    return nullptr;
  }

  void WatchTree(const std::string& path, std::size_t depth) REQUIRES(mutex_) {
    if (depth > settings_.max_depth) return;
    FolderWatch* const watch = Add(path, kFolderEvents, depth == 0);
    // An already watched folder was reached through a link, or is being walked.
    if (watch == nullptr || watch->folder) return;
    watch->folder = true;
    watch->path = path;
    watch->depth = depth;
    if (!settings_.recursive) return;
    // Opened after it is watched: a folder made in between is seen by one of the two.
    DIR* stream = ::opendir(path.c_str());
    if (stream == nullptr) return;
    while (const dirent* entry = ::readdir(stream)) {  // NOLINT(concurrency-mt-unsafe): own stream
      const std::string_view name = entry->d_name;
      if (entry->d_type == DT_REG || IsIgnoredName(name) || IsManifestName(name)) continue;
      WatchEntry(PathIn(path, name), depth + 1);
    }
    ::closedir(stream);
  }

  /// Watches a possible folder or link to a folder.
  void WatchEntry(const std::string& path, std::size_t depth) REQUIRES(mutex_) {
    struct stat status = {};
    if (::lstat(path.c_str(), &status) != 0) return;
    if (S_ISDIR(status.st_mode)) return WatchTree(path, depth);
    if (!S_ISLNK(status.st_mode)) return;
    linked_.insert(path);
    const std::string real = RealPath(path);
    if (!real.empty() && IsWithin(real, chain_.real_path)) WatchTree(real, depth);
  }

  // Events ----------------------------------------------------------------------------------------

  void TakeEvents(const char* data, std::size_t size) REQUIRES(mutex_) {
    while (size >= sizeof(inotify_event)) {
      inotify_event event = {};
      std::memcpy(&event, data, sizeof(event));
      const char* name = event.len > 0 ? data + sizeof(event) : "";
      Judge(event, name);
      const std::size_t step = sizeof(event) + event.len;
      data += step;
      size -= std::min(step, size);
    }
  }

  void Changed(bool arm) REQUIRES(mutex_) {
    hints_.any = true;
    hints_.everything = true;
    arm_ = arm_ || arm;
  }

  /// A file at a real path: of the tree by the way it is reached, or everything may be different.
  void FileChanged(const std::string& path) REQUIRES(mutex_) {
    const std::string& root = chain_.real_path;
    const std::size_t start = root == "/" ? 1 : root.size() + 1;
    if (root.empty() || !IsWithin(path, root) || path.size() <= start) return Changed(false);
    hints_.Add({true, false, {path.substr(start)}});
  }

  void Judge(const inotify_event& event, std::string_view name) REQUIRES(mutex_) {
    if ((event.mask & IN_Q_OVERFLOW) != 0) {
      written_.Clear();
      return Changed(true);
    }
    const FolderWatch* const watch = watches_.Find(event.wd);
    if (watch == nullptr) return;  // of a watch that was removed
    const bool topmost = watch->depth == 0;
    if ((event.mask & IN_IGNORED) != 0) {
      // Deleted or unmounted. For further folders their parent, or the unmounting, gives the event.
      watches_.Forget(event.wd);
      return Changed(topmost);
    }
    if ((event.mask & IN_UNMOUNT) != 0) return Changed(true);
    if ((event.mask & kSelfEvents) != 0) {
      if (topmost) Changed(true);
      return;
    }
    if (!name.empty() && watch->names.contains(std::string(name)) &&
        (event.mask & kNameEvents) != 0) {
      return Changed(true);
    }
    if (!watch->folder) return;
    if (!name.empty()) return JudgeEntry(*watch, event.mask, std::string(name));
    // The folder's own mode or owner; for further folders their parent gives the event.
    if (topmost) Changed(false);
  }

  /// Something in a folder of the tree.
  void JudgeEntry(const FolderWatch& watch, std::uint32_t mask, const std::string& name)
      REQUIRES(mutex_) {
    if (name == kDataLink) return Changed(!linked_.empty());
    if (IsIgnoredName(name)) return;
    const std::string path = PathIn(watch.path, name);
    if (IsManifestName(name)) {
      written_.Note(path, mask);
      if (mask == IN_MODIFY) return;  // It tells when it is closed.
      if ((mask & IN_CREATE) == 0 || IsCompleteAtOnce(path)) FileChanged(path);
      return;
    }
    if (!settings_.recursive) return;
    if ((mask & IN_ISDIR) != 0) return JudgeFolder(path, watch.depth + 1, mask);
    const bool named = (mask & kNameEvents) != 0;
    if (named && (linked_.contains(path) || IsLink(path))) Changed(true);
  }

  void JudgeFolder(const std::string& path, std::size_t depth, std::uint32_t mask)
      REQUIRES(mutex_) {
    Changed(false);
    if ((mask & IN_MOVED_FROM) != 0) watches_.EndBeneath(path);
    if ((mask & (IN_CREATE | IN_MOVED_TO | IN_ATTRIB)) != 0) WatchTree(path, depth);
  }

  const WatcherSettings settings_;
  const std::string path_;  ///< Absolute.
  Descriptor fd_;

  mutable Mutex mutex_;
  FolderWatches watches_ GUARDED_BY(mutex_){fd_};
  OpenWrites written_ GUARDED_BY(mutex_);
  /// Links in the tree that are, or may become, links to folders.
  std::set<std::string> linked_ GUARDED_BY(mutex_);
  WatchChain chain_ GUARDED_BY(mutex_);
  std::string incomplete_ GUARDED_BY(mutex_);   ///< Why not all is watched that should be.
  std::string unwatchable_ GUARDED_BY(mutex_);  ///< Why watching is not enough.
  Hints hints_ GUARDED_BY(mutex_);              ///< Of the Drain() under way.
  bool arm_ GUARDED_BY(mutex_) = false;
};

DirectoryWatcher::DirectoryWatcher(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
DirectoryWatcher::~DirectoryWatcher() = default;
DirectoryWatcher::DirectoryWatcher(DirectoryWatcher&&) noexcept = default;
DirectoryWatcher& DirectoryWatcher::operator=(DirectoryWatcher&&) noexcept = default;

DirectoryWatcher DirectoryWatcher::Open(const WatcherSettings& settings) {
  return DirectoryWatcher(std::make_unique<Impl>(settings));
}

int DirectoryWatcher::fd() const { return impl_->fd(); }

WatchMode DirectoryWatcher::mode() const {
  return impl_->reason().empty() ? WatchMode::kInotify : WatchMode::kPoll;
}

std::string DirectoryWatcher::reason() const { return impl_->reason(); }

Hints DirectoryWatcher::Drain() { return impl_->Drain(); }

std::vector<std::string> DirectoryWatcher::BeingWritten() { return impl_->BeingWritten(); }

bool DirectoryWatcher::Rearm() { return impl_->Rearm(); }

}  // namespace bindery::manifests
