#include "model/directory.h"

#include <algorithm>
#include <utility>

#include "core/text/time_text.h"

namespace bindery::model {
namespace {

constexpr int kStaleSlot = kSlots;  ///< What a volume below another one holds.

bool InFolder(int file) { return file >= 2; }

/// "a.yaml" → what a tool calls it that puts it aside, or did not write it wholly.
std::string NameAside(const std::string& name, int how) {
  switch (how % 6) {
    case 0:
      return name + ".conflict1";
    case 1:
      return "." + name + ".Xy12Zz";
    case 2:
      return ".syncthing." + name + ".tmp";
    case 3:
      return name + ".orig";
    case 4:
      return name + "~";
    default:
      return "#" + name + "#";
  }
}

}  // namespace

std::string GetName(int slot) { return slot == kStaleSlot ? "stale" : "m" + std::to_string(slot); }

std::string NameOfTarget(const std::string& target, bool by_number) {
  return std::string("projects/") + (by_number ? kProjectNumber : "acme") +
         "/locations/global/authorizationPolicies/" + target;
}

// Slot 4 names what slot 0 names, by the number of the project: they are in each other's way, or
// one succeeds the other.
std::string Doc::Target() const {
  constexpr std::array<int, kSlots + 1> kOf{0, 1, 0, 1, 0, 2, 1};
  return kTargets.at(static_cast<std::size_t>(kOf.at(static_cast<std::size_t>(slot))));
}

std::string Doc::Role() const {
  constexpr std::array<const char*, kSlots + 1> kOf{
      "roles/viewer", "roles/viewer", "roles/browser", "roles/browser",
      "roles/viewer", "viewer",       "roles/stale"};
  if (moved) return slot == 5 ? "editor" : "roles/other" + std::to_string(slot % 4);
  return kOf.at(static_cast<std::size_t>(slot));
}

std::vector<GrantText> Doc::Grants() const {
  std::vector<GrantText> grants;
  const std::string whose = std::to_string(slot == 4 ? 0 : slot);
  for (int i = 0; i < 4; ++i) {
    if ((members & (1 << i)) == 0) continue;
    const std::string who = whose + std::to_string(i);
    std::string principal = slot == 5 ? "role:" + who : "user:u" + who + "@example.com";
    if (slot == 5 && i == 0) principal = "team:" + std::string(kTeamId);
    grants.push_back(Target() + " " + Role() + " " + principal +
                     (until ? " if until " + FormatRfc3339(*until) : ""));
  }
  return grants;
}

void Directory::Touch(File& file, WallTime at) {
  file.bytes = ++bytes_;
  newest_ = std::max(newest_, at);
}

void Directory::Put(const Doc& doc, WallTime at) {
  const int known = GetFile(doc.slot);
  File& file = files_.at(static_cast<std::size_t>(known < 0 ? doc.slot % 4 : known));
  const auto here = std::find_if(file.docs.begin(), file.docs.end(),
                                 [&](const Doc& other) { return other.slot == doc.slot; });
  if (here == file.docs.end()) {
    file.docs.push_back(doc);
  } else {
    *here = doc;
  }
  Touch(file, at);
}

void Directory::Delete(int slot, WallTime at) {
  const int at_file = GetFile(slot);
  if (at_file < 0) return;
  File& file = files_.at(static_cast<std::size_t>(at_file));
  std::erase_if(file.docs, [&](const Doc& doc) { return doc.slot == slot; });
  Touch(file, at);
}

void Directory::Transfer(int slot, int file, WallTime at) {
  const int from = GetFile(slot);
  if (from < 0 || from == file) return;
  auto& docs = files_.at(static_cast<std::size_t>(from)).docs;
  const auto here =
      std::find_if(docs.begin(), docs.end(), [&](const Doc& doc) { return doc.slot == slot; });
  const Doc doc = *here;
  docs.erase(here);
  files_.at(static_cast<std::size_t>(file)).docs.push_back(doc);
  Touch(files_.at(static_cast<std::size_t>(from)), at);
  Touch(files_.at(static_cast<std::size_t>(file)), at);
}

void Directory::Rename(int file, WallTime at) {
  File& renamed = files_.at(static_cast<std::size_t>(file));
  renamed.renamed = !renamed.renamed;
  newest_ = std::max(newest_, at);
}

void Directory::Drop(int file, WallTime at) {
  files_.at(static_cast<std::size_t>(file)) = {};
  newest_ = std::max(newest_, at);
}

void Directory::Break(int file, int how, WallTime at) {
  constexpr int kWays = 7;
  const int way = how % kWays;
  if (way >= 5) {
    folder_ = way == 5 ? Folder::kUnreadable : Folder::kReplaced;
    ++folder_changes_;
    newest_ = std::max(newest_, at);
    return;
  }
  File& broken = files_.at(static_cast<std::size_t>(file));
  broken.unread = static_cast<Unread>(way + 1);
  Touch(broken, at);
}

void Directory::Mend(WallTime at) {
  for (File& file : files_) {
    if (file.unread == Unread::kNo) continue;
    file.unread = Unread::kNo;
    Touch(file, at);
  }
  if (folder_ == Folder::kFine) return;
  folder_ = Folder::kFine;
  newest_ = std::max(newest_, at);
}

void Directory::Open(int file, int shown, WallTime at) {
  File& opened = files_.at(static_cast<std::size_t>(file));
  opened.open = true;
  opened.shown = shown;
  Touch(opened, at);
}

void Directory::Close(WallTime at) {
  for (File& file : files_) {
    if (!file.open) continue;
    file.open = false;
    Touch(file, at);
  }
}

void Directory::Cut(int file, int shown, WallTime at) {
  File& cut = files_.at(static_cast<std::size_t>(file));
  cut.open = false;
  // What an empty file was to hold nobody knows.
  if (auto rest = Beginning(cut.docs, shown); !rest.empty()) {
    cut.docs = std::move(rest);
  } else if (!cut.docs.empty()) {
    cut.unread = Unread::kBlank;
  }
  Touch(cut, at);
}

void Directory::Git(int hidden, WallTime at) {
  if (git_) {
    git_.reset();
  } else {
    git_ = hidden;
  }
  newest_ = std::max(newest_, at);
}

void Directory::Mount(int how) {
  constexpr int kWays = 6;
  mount_ = how % kWays;
  ++grounds_;
}

/// What the file systems tell of themselves stays the same.
void Directory::Remount(int how) {
  mount_ = how % 3 == 0 ? 0 : 5 + how % 3;
  if (mount_ == 7 && home_.mounts.empty()) mount_ = 0;
  ++grounds_;
}

void Directory::AcceptView(WallTime at) {
  if (mount_ == 0) return;
  for (int i = 0; i < 4; ++i) {
    File& file = files_.at(static_cast<std::size_t>(i));
    if (IsAway(i, file)) file = {};
  }
  home_ = GroundNow();
  mount_ = 0;
  newest_ = std::max(newest_, at);
}

void Directory::Heal(WallTime at) {
  Mend(at);
  Close(at);
  git_.reset();
  library_.reset();
  index_.clear();
  mount_ = 0;
  for (int i = 0; i < 4; ++i) {
    File& file = files_.at(static_cast<std::size_t>(i));
    if (!IsThere(i, file) || MakePath(i, file) != file.backup_of) file.backup = 0;
    file.twin.clear();
  }
  newest_ = std::max(newest_, at);
}

std::vector<Doc> Directory::Meant() const {
  std::vector<Doc> all;
  for (const File& file : files_) {
    all.insert(all.end(), file.docs.begin(), file.docs.end());
    all.insert(all.end(), file.twin.begin(), file.twin.end());
  }
  return all;
}

std::set<int> Directory::Ignored() const {
  std::set<int> slots;
  for (const File& file : files_) {
    if (file.unread != Unread::kIgnoredName && file.unread != Unread::kAside) continue;
    for (const Doc& doc : file.docs) slots.insert(doc.slot);
  }
  return slots;
}

std::uint64_t Directory::GroundNumber() const {
  constexpr std::array<std::uint64_t, 5> kAlike{0, 1, 1, 2, 2};
  if (mount_ >= 6) return 0;
  return mount_ < 5 ? kAlike.at(static_cast<std::size_t>(mount_)) : grounds_;
}

std::set<int> Directory::Away() const {
  std::set<int> slots;
  for (int i = 0; i < 4; ++i) {
    if (!IsElsewhere(i)) continue;
    for (const Doc& doc : files_.at(static_cast<std::size_t>(i)).docs) slots.insert(doc.slot);
  }
  return slots;
}

int Directory::GetFile(int slot) const {
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const auto& docs = files_.at(i).docs;
    if (std::any_of(docs.begin(), docs.end(), [&](const Doc& doc) { return doc.slot == slot; })) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

bool Directory::UnderWay() const {
  if (git_) return true;
  for (int i = 0; i < 4; ++i) {
    const File& file = files_.at(static_cast<std::size_t>(i));
    if (file.open && !IsAway(i, file)) return true;
  }
  return false;
}

std::string Directory::MakePath(int index, const File& file) {
  constexpr std::array<const char*, 4> kNames{"a", "b", "c", "d"};
  std::string name = kNames.at(static_cast<std::size_t>(index));
  if (file.renamed) name += "-new";
  if (file.unread == Unread::kRefusedName) name += "-\\001";
  if (file.unread == Unread::kIgnoredName) name = "." + name;
  name += ".yaml";
  if (file.unread == Unread::kAside) name = NameAside(name, file.aside);
  return (InFolder(index) ? std::string(kFolderPath) + "/" : "") + name;
}

std::vector<Doc> Directory::Beginning(const std::vector<Doc>& docs, int grants) {
  std::vector<Doc> shown;
  for (Doc doc : docs) {
    for (int i = 0; i < 4; ++i) {
      const int bit = 1 << i;
      if ((doc.members & bit) != 0 && grants-- <= 0) doc.members &= ~bit;
    }
    if (doc.members != 0) shown.push_back(doc);
  }
  return shown;
}

bool Directory::IsIndexed(const std::string& path) const {
  return std::any_of(index_.begin(), index_.end(),
                     [&path](const manifests::GitIndexFile& file) { return file.path == path; });
}

/// It does not lie where the look goes.
bool Directory::IsAway(int index, const File& file) const {
  if (file.docs.empty() && file.unread == Unread::kNo && !file.open) return true;
  if (git_ && ((*git_ >> index) & 1) != 0) return true;
  if (library_ && ((*library_ >> index) & 1) != 0 && IsIndexed(MakePath(index, file))) return true;
  if (InFolder(index) && folder_ == Folder::kReplaced) return true;
  return IsElsewhere(index);
}

bool Directory::IsElsewhere(int index) const {
  if (InFolder(index) && mount_ >= 3) return true;
  return mount_ == 1 || mount_ == 2 || mount_ == 6 || (mount_ == 5 && index != 0);
}

}  // namespace bindery::model
