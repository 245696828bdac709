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

}  // namespace bindery::httpd
