#include "httpd/packed_body.h"

#include <zstd.h>

#include <iterator>
#include <new>
#include <utility>

namespace bindery::httpd {
namespace {

/// Of a piece: enough for what is alike in it, and little beside the body.
constexpr std::size_t kPiece = 256U << 10U;

}  // namespace

void PackedBody::Append(std::string_view bytes) {
  size_ += bytes.size();
  open_ += bytes;
  if (open_.size() >= kPiece) Pack();
}

void PackedBody::Append(PackedBody other) {
  Pack();
  other.Pack();
  size_ += other.size_;
  packed_size_ += other.packed_size_;
  std::move(other.pieces_.begin(), other.pieces_.end(), std::back_inserter(pieces_));
}

void PackedBody::Finish() {
  Pack();
  open_.shrink_to_fit();
}

void PackedBody::Pack() {
  if (open_.empty()) return;
  constexpr int kFast = 1;
  std::string packed(ZSTD_compressBound(open_.size()), '\0');
  const std::size_t size =
      ZSTD_compress(packed.data(), packed.size(), open_.data(), open_.size(), kFast);
  if (ZSTD_isError(size) != 0) throw std::bad_alloc();  // It fails for nothing else.
  packed.resize(size);
  packed.shrink_to_fit();
  packed_size_ += packed.size();
  pieces_.push_back({std::move(packed), open_.size()});
  open_.clear();
}

std::string_view PackedBody::Reader::Next() {
  if (next_ == body_->pieces_.size()) return {};
  const Piece& piece = body_->pieces_[next_++];
  piece_.resize(piece.size);
  const std::size_t size =
      ZSTD_decompress(piece_.data(), piece_.size(), piece.packed.data(), piece.packed.size());
  if (ZSTD_isError(size) != 0) throw std::bad_alloc();
  return piece_;
}

}  // namespace bindery::httpd
