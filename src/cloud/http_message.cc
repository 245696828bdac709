#include <algorithm>

#include "cloud/transport.h"

namespace bindery::cloud {

std::optional<std::string> HttpResponse::Header(std::string_view lower_case_name) const {
  const auto found = std::ranges::find(
      headers, lower_case_name, [](const auto& header) { return std::string_view(header.first); });
  if (found == headers.end()) return std::nullopt;
  return found->second;
}

}  // namespace bindery::cloud
