#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "core/base/json.h"
#include "httpd/message.h"

namespace bindery::emulator {

/// The answer to a list call of the section ("roles", "teams" or "users"): one page of the members
/// of `all` that match the request's filter, in the requested order. Or the text against the
/// request.
[[nodiscard]] tl::expected<Json, std::string> ListDocument(std::string_view section,
                                                           std::vector<Json> all,
                                                           const httpd::Request& request);

/// One page of `all` in order, without a filter: {"data": […]}. Or the text against the
/// request.
[[nodiscard]] tl::expected<Json, std::string> OnePage(std::vector<Json> all,
                                                      const httpd::Request& request);

}  // namespace bindery::emulator
