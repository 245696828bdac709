#pragma once

#include <cstddef>
#include <string>

namespace bindery {

/// The query parameters that ask for the first page of a list, `page_size` entries of it.
[[nodiscard]] std::string FirstPage(std::size_t page_size);

/// As the official clients do it: the first page that is not full is the last one. True: `url`,
/// which asked for a page and was answered with `entries`, asks for the next one now.
[[nodiscard]] bool AsksForNextPage(std::string& url, std::size_t entries);

}  // namespace bindery
