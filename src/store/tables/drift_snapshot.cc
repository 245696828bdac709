#include "store/tables/drift_snapshot.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "store/sql/drift_rows.h"
#include "store/sql/engine_error.h"
#include "store/sql/wide_statement.h"

namespace bindery::store {
namespace {

constexpr const char* kStanding = R"sql(
SELECT d.id, d.target_id, class, n.name, d.role, principal, condition, severity, d.state, desired,
  observed, cause, acceptance, rest, first_seen, last_seen, resolved_after, resolved_by,
  read_before, r.id, r.source_file, r.source_line, r.reason
FROM drift d LEFT JOIN names n ON n.id = d.resource LEFT JOIN resources r ON r.id = d.resource
WHERE resolved_after IS NULL
)sql";

constexpr const char* kSince = R"sql(
SELECT d.id, d.target_id, class, n.name, d.role, principal, condition, severity, d.state, desired,
  observed, cause, acceptance, rest, first_seen, last_seen, resolved_after, resolved_by,
  read_before, r.id, r.source_file, r.source_line, r.reason
FROM drift d LEFT JOIN names n ON n.id = d.resource LEFT JOIN resources r ON r.id = d.resource
WHERE resolved_after IS NULL OR first_seen + resolved_after >= ?1
)sql";

/// Reads entries in sequence. Decoded names are kept for the next entries, but not forever: every
/// entry may have a separate target.
class EntryReader {
 public:
  explicit EntryReader(Connection& connection) : connection_(connection) {}

  DriftEntry Read(const Query& query) {
    constexpr int kKeptFor = 4096;
    if (read_++ % kKeptFor == 0) {
      connection_.words().Trim();
      readers_.emplace(connection_);
    }
    DriftEntry entry{ReadDriftRecord(*readers_, query), std::nullopt};
    constexpr int kResource = 19;
    if (query.IsNull(kResource)) return entry;
    entry.resource = {readers_->words.Text(query, kResource + 1),
                      static_cast<int>(query.Int(kResource + 2)),
                      readers_->words.Text(query, kResource + 3)};
    return entry;
  }

 private:
  Connection& connection_;
  int read_ = 0;
  std::optional<DriftReaders> readers_;
};

void TakeAll(Connection& connection, Query& query,
             const std::function<void(const DriftEntry&)>& take) {
  EntryReader reader(connection);
  while (query.Next()) take(reader.Read(query));
}

}  // namespace

Expected<std::unique_ptr<DriftSnapshot>> SqlDriftSnapshot::Open(Engine& engine) {
  auto connection = engine.OpenReader();
  if (!connection) return Fail(connection.error());
  return Attempt("read drift", [&] {
    return std::unique_ptr<DriftSnapshot>(new SqlDriftSnapshot(engine, std::move(*connection)));
  });
}

SqlDriftSnapshot::SqlDriftSnapshot(Engine& engine, std::unique_ptr<Connection> connection)
    : engine_(engine), connection_(std::move(connection)), transaction_(*connection_) {
  // A transaction sees the state of its first read.
  Query(*connection_, "SELECT id FROM drift LIMIT 1").Next();
}

template <typename F>
Expected<void> SqlDriftSnapshot::Read(F&& read) {
  auto result = Attempt("read drift", std::forward<F>(read));
  engine_.Note(result);
  return result;
}

Expected<void> SqlDriftSnapshot::EachSince(std::optional<WallTime> resolved_since,
                                           const std::function<void(const DriftEntry&)>& take) {
  return Read([&] {
    if (!resolved_since) {
      Query query(*connection_, kStanding);
      return TakeAll(*connection_, query, take);
    }
    Query query(*connection_, kSince, ToMillis(*resolved_since));
    TakeAll(*connection_, query, take);
  });
}

void EachDriftNumbered(Connection& connection, const std::vector<std::int64_t>& ids,
                       const std::function<void(const DriftEntry&)>& take) {
  static const WideStatement kOfIds(
      "SELECT d.id, d.target_id, class, n.name, d.role, principal, condition, severity, d.state, "
      "desired, observed, cause, acceptance, rest, first_seen, last_seen, resolved_after, "
      "resolved_by, read_before, r.id, r.source_file, r.source_line, r.reason "
      "FROM drift d LEFT JOIN names n ON n.id = d.resource "
      "LEFT JOIN resources r ON r.id = d.resource WHERE d.id IN ",
      1);
  EntryReader reader(connection);
  for (std::span<const std::int64_t> left = ids; !left.empty();) {
    const auto some = left.first(std::min(left.size(), kOfIds.For(left.size()).count));
    std::map<std::int64_t, DriftEntry> entries;
    ForEachRow(connection, kOfIds, some,
               [&](const Query& row) { entries.try_emplace(row.Int(0), reader.Read(row)); });
    for (const std::int64_t id : some) {
      if (const auto entry = entries.find(id); entry != entries.end()) take(entry->second);
    }
    left = left.subspan(some.size());
  }
}

Expected<void> SqlDriftSnapshot::VisitEach(const std::vector<std::int64_t>& ids,
                                           const std::function<void(const DriftEntry&)>& take) {
  return Read([&] { EachDriftNumbered(*connection_, ids, take); });
}

}  // namespace bindery::store
