#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <tuple>
#include <vector>

#include "report/codec/json_codec.h"

namespace bindery::report {

/// The wanted part of a list; the whole list without a limit.
struct ListPage {
  std::size_t offset = 0;
  std::optional<std::size_t> limit = {};
};

/// The part of a list in a report.
struct ListSlice {
  std::size_t total = 0;  ///< How many there are in all.
  std::size_t offset = 0;
  std::optional<std::size_t> limit;
};

template <>
inline constexpr auto kFields<ListSlice> =
    std::tuple{Field{"total", &ListSlice::total}, Field{"offset", &ListSlice::offset},
               Field{"limit", &ListSlice::limit}};

/// Keeps the page of a list.
template <typename Value>
ListSlice KeepPage(std::vector<Value>& list, const ListPage& page) {
  const std::size_t total = list.size();
  const std::size_t first = std::min(page.offset, total);
  const std::size_t count = std::min(page.limit.value_or(total), total - first);
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(first + count), list.end());
  list.erase(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(first));
  return {total, page.offset, page.limit};
}

}  // namespace bindery::report
