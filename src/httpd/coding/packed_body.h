#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "httpd/coding/content_coding.h"

namespace bindery::httpd {

/// The body of a long answer: compressed in memory while the answer is made, and unpacked in pieces
/// during sending. Long lists repeat themselves: some 5 % of their size is held. For one
/// thread until the body is finished; afterwards for any.
class PackedBody {
 public:
  void Append(std::string_view bytes);
  /// All of another body, which must not be used afterwards.
  void Append(PackedBody other);
  /// Nothing is appended any more.
  void Finish();

  /// The finished body under a coding of HTTP: a body that is sent as it is held. With kZstd the
  /// pieces follow each other as frames (RFC 8878, 3.1).
  [[nodiscard]] PackedBody Coded(ContentCoding coding) const;
  /// The same with kGzip for a text that is no packed body.
  [[nodiscard]] static PackedBody Gzipped(std::string_view text);

  /// A finished body that is held as it is.
  [[nodiscard]] static PackedBody Plain(std::string text);

  [[nodiscard]] std::size_t size() const { return size_; }
  /// The memory that the body needs.
  [[nodiscard]] std::size_t packed_size() const { return packed_size_ + open_.capacity(); }

  /// Goes through a finished body.
  class Reader {
   public:
    explicit Reader(std::shared_ptr<const PackedBody> body) : body_(std::move(body)) {}

    /// The next bytes, valid until the next call; none at the end.
    [[nodiscard]] std::string_view Next();

   private:
    std::shared_ptr<const PackedBody> body_;
    std::size_t next_ = 0;
    std::string piece_;
  };

 private:
  struct Piece {
    std::string packed;
    std::size_t size = 0;  ///< Unpacked; 0: the piece is sent as it is.
  };

  void Pack();
  void AppendAsItIs(std::string bytes);

  std::vector<Piece> pieces_;
  std::string open_;  ///< Not packed yet.
  std::size_t size_ = 0;
  std::size_t packed_size_ = 0;
};

}  // namespace bindery::httpd
