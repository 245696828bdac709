#include "providers/google/rows/iam_rows.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "manifests/schema/check_text.h"

namespace bindery::google {
namespace {

using enum IamVerb;
using enum IamVersionPlace;

constexpr IamRow kRows[] = {
#include "providers/google/rows/iam_rows.inc"
};

static_assert(std::ranges::is_sorted(kRows, {}, &IamRow::id));

/// The rows in force, and their services.
struct Table {
  std::span<const IamRow> rows;
  std::vector<IamRow> extended;  ///< What `rows` are, where users added some.
  std::vector<std::string_view> services;
};

std::vector<std::string_view> ListServices(std::span<const IamRow> rows) {
  std::vector<std::string_view> services;
  for (const IamRow& row : rows) {
    if (services.empty() || services.back() != row.service) services.push_back(row.service);
  }
  return services;
}

std::unique_ptr<const Table>& TableInForce() {
  static std::unique_ptr<const Table> table =
      std::make_unique<const Table>(Table{kRows, {}, ListServices(kRows)});
  return table;
}

}  // namespace

std::span<const IamRow> BuiltInIamRows() { return kRows; }

bool IsBuiltIn(const IamRow& row) {
  return std::ranges::binary_search(kRows, row.id, {}, &IamRow::id);
}

std::span<const IamRow> IamRows() { return TableInForce()->rows; }

std::span<const std::string_view> IamServices() { return TableInForce()->services; }

void AddIamRows(std::span<const IamRow> rows) {
  if (rows.empty()) return;
  // A caller may hold a span of it.
  static std::unique_ptr<const Table> before;
  auto table = std::make_unique<Table>();
  table->extended.assign(std::begin(kRows), std::end(kRows));
  table->extended.insert(table->extended.end(), rows.begin(), rows.end());
  std::ranges::sort(table->extended, {}, &IamRow::id);
  table->rows = table->extended;
  table->services = ListServices(table->rows);
  before = std::exchange(TableInForce(), std::move(table));
}

const IamRow& GetPolicyRow(const IamRow& row) {
  if (row.policy_of.empty()) return row;
  return *FindIamRow(row.policy_of.substr(0, row.policy_of.find(' ')));
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
  const std::span<const IamRow> rows = IamRows();
  auto row =
      std::ranges::lower_bound(rows, token_without_suffix.substr(0, slash + 1), {}, &IamRow::id);
  for (; row != rows.end() && row->service == service; ++row) {
    if (row->kind == kind && manifests::HasWord(row->versions, version)) return &*row;
  }
  return nullptr;
}

}  // namespace bindery::google
