#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/access/inventory.h"
#include "core/base/clock.h"
#include "core/base/expected.h"
#include "store/ports/filters.h"
#include "store/ports/history_reader.h"
#include "store/ports/records.h"

namespace bindery::store {

/// The differences on record as they were when it was made, however often they are gone through.
/// For a single thread at a time. While it is there the store cannot give room back: not for long.
/// What `take` throws is told as a failure of the store.
class DriftSnapshot {
 public:
  virtual ~DriftSnapshot() = default;

  /// Calls `take` with current items, and items resolved since, in no particular order.
  virtual Expected<void> EachSince(std::optional<WallTime> resolved_since,
                                   const std::function<void(const DriftEntry&)>& take) = 0;

  /// Gives `take` those of the ids, in this order; an id that is not on record is passed over.
  virtual Expected<void> VisitEach(const std::vector<std::int64_t>& ids,
                                   const std::function<void(const DriftEntry&)>& take) = 0;
};

/// The data for reports, the API and commands.
///
/// Threads: any. Each call sees the durable state at its beginning, all of one moment; two calls
/// may see different moments.
///
/// Errors: as of HistoryReader.
class ReportReader : public HistoryReader {
 public:
  [[nodiscard]] virtual Expected<std::vector<ResourceRecord>> Resources() const = 0;
  /// The one of the name; nothing when none is on record.
  [[nodiscard]] virtual Expected<std::optional<ResourceRecord>> Resource(
      const std::string& name) const = 0;
  /// Those whose target it is, by name, whether or not they are in force.
  [[nodiscard]] virtual Expected<std::vector<ResourceRecord>> ResourcesOn(
      const Target& target) const = 0;
  /// The same of many targets, each named once: all in no particular order.
  [[nodiscard]] virtual Expected<std::vector<ResourceRecord>> ResourcesOnEach(
      const std::vector<Target>& targets) const = 0;
  /// The targets of that name, of whatever kind and scope, in their order; with those that were
  /// never read and that a resource in force stands on.
  [[nodiscard]] virtual Expected<std::vector<TargetRecord>> TargetsNamed(
      const std::string& name) const = 0;
  /// All resources in the order of their names, as of one moment.
  virtual Expected<void> EachResourceByName(
      const std::function<void(ObservedResource&&)>& take) const = 0;
  /// While it is the same, resources, targets and differences are what they were, but for the times
  /// at which targets and differences were looked at again. Nothing where others may write.
  [[nodiscard]] virtual std::optional<std::uint64_t> ContentVersion() const = 0;
  /// As ReadCatalog of StartupReader, and the same of resources alone.
  virtual Expected<void> ReadCatalog(
      const std::function<void(TargetRecord&&)>& take_target,
      const std::function<void(ResourceRecord&&)>& take_resource) const = 0;
  virtual Expected<void> ReadResources(const std::function<void(ResourceRecord&&)>& take) const = 0;

  [[nodiscard]] virtual Expected<std::vector<DriftRecord>> Drift(
      const DriftFilter& filter) const = 0;
  /// For reports on as much as there may be: none of it is held in memory. Ends before the store.
  [[nodiscard]] virtual Expected<std::unique_ptr<DriftSnapshot>> SnapshotDrift() const = 0;
  /// With their ids, oldest first.
  [[nodiscard]] virtual Expected<std::vector<std::pair<std::int64_t, Event>>> Events(
      const EventFilter& filter) const = 0;
  [[nodiscard]] virtual Expected<std::vector<HoldRecord>> Holds() const = 0;
  [[nodiscard]] virtual Expected<std::optional<GenerationRecord>> LastGeneration() const = 0;
  [[nodiscard]] virtual Expected<std::vector<ManifestProblemRecord>> Problems() const = 0;
  /// The daemons that share the store, who is at work first; none of a store in a file. One that
  /// ended without notice stays on record for a day.
  [[nodiscard]] virtual Expected<std::vector<ReplicaRecord>> Replicas() const = 0;
  /// As ReadCatalog, of targets alone.
  virtual Expected<void> ReadTargets(const std::function<void(TargetRecord&&)>& take) const = 0;

  /// The targets whose names do not begin with a project, as finished scans found them; the scan
  /// that started last comes first.
  virtual Expected<void> EachScannedPlace(
      const std::function<void(ScannedPlace&&)>& take) const = 0;

  /// The resources of the names, in this order; a name that is not on record is passed over.
  [[nodiscard]] virtual Expected<std::vector<ObservedResource>> ResourcesNamed(
      const std::vector<std::string>& names) const = 0;
  /// The newest of the target's revisions, oldest first, with their policies.
  [[nodiscard]] virtual Expected<std::vector<RevisionRecord>> NewestRevisions(
      const Target& target, std::size_t most) const = 0;
  /// The differences of the ids, in this order; an id that is not on record is passed over.
  [[nodiscard]] virtual Expected<std::vector<DriftEntry>> DriftNumbered(
      const std::vector<std::int64_t>& ids) const = 0;
  /// The problems of a resource, and then those of no known resource in the file; none of the
  /// second where `file` is empty.
  [[nodiscard]] virtual Expected<std::vector<ManifestProblemRecord>> ProblemsAbout(
      const std::string& resource, const std::string& file) const = 0;
  /// The numbers of problems by severity.
  [[nodiscard]] virtual Expected<std::map<std::string, std::size_t>> CountProblems() const = 0;

  /// Calls `read`: what it reads of the store on its own thread is of one moment, and takes one
  /// transaction, except for functions with a `take` and snapshots. Other reads wait: not for much.
  [[nodiscard]] virtual Expected<void> ReadTogether(const std::function<void()>& read) const = 0;
};

/// The result of `make`, an Expected, whose reads of the store go together: see ReadTogether().
template <typename Make>
[[nodiscard]] auto MakeTogether(const ReportReader& store, Make&& make) -> decltype(make()) {
  std::optional<decltype(make())> made;
  const auto read = store.ReadTogether([&] { made.emplace(std::forward<Make>(make)()); });
  if (!read) return Fail(read.error());
  return *std::move(made);
}

}  // namespace bindery::store
