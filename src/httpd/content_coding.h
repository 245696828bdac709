#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "httpd/message.h"

namespace bindery::httpd {

/// Bounds for what a compressed body may become.
struct DecodeLimits {
  std::size_t max_bytes = 16U << 20U;
  /// How many times its compressed size, counted once it is larger than `small_bytes`.
  std::size_t max_ratio = 200;
  std::size_t small_bytes = 1U << 20U;
};

/// Why a body cannot be decoded, and the status that says so: 400 for damage, 413 for what is too
/// large, 415 for a coding that is not known.
struct DecodeFault {
  int status = 400;
  std::string message;
};

/// Decodes the body by its `Content-Encoding` (gzip, x-gzip, deflate, identity) and takes that
/// header away; a body without one stays unchanged. Never makes more of it than the limits allow.
[[nodiscard]] tl::expected<void, DecodeFault> DecodeBody(Request& request,
                                                         const DecodeLimits& limits = {});

}  // namespace bindery::httpd
