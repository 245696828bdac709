// What tools do to the model's directory, and what they leave in it.

#include <algorithm>
#include <utility>

#include "manifests/files/volume_kind.h"
#include "model/directory.h"

namespace bindery::model {
namespace {

constexpr std::uint32_t kExt4 = 0x0000EF53;
constexpr std::uint32_t kFuse = 0x65735546;

/// The folders "" and "sub" with two files each, as a listing of them is.
manifests::Listing NewListing() {
  manifests::Listing listing;
  for (const char* path : {"", kFolderPath}) {
    manifests::ListedFolder folder;
    folder.path = path;
    for (const char* name : {"one", "two"}) folder.files.push_back(folder.Named(name));
    listing.folders.push_back(std::move(folder));
  }
  return listing;
}

}  // namespace

void Directory::Aside(int file, int name, WallTime at) {
  File& moved = files_.at(static_cast<std::size_t>(file));
  moved.unread = Unread::kAside;
  moved.aside = name;
  if (MakePath(file, moved) == moved.backup_of + "~") moved.backup = 0;  // The copy is overwritten.
  Touch(moved, at);
}

/// Beside a file that is there: all else is told as it is, until somebody looks into it.
void Directory::Backup(int file) {
  File& saved = files_.at(static_cast<std::size_t>(file));
  if (!IsThere(file, saved)) return;
  saved.backup = ++bytes_;
  saved.backup_of = MakePath(file, saved);
}

/// The other version has other members, of the same manifests.
void Directory::Twin(int file, int how, WallTime at) {
  File& one = files_.at(static_cast<std::size_t>(file));
  if (one.twin.empty()) {
    one.twin = one.docs;
    for (Doc& doc : one.twin) doc.members = 1 + how % 15;
  } else {
    for (const Doc& doc : one.twin) {
      const auto here = std::find_if(one.docs.begin(), one.docs.end(),
                                     [&doc](const Doc& other) { return other.slot == doc.slot; });
      // What went to another file meanwhile stays there.
      if (how % 2 == 1 && here != one.docs.end()) *here = doc;
    }
    one.twin.clear();
  }
  Touch(one, at);
}

/// Nothing but the content of its file tells of it.
void Directory::Swap(const Doc& doc, bool gone) {
  if (!looked_) {
    sub_proves_ = false;
    return;
  }
  const int index = GetFile(doc.slot);
  if (index < 0) return;
  File& file = files_.at(static_cast<std::size_t>(index));
  // Where every scan reads what proves nothing, no other file is read again: CheckContents.
  const bool seen = sub_proves_ || index >= 2;
  if (!seen || file.open || file.unread != Unread::kNo) return;
  std::erase_if(file.docs, [&doc](const Doc& other) { return other.slot == doc.slot; });
  if (!gone) file.docs.push_back(doc);
}

/// Its index tells of all files as they are to be, and those of `hidden` are not there yet, some
/// under other names.
void Directory::Library(int hidden, WallTime at) {
  newest_ = std::max(newest_, at);
  if (library_) {
    library_.reset();
    return;
  }
  // An index was there all the time.
  if (index_.empty()) index_before_ = Indexed();
  library_ = hidden % 16;
  ++bytes_;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (((hidden >> i) & 1) == 0) continue;
    files_.at(i).indexed = bytes_;
    if (hidden >= 16) files_.at(i).renamed = !files_.at(i).renamed;
  }
  index_ = Indexed();
}

std::vector<manifests::GitIndexFile> Directory::Indexed() const {
  std::vector<manifests::GitIndexFile> index;
  for (int i = 0; i < 4; ++i) {
    const File& file = files_.at(static_cast<std::size_t>(i));
    if (file.docs.empty()) continue;
    index.push_back({MakePath(i, file), "content " + std::to_string(file.indexed)});
  }
  std::sort(index.begin(), index.end(),
            [](const manifests::GitIndexFile& a, const manifests::GitIndexFile& b) {
              return a.path < b.path;
            });
  return index;
}

void Directory::ForgetEdits() {
  last_.clear();
  gone_ = {};
  index_before_.clear();
  checks_ = manifests::ContentChecks(kVerifyContent);
}

/// Under its own name, as anybody can see.
bool Directory::IsThere(int index, const File& file) const {
  const bool hidden = file.unread == Unread::kIgnoredName || file.unread == Unread::kAside;
  return !hidden && !IsAway(index, file) && (index < 2 || folder_ == Folder::kFine);
}

/// Marks what is read at this look whatever its stamps say.
void Directory::CheckContents(WallTime at) {
  if (!std::exchange(looked_, true)) listing_ = NewListing();
  for (manifests::ListedFolder& folder : listing_.folders) {
    const bool proves = folder.path.empty() || sub_proves_;
    folder.stamps_prove = manifests::StampsProve(proves ? kExt4 : kFuse);
    for (manifests::ListedFile& file : folder.files) file.read_anyway = false;
  }
  // Where stamps prove nothing that has to do.
  if (!sub_proves_) return;
  checks_.Mark(std::chrono::nanoseconds(at.time_since_epoch()).count(), listing_);
}

const std::vector<Doc>& Directory::ReadDocs(int index, const File& file) {
  const auto place = static_cast<std::size_t>(index);
  std::optional<Read>& read = read_.at(place);
  manifests::ListedFolder& folder = listing_.folders[place / 2];
  manifests::ListedFile& listed = folder.files[place % 2];
  static const auto kSomething = std::make_shared<const manifests::FileContent>();
  const bool same = read && read->bytes == file.bytes && read->renamed == file.renamed;
  listed.content = same ? kSomething : nullptr;
  listed.proven = true;
  if (!folder.VouchesFor(listed)) read = Read{file.bytes, file.renamed, file.docs};
  return read->docs;
}

std::set<int> Directory::Unseen() const {
  std::set<int> slots;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const bool proves = i < 2 || sub_proves_;
    if (!proves || !read_.at(i) || read_.at(i)->docs == files_.at(i).docs) continue;
    for (const Doc& doc : files_.at(i).docs) slots.insert(doc.slot);
    // What is not there any more is in the way of what is elsewhere by the same name.
    for (const Doc& doc : read_.at(i)->docs) slots.insert(doc.slot);
  }
  return slots;
}

/// A copy that an editor left.
void Directory::ShowBackup(int index, const File& file, controller::ScanInput& input) {
  const bool folder_is_there = index < 2 || folder_ == Folder::kFine;
  if (IsElsewhere(index) || !folder_is_there) return;
  if (file.backup == 0) return;
  manifests::UnreadItem item{file.backup_of + "~", "may hold what is missing",
                             std::to_string(file.backup),
                             /*ignored=*/true};
  item.harmless = IsThere(index, file) && MakePath(index, file) == file.backup_of;
  input.facts.unread.push_back(std::move(item));
}

/// A manifest file like others, by its name.
void Directory::ShowTwin(int index, const File& file, Content& content) {
  const bool folder_is_there = index < 2 || folder_ == Folder::kFine;
  if (file.twin.empty() || IsElsewhere(index) || !folder_is_there) return;
  const std::string name = "twin-" + std::to_string(index) + ".sync-conflict-1.yaml";
  Put(content, (index < 2 ? "" : std::string(kFolderPath) + "/") + name, file.twin, Unread::kNo,
      file.bytes);
}

/// What git's index tells of, and is not there.
void Directory::ShowCheckout(const Content& content, controller::ScanInput& input) {
  for (const auto& [path, file] : last_) {
    if (!content.contains(path)) gone_.Note(path);
  }
  gone_.IndexChanged(index_before_, index_);
  index_before_ = index_;
  std::set<std::string> missing;
  for (const manifests::GitIndexFile& file : index_) {
    const bool there = content.contains(file.path) || input.broken_files.contains(file.path);
    if (there) continue;
    missing.insert(file.path);
    input.facts.unread.push_back(gone_.Missing(file));
  }
  gone_.Keep(missing);
}

}  // namespace bindery::model
