#pragma once

#include <cstddef>
#include <iterator>
#include <memory>
#include <string_view>
#include <vector>

#include "manifests/documents/file_content.h"

namespace bindery::manifests {

/// An immutable file, shared between scans.
using SharedFile = std::shared_ptr<const FileContent>;

/// Files sorted by path, in shared pieces: to copy a list of 100,000 files, or to exchange one of
/// them, copies some hundred pointers. Not thread-safe; copies are independent of each other.
class FileList {
 public:
  using Piece = std::vector<SharedFile>;
  class Iterator;

  FileList() = default;
  /// Requires: sorted by path, no two of the same, none null.
  explicit FileList(std::vector<SharedFile> files);

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] Iterator begin() const;
  [[nodiscard]] Iterator end() const;

  /// The same objects.
  [[nodiscard]] bool operator==(const FileList& other) const;

  /// Null if none exists.
  [[nodiscard]] SharedFile Find(std::string_view path) const;

  /// Puts `file` at its path, replacing the former file.
  void Put(SharedFile file);
  /// Takes out the file at `path`, if any.
  void Remove(std::string_view path);

  /// Calls `tell(before, after)` for every path with different objects in the lists; null stands
  /// for no object. Shared pieces are skipped.
  template <typename Tell>
  static void Compare(const FileList& before, const FileList& after, const Tell& tell);

 private:
  [[nodiscard]] std::size_t PieceFor(std::string_view path) const;

  std::vector<std::shared_ptr<const Piece>> pieces_;  ///< None of them empty.
  std::size_t size_ = 0;
};

class FileList::Iterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = SharedFile;
  using difference_type = std::ptrdiff_t;
  using pointer = const SharedFile*;
  using reference = const SharedFile&;

  Iterator() = default;
  reference operator*() const { return (**piece_)[at_]; }
  pointer operator->() const { return &**this; }
  Iterator& operator++() {
    if (++at_ == (*piece_)->size()) NextPiece();
    return *this;
  }
  Iterator operator++(int) {
    Iterator old = *this;
    ++*this;
    return old;
  }
  bool operator==(const Iterator&) const = default;

 private:
  friend class FileList;
  explicit Iterator(const std::shared_ptr<const Piece>* piece) : piece_(piece) {}
  void NextPiece() {
    ++piece_;
    at_ = 0;
  }

  const std::shared_ptr<const Piece>* piece_ = nullptr;
  std::size_t at_ = 0;
};

inline FileList::Iterator FileList::begin() const { return Iterator(pieces_.data()); }
inline FileList::Iterator FileList::end() const {
  return Iterator(pieces_.data() + pieces_.size());
}

template <typename Tell>
void FileList::Compare(const FileList& before, const FileList& after, const Tell& tell) {
  const SharedFile none;
  Iterator a = before.begin();
  Iterator b = after.begin();
  const Iterator end_a = before.end();
  const Iterator end_b = after.end();
  while (a != end_a && b != end_b) {
    if (a.at_ == 0 && b.at_ == 0 && *a.piece_ == *b.piece_) {
      a.NextPiece();
      b.NextPiece();
      continue;
    }
    if (*a == *b) {
      ++a;
      ++b;
      continue;
    }
    const int order = (*a)->path.compare((*b)->path);
    tell(order <= 0 ? *a : none, order >= 0 ? *b : none);
    if (order <= 0) ++a;
    if (order >= 0) ++b;
  }
  for (; a != end_a; ++a) tell(*a, none);
  for (; b != end_b; ++b) tell(none, *b);
}

}  // namespace bindery::manifests
