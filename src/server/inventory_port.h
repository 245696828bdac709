#pragma once

#include <string>

#include "core/base/expected.h"
#include "report/access/access_records.h"
#include "report/values/coverage_values.h"
#include "report/values/scan_values.h"
#include "store/ports/report_reader.h"

namespace bindery::server {

/// A question about the coverage; an empty field does not restrict.
struct CoverageAsked {
  std::string scope = {};
  std::string provider = {};
  std::string by = {};  ///< As CoverageBy; empty: no groups.
};

/// What the server asks of scans of clouds. Every function may be called from any thread; reading
/// may block on the store.
class InventoryPort {
 public:
  InventoryPort() = default;
  virtual ~InventoryPort() = default;
  InventoryPort(const InventoryPort&) = delete;
  InventoryPort& operator=(const InventoryPort&) = delete;

  /// kNotFound: nothing was scanned. kInvalidArgument: `by` is no such word.
  [[nodiscard]] virtual Expected<report::Coverage> MakeCoverage(
      const CoverageAsked& asked) const = 0;

  /// All scans on record, with the progress of the scan under way.
  [[nodiscard]] virtual Expected<report::InventoryList> Scans() const = 0;

  /// What answers about access are made from, with the scans on record, with the groups of
  /// configured files, and with the roles that have the permission if one is asked about. Valid as
  /// long as `store`. kInvalidArgument: a file is unusable.
  [[nodiscard]] virtual Expected<report::AccessRecords> RecordsWith(
      const store::ReportReader& store, const std::string& permission) const = 0;

  /// Begins a scan and does not wait for its end. An empty provider: the first provider with an
  /// index. A scan of the same scope under way goes on, and is returned.
  /// kFailedPrecondition: another scope is scanned just now. kInvalidArgument: no such scope or
  /// provider.
  virtual Expected<report::InventoryLine> Begin(const std::string& scope,
                                                const std::string& provider,
                                                const std::string& actor) = 0;
};

}  // namespace bindery::server
