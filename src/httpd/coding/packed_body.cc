#include "httpd/coding/packed_body.h"

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
  while (!bytes.empty()) {
    const std::string_view part = bytes.substr(0, kPiece - open_.size());
    open_ += part;
    bytes.remove_prefix(part.size());
    if (open_.size() == kPiece) Pack();
  }
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

void PackedBody::AppendAsItIs(std::string bytes) {
  if (bytes.empty()) return;
  size_ += bytes.size();
  packed_size_ += bytes.size();
  pieces_.push_back({std::move(bytes), 0});
}

PackedBody PackedBody::Coded(ContentCoding coding) const {
  PackedBody coded;
  if (coding == ContentCoding::kZstd) {
    for (const Piece& piece : pieces_) coded.AppendAsItIs(piece.packed);
    return coded;
  }
  GzipWriter gzip;
  // The caller keeps this body meanwhile.
  Reader reader(std::shared_ptr<const PackedBody>(std::shared_ptr<void>(), this));
  for (std::string_view bytes = reader.Next(); !bytes.empty(); bytes = reader.Next()) {
    coded.AppendAsItIs(gzip.Add(bytes));
  }
  coded.AppendAsItIs(gzip.Finish());
  return coded;
}

PackedBody PackedBody::Gzipped(std::string_view text) {
  PackedBody coded;
  GzipWriter gzip;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, kPiece);
    coded.AppendAsItIs(gzip.Add(part));
    text.remove_prefix(part.size());
  }
  coded.AppendAsItIs(gzip.Finish());
  return coded;
}

PackedBody PackedBody::Plain(std::string text) {
  PackedBody plain;
  plain.AppendAsItIs(std::move(text));
  return plain;
}

std::string_view PackedBody::Reader::Next() {
  if (next_ == body_->pieces_.size()) return {};
  const Piece& piece = body_->pieces_[next_++];
  if (piece.size == 0) return piece.packed;
  piece_.resize(piece.size);
  const std::size_t size =
      ZSTD_decompress(piece_.data(), piece_.size(), piece.packed.data(), piece.packed.size());
  if (ZSTD_isError(size) != 0) throw std::bad_alloc();
  return piece_;
}

}  // namespace bindery::httpd
