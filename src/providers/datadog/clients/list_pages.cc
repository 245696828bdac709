#include "providers/datadog/clients/list_pages.h"

#include <charconv>
#include <string_view>

namespace bindery::datadog {
namespace {

constexpr std::string_view kPageSize = "page%5Bsize%5D=";
constexpr std::string_view kPageNumber = "&page%5Bnumber%5D=";

/// The number after the parameter of the name; 0 when it is missing.
std::size_t NumberAfter(const std::string& url, std::string_view name) {
  std::size_t number = 0;
  const std::size_t at = url.rfind(name);
  if (at == std::string::npos) return number;
  std::from_chars(url.data() + at + name.size(), url.data() + url.size(), number);
  return number;
}

}  // namespace

std::string FirstPage(std::size_t page_size) {
  return std::string(kPageSize) + std::to_string(page_size) + std::string(kPageNumber) + "0";
}

bool AsksForNextPage(std::string& url, std::size_t entries) {
  if (entries < NumberAfter(url, kPageSize)) return false;
  const std::size_t next = NumberAfter(url, kPageNumber) + 1;
  url.resize(url.rfind(kPageNumber) + kPageNumber.size());
  url += std::to_string(next);
  return true;
}

}  // namespace bindery::datadog
