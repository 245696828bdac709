#pragma once

#include <string>

#include "core/expected.h"
#include "report/coverage_values.h"
#include "report/scan_values.h"

namespace bindery {

/// What somebody asks of the coverage; what is empty does not restrict.
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
  [[nodiscard]] virtual Expected<Coverage> CoverageOf(const CoverageAsked& asked) const = 0;

  /// All scans on record, with how far the one is that is under way.
  [[nodiscard]] virtual Expected<InventoryList> Scans() const = 0;

  /// Begins a scan and does not wait for its end. An empty provider: the first one that has an
  /// index. One of the same scope that is under way goes on, and is what is told.
  /// kFailedPrecondition: another scope is scanned just now. kInvalidArgument: no such scope or
  /// provider.
  virtual Expected<InventoryLine> Begin(const std::string& scope, const std::string& provider,
                                        const std::string& actor) = 0;
};

}  // namespace bindery
