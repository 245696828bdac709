#include "providers/google/iam_rows.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <vector>

namespace bindery {
namespace {

using enum IamVerb;
using enum IamVersionPlace;

constexpr IamRow kRows[] = {
#include "providers/google/iam_rows.inc"
};

static_assert(std::ranges::is_sorted(kRows, {}, &IamRow::id));

/// Whether a space-separated list contains the word.
bool HasWord(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

}  // namespace

std::span<const IamRow> IamRows() { return kRows; }

std::span<const std::string_view> IamServices() {
  static const std::vector<std::string_view> kServices = [] {
    std::vector<std::string_view> services;
    for (const IamRow& row : kRows) {
      if (services.empty() || services.back() != row.service) services.push_back(row.service);
    }
    return services;
  }();
  return kServices;
}

const IamRow* FindIamRow(std::string_view token_without_suffix) {
  const std::size_t slash = token_without_suffix.find('/');
  const std::size_t colon = token_without_suffix.find(':');
  if (slash == std::string_view::npos || colon == std::string_view::npos || colon < slash) {
    return nullptr;
  }
  const std::string_view service = token_without_suffix.substr(0, slash);
  const std::string_view version = token_without_suffix.substr(slash + 1, colon - slash - 1);
  const std::string_view kind = token_without_suffix.substr(colon + 1);
  // Ids start with the service, so its rows are adjacent.
  const IamRow* row =
      std::ranges::lower_bound(kRows, token_without_suffix.substr(0, slash + 1), {}, &IamRow::id);
  for (; row != std::end(kRows) && row->service == service; ++row) {
    if (row->kind == kind && HasWord(row->versions, version)) return row;
  }
  return nullptr;
}

}  // namespace bindery
