#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "httpd/message.h"

namespace bindery::httpd {

/// Limits of a decoded body.
struct DecodeLimits {
  std::size_t max_bytes = 16U << 20U;
  /// Maximum ratio to the compressed size, above `small_bytes`.
  std::size_t max_ratio = 200;
  std::size_t small_bytes = 1U << 20U;
};

/// Why a body cannot be decoded, with the status: 400 for damage, 413 for excess size, 415 for an
/// unknown coding.
struct DecodeFault {
  int status = 400;
  std::string message;
};

/// Decodes the body by its `Content-Encoding` (gzip, x-gzip, deflate, identity) and removes the
/// header; a body without the header stays unchanged. Never exceeds the limits.
[[nodiscard]] tl::expected<void, DecodeFault> DecodeBody(Request& request,
                                                         const DecodeLimits& limits = {});

/// How the body of an answer is written.
enum class ContentCoding { kIdentity, kGzip, kZstd };

/// "gzip" as in `Content-Encoding`; empty for kIdentity.
[[nodiscard]] std::string_view ToString(ContentCoding coding);

/// The coding that a client prefers by its `Accept-Encoding` (RFC 9110, 12.5.3), gzip among equals;
/// kIdentity where the header names neither gzip nor zstd, or is empty. "*" is no wish for a
/// coding.
[[nodiscard]] ContentCoding WantedCoding(std::string_view accept_encoding);

/// Writes one member of gzip (RFC 1952) piece by piece, at the fastest level. For one thread.
class GzipWriter {
 public:
  GzipWriter();
  ~GzipWriter();
  GzipWriter(const GzipWriter&) = delete;
  GzipWriter& operator=(const GzipWriter&) = delete;

  /// The bytes that can be sent so far, perhaps none.
  [[nodiscard]] std::string Add(std::string_view bytes);
  /// The remaining bytes. Nothing may be added afterwards.
  [[nodiscard]] std::string Finish();

 private:
  struct Deflate;

  std::unique_ptr<Deflate> deflate_;
};

}  // namespace bindery::httpd
