#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "access/ancestry.h"
#include "access/places.h"
#include "core/access/inventory.h"
#include "core/access/target.h"
#include "core/base/clock.h"
#include "core/base/expected.h"
#include "report/access/access_records.h"
#include "report/access/observed_access.h"

namespace bindery::report {

/// All policies on record, those that bindery read and those that only scans show, and who inherits
/// from whom.
///
/// A policy that bindery read counts, unless a scan began later than the read by more than the age
/// that the index of the cloud may have. Of two scans the later one counts. With a moment, the
/// revisions in force then count, and the policies of scans that began until then; the containers
/// are those of the last scan in any case. For one thread.
class KnownPolicies {
 public:
  [[nodiscard]] static Expected<KnownPolicies> Read(const AccessRecords& records,
                                                    std::optional<WallTime> at);
  /// The same with the policies of ObservedPolicies() for the moment.
  [[nodiscard]] static Expected<KnownPolicies> With(const AccessRecords& records,
                                                    std::optional<WallTime> at,
                                                    std::vector<ObservedPolicy> read);

  /// The containers of the scans.
  [[nodiscard]] const access::Places& places() const { return places_; }

  /// By target.
  [[nodiscard]] const std::vector<ObservedPolicy>& all() const { return policies_; }

  /// The policy of the target, under any name of the target's project; null: not on record.
  [[nodiscard]] const ObservedPolicy* Find(const Target& target) const;

  /// Whose access the target inherits. As FindAncestry.
  [[nodiscard]] access::Ancestry FindAncestry(const Target& target) const;

  /// Whether a scan shows all containers and their policies in the container.
  [[nodiscard]] bool IsScanned(const Target& container) const;

  /// When the last of the scans began; nothing: no scan is finished.
  [[nodiscard]] const std::optional<WallTime>& scanned_at() const { return scanned_at_; }

 private:
  [[nodiscard]] std::string MakeKey(const Target& target) const;
  void IndexPolicies() const;
  /// The container by the last scan that shows the target; empty: none does.
  [[nodiscard]] std::string GetScannedPlace(const Target& target) const;
  /// Joins what was read with the scans until `at`.
  void Join(const AccessRecords& records, std::vector<ObservedPolicy> read,
            std::optional<WallTime> at);
  void AddScan(const AccessRecords& records, const InventoryFacts& facts,
               std::map<std::string, ObservedPolicy>& by_key) const;

  std::vector<ObservedPolicy> policies_;
  /// Places in `policies_`, in the order of their keys. Made when the first policy is looked for.
  mutable std::vector<std::uint32_t> by_key_;
  std::map<std::string, std::string> scanned_in_;       ///< The container, by key.
  std::vector<std::unique_ptr<InventoryFacts>> scans_;  ///< Hold the texts of policies.
  access::Places places_{{}};
  std::optional<WallTime> scanned_at_;
};

}  // namespace bindery::report
