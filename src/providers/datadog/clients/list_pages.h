#pragma once

#include <cstddef>
#include <string>

namespace bindery::datadog {

/// The query parameters that ask for the first page of a list, `page_size` entries of it.
[[nodiscard]] std::string FirstPage(std::size_t page_size);

/// As the official clients do: the first page that is not full is the last page. True: `url`, which
/// asked for a page and was answered with `entries`, asks for the next page now.
[[nodiscard]] bool AsksForNextPage(std::string& url, std::size_t entries);

}  // namespace bindery::datadog
