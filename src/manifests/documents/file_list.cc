#include "manifests/documents/file_list.h"

#include <algorithm>
#include <utility>

namespace bindery::manifests {
namespace {

/// Few enough to copy a piece in a few microseconds, many enough that the pieces are few.
constexpr std::size_t kPieceSize = 512;

auto PlaceIn(const FileList::Piece& piece, std::string_view path) {
  return std::lower_bound(
      piece.begin(), piece.end(), path,
      [](const SharedFile& file, std::string_view wanted) { return file->path < wanted; });
}

}  // namespace

FileList::FileList(std::vector<SharedFile> files) : size_(files.size()) {
  for (std::size_t at = 0; at < files.size(); at += kPieceSize) {
    const auto begin = files.begin() + static_cast<std::ptrdiff_t>(at);
    const auto count = static_cast<std::ptrdiff_t>(std::min(kPieceSize, files.size() - at));
    pieces_.push_back(std::make_shared<const Piece>(std::make_move_iterator(begin),
                                                    std::make_move_iterator(begin + count)));
  }
}

/// The last piece that begins at or before the path: only this piece can hold the path.
std::size_t FileList::PieceFor(std::string_view path) const {
  const auto after = std::upper_bound(
      pieces_.begin(), pieces_.end(), path,
      [](std::string_view wanted, const auto& piece) { return wanted < piece->front()->path; });
  return after == pieces_.begin() ? 0 : static_cast<std::size_t>(after - pieces_.begin()) - 1;
}

bool FileList::operator==(const FileList& other) const {
  return std::equal(begin(), end(), other.begin(), other.end());
}

SharedFile FileList::Find(std::string_view path) const {
  if (pieces_.empty()) return nullptr;
  const Piece& piece = *pieces_[PieceFor(path)];
  const auto at = PlaceIn(piece, path);
  return at != piece.end() && (*at)->path == path ? *at : nullptr;
}

void FileList::Put(SharedFile file) {
  if (pieces_.empty()) {
    *this = FileList({std::move(file)});
    return;
  }
  const std::size_t index = PieceFor(file->path);
  auto piece = std::make_shared<Piece>(*pieces_[index]);
  const auto at = piece->begin() + (PlaceIn(*piece, file->path) - piece->cbegin());
  if (at != piece->end() && (*at)->path == file->path) {
    *at = std::move(file);
  } else {
    piece->insert(at, std::move(file));
    ++size_;
  }
  if (piece->size() > 2 * kPieceSize) {
    const auto middle = piece->begin() + static_cast<std::ptrdiff_t>(kPieceSize);
    auto second = std::make_shared<const Piece>(middle, piece->end());
    piece->erase(middle, piece->end());
    pieces_.insert(pieces_.begin() + static_cast<std::ptrdiff_t>(index) + 1, std::move(second));
  }
  pieces_[index] = std::move(piece);
}

void FileList::Remove(std::string_view path) {
  if (Find(path) == nullptr) return;
  const std::size_t index = PieceFor(path);
  auto piece = std::make_shared<Piece>(*pieces_[index]);
  piece->erase(PlaceIn(*piece, path));
  --size_;
  if (piece->empty()) {
    pieces_.erase(pieces_.begin() + static_cast<std::ptrdiff_t>(index));
  } else {
    pieces_[index] = std::move(piece);
  }
}

}  // namespace bindery::manifests
