#include "manifests/watch/folder_watches.h"

#include <sys/inotify.h>

#include "core/text/text_search.h"
#include "manifests/files/file_names.h"

namespace bindery::manifests {

FolderWatch* FolderWatches::Add(const std::string& path, std::uint32_t events) {
  const int id =
      ::inotify_add_watch(inotify_.get(), path.c_str(), events | IN_ONLYDIR | IN_MASK_ADD);
  if (id < 0) return nullptr;
  FolderWatch& watch = watches_[id];
  if (watch.round != round_) watch = FolderWatch{path, false, {}, 0, round_};
  return &watch;
}

template <typename Ends>
void FolderWatches::EndIf(const Ends& ends) {
  for (auto it = watches_.begin(); it != watches_.end();) {
    if (!ends(it->second)) {
      ++it;
      continue;
    }
    ::inotify_rm_watch(inotify_.get(), it->first);
    it = watches_.erase(it);
  }
}

void FolderWatches::EndRound() {
  EndIf([this](const FolderWatch& watch) { return watch.round != round_; });
}

FolderWatch* FolderWatches::Find(int id) {
  const auto found = watches_.find(id);
  return found == watches_.end() ? nullptr : &found->second;
}

void FolderWatches::EndBeneath(const std::string& path) {
  EndIf([&path](const FolderWatch& watch) {
    return watch.folder && watch.names.empty() && IsWithin(watch.path, path);
  });
}

}  // namespace bindery::manifests
