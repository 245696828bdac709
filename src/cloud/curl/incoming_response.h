#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "cloud/transport.h"

namespace bindery::cloud {

/// The answer to one request, during the arrival of its bytes. Keeps no more bytes than the limits
/// allow.
class IncomingResponse {
 public:
  explicit IncomingResponse(std::size_t max_body_bytes) : max_body_bytes_(max_body_bytes) {}

  /// One line of a header, the status line of an interim or final answer included. False when the
  /// headers are too large: the transfer is to be ended.
  [[nodiscard]] bool TakeHeader(std::string_view line);
  /// False when the body is too large.
  [[nodiscard]] bool TakeBody(std::string_view bytes);

  /// The exceeded limit, "1024 bytes"; empty if none.
  [[nodiscard]] std::string ExceededLimit() const;

  /// The complete answer.
  [[nodiscard]] cloud::HttpResponse Take(int status);

 private:
  const std::size_t max_body_bytes_;
  std::size_t header_bytes_ = 0;
  bool body_too_large_ = false;
  cloud::HttpResponse response_;
};

}  // namespace bindery::cloud
