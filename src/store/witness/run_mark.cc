#include "store/witness/run_mark.h"

#include <algorithm>

#include "core/text/random_id.h"
#include "store/tables/reads.h"
#include "store/tables/writes.h"

namespace bindery::store {
namespace {

/// The number of remembered runs: earlier runs are unknown.
constexpr std::int64_t kMostRuns = 1000;

std::int64_t LastRun(Connection& connection) {
  Query query(connection, "SELECT coalesce(max(no), 0) FROM runs");
  return query.Next() ? query.Int(0) : 0;
}

/// Why the store is or may be older than `seen`; empty: it is not.
std::string WhyOlder(Connection& connection, const StoreMark& seen, std::int64_t last,
                     const std::string& database) {
  const auto writes = GetWrites(connection, seen.run);
  if (!writes) {
    if (seen.number <= last - kMostRuns) return {};
    return "the store does not know the run that wrote to it last";
  }
  if (*writes < seen.writes) {
    return "the store is older than the one that was written to last: it lacks " +
           std::to_string(seen.writes - *writes) + " of " + std::to_string(seen.writes) +
           " writes of that run";
  }
  // What came after a last look that was not at the end is not known.
  if (seen.database == database || seen.last) return {};
  return "the store is in other tables than those that were written to last, and the last writes "
         "there are not known: it may be an older state";
}

}  // namespace

std::optional<std::int64_t> GetWrites(Connection& connection, const std::string& run) {
  Query query(connection, "SELECT writes FROM runs WHERE id = ?1", run);
  if (!query.Next()) return std::nullopt;
  return query.Int(0);
}

BegunRun BeginRun(Connection& connection, const std::optional<StoreMark>& seen,
                  const std::string& database, bool replaced) {
  connection.BeginWrite();
  const std::int64_t last = LastRun(connection);
  EvidenceRecord evidence = ReadEvidence(connection);
  const bool is_new = last == 0 && evidence.look == 0;
  std::string why = seen && !is_new ? WhyOlder(connection, *seen, last, database) : std::string();
  if (why.empty() && replaced) {
    why = "the store is not as the last run left it: it may be an older state of it";
  }
  // Also after the runs that an older store does not know: others follow the highest number.
  const std::int64_t known = seen ? std::max(last, seen->number) : last;
  BegunRun begun{RandomId(), known + 1, !why.empty()};
  // A store that never saw the manifests has nothing to remove.
  if (begun.older && evidence.look != 0 && evidence.question.empty()) {
    evidence.question = why;
    ReplaceEvidence(connection, evidence);
  }
  const std::int64_t outdated = begun.number - kMostRuns;
  Run(connection, "INSERT INTO runs (id, no, writes) VALUES (?1, ?2, 0)", begun.run, begun.number);
  Run(connection, "DELETE FROM runs WHERE no <= ?1", outdated);
  connection.Commit();
  return begun;
}

}  // namespace bindery::store
