#include "manifests/directory/known_directory.h"

#include <algorithm>
#include <utility>

#include "manifests/directory/known_files.h"
#include "manifests/files/file_names.h"

namespace bindery::manifests {
namespace {

void NoteRecord(const ListedFolder& folder, ListedFile& file, DirectoryScan& scan) {
  const bool proven = file.content != nullptr && file.proven;
  if (file.record == (proven ? WhatIsKept::kCurrent : WhatIsKept::kNone)) return;
  if (proven) {
    scan.remember.push_back({file.content, file.stamp.Bytes()});
    file.record = WhatIsKept::kCurrent;
  } else {
    scan.unremember.push_back(PathIn(folder.path, folder.GetName(file)));
    file.record = WhatIsKept::kNone;
  }
}

}  // namespace

void KnownDirectory::Seed(std::vector<KnownFile> files, const std::optional<DigestSum>& sum) {
  const std::size_t count = files.size();
  listing_ = MakeListing(std::move(files));
  seeded_ = true;
  FileList list(ListFiles(*listing_));
  // The sum is of no use where some were left out.
  if (sum && list.size() == count) {
    contents_.Become(std::move(list), *sum);
  } else {
    contents_.Become(std::move(list));
  }
  in_step_ = true;
}

bool KnownDirectory::IsSame(const Listing& found) {
  if (std::exchange(seeded_, false)) listing_->real_root = found.real_root;
  return listing_ && SameListing(*listing_, found);
}

bool KnownDirectory::HasUnread() const {
  return std::any_of(
      listing_->folders.begin(), listing_->folders.end(), [](const ListedFolder& folder) {
        return std::any_of(folder.files.begin(), folder.files.end(), [](const ListedFile& file) {
          return file.content == nullptr || !file.proven;
        });
      });
}

void KnownDirectory::HandOver(Listing& next, bool same) {
  const bool keep = same && !patched_;
  in_step_ = in_step_ && keep;
  if (keep) {
    KeepFiles(std::move(*listing_), next);
  } else if (listing_) {
    Adopt(next);
  }
}

void KnownDirectory::Become(Listing next, bool nothing_new) {
  listing_ = std::move(next);
  in_step_ = in_step_ && nothing_new;
  patched_ = false;
  verified_ = false;
}

void KnownDirectory::BringInStep() {
  if (!in_step_) contents_.Become(FileList(ListFiles(*listing_)));
  in_step_ = true;
}

void KnownDirectory::Refresh(Listing found) {
  if (!std::exchange(patched_, false)) return;
  Adopt(found);
  listing_ = std::move(found);
}

void KnownDirectory::Patch(const HintedLook& look) {
  TakeOver(look, *listing_, orphans_);
  patched_ = true;
  for (const std::string& path : look.gone) contents_.Remove(path);
  for (const ListedFolder& part : look.present.folders) {
    for (const ListedFile& found : part.files) contents_.Put(found.content);
  }
}

void KnownDirectory::Adopt(Listing& next) {
  AdoptContents(*listing_, next, orphans_);
  for (auto path = orphans_.begin(); path != orphans_.end();) {
    const std::size_t slash = path->rfind('/');
    const bool topmost = slash == std::string::npos;
    const std::string name = topmost ? *path : path->substr(slash + 1);
    ListedFolder* folder = next.Find(topmost ? std::string() : path->substr(0, slash));
    const std::size_t place = folder == nullptr ? 0 : folder->FindPlace(name);
    if (folder != nullptr && folder->HasAt(place, name)) {
      folder->files[place].record = WhatIsKept::kStale;  // It is back.
      path = orphans_.erase(path);
    } else {
      ++path;
    }
  }
}

void KnownDirectory::NoteRecords(DirectoryScan& scan) {
  for (ListedFolder& folder : listing_->folders) {
    for (ListedFile& file : folder.files) NoteRecord(folder, file, scan);
  }
  NoteOrphans(scan);
}

void KnownDirectory::NoteRecords(const Listing& found, DirectoryScan& scan) {
  for (const ListedFolder& part : found.folders) {
    ListedFolder& folder = *listing_->Find(part.path);
    for (const ListedFile& file : part.files) {
      NoteRecord(folder, folder.files[folder.FindPlace(part.GetName(file))], scan);
    }
  }
  NoteOrphans(scan);
}

void KnownDirectory::NoteOrphans(DirectoryScan& scan) {
  scan.unremember.insert(scan.unremember.end(), orphans_.begin(), orphans_.end());
  orphans_.clear();
}

}  // namespace bindery::manifests
