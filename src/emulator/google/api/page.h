#pragma once

#include <cstddef>
#include <vector>

#include "emulator/google/error.h"
#include "httpd/message.h"

namespace bindery::emulator {

/// How many results a page has: without `pageSize`, and at most.
struct PageSizes {
  std::size_t usual = 100;
  std::size_t most = 1'000;
};

/// The page of `list` that `pageSize` and `pageToken` ask for, as the field `name` of the answer,
/// with `nextPageToken` unless the page is the last one. A token is of use only with the parameters
/// of the request that it was given for.
[[nodiscard]] GoogleResult<Json> MakePage(const httpd::Request& request, const char* name,
                                          const std::vector<Json>& list, PageSizes sizes);

}  // namespace bindery::emulator
