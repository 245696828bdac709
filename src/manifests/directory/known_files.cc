#include "manifests/directory/known_files.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace bindery::manifests {
namespace {

bool InOrder(const SharedFile& a, const SharedFile& b) { return a->path < b->path; }

}  // namespace

Listing MakeListing(std::vector<KnownFile> files) {
  Listing listing;
  const auto unusable = [](const KnownFile& file) { return file.content == nullptr; };
  files.erase(std::remove_if(files.begin(), files.end(), unusable), files.end());
  const auto in_order = [](const KnownFile& a, const KnownFile& b) {
    return InOrder(a.content, b.content);
  };
  if (!std::is_sorted(files.begin(), files.end(), in_order)) {
    std::sort(files.begin(), files.end(), in_order);
  }
  std::map<std::string_view, ListedFolder> folders;
  auto last = folders.end();  // Files of one folder mostly come together.
  for (KnownFile& known : files) {
    const std::optional<FileStamp> stamp = FileStamp::FromBytes(known.stamp);
    if (!stamp) continue;
    const std::string_view path = known.content->path;  // Its content is kept.
    const std::size_t slash = path.rfind('/');
    const bool topmost = slash == std::string_view::npos;
    const std::string_view parent = topmost ? std::string_view() : path.substr(0, slash);
    if (last == folders.end() || last->first != parent) last = folders.try_emplace(parent).first;
    ListedFolder& folder = last->second;
    ListedFile file = folder.Named(topmost ? path : path.substr(slash + 1));
    file.stamp = *stamp;
    file.content = std::move(known.content);
    file.proven = true;
    file.record = WhatIsKept::kCurrent;
    folder.files.push_back(std::move(file));
    ++listing.file_count;
  }
  listing.name_count = listing.file_count;
  for (auto& [path, folder] : folders) {
    folder.path = path;
    listing.folders.push_back(std::move(folder));
  }
  return listing;
}

std::vector<SharedFile> ListFiles(const Listing& listing) {
  std::vector<SharedFile> files;
  files.reserve(listing.file_count);
  bool in_order = true;
  for (const ListedFolder& folder : listing.folders) {
    const std::size_t first = files.size();
    for (const ListedFile& file : folder.files) {
      if (file.content != nullptr) files.push_back(file.content);
    }
    // Within a folder they are in order, but folder by folder need not be path by path:
    // "a-b.yaml" stands before "a/c.yaml".
    const bool joined = first > 0 && first < files.size();
    if (joined && !InOrder(files[first - 1], files[first])) in_order = false;
  }
  if (!in_order) std::sort(files.begin(), files.end(), InOrder);
  return files;
}

}  // namespace bindery::manifests
