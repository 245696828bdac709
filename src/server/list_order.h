#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/expected.h"
#include "httpd/message.h"
#include "server/queries.h"

namespace bindery::server {

/// The query parameter "sort": one of the names, perhaps after a "-". A missing one changes neither
/// value.
template <typename Order, std::size_t count>
[[nodiscard]] Expected<void> ReadListOrder(
    const httpd::Request& request, const std::pair<std::string_view, Order> (&orders)[count],
    Order& order, bool& descending) {
  std::string text = GetText(request, "sort");
  if (text.empty()) return {};
  descending = text.starts_with('-');
  if (descending) text.erase(0, 1);
  std::string names;
  for (const auto& [name, value] : orders) {
    if (text == name) {
      order = value;
      return {};
    }
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  return Fail(Code::kInvalidArgument,
              "\"sort\" must be one of " + names + ", perhaps after a \"-\"");
}

}  // namespace bindery::server
