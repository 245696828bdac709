#include <algorithm>
#include <limits>

#include "store/drift_rows.h"
#include "store/reads.h"
#include "store/target_keys.h"

namespace bindery::store {
namespace {

constexpr const char* kUnresolvedDrift = R"sql(
SELECT d.id, k.kind, k.scope, k.name, class, resource, role, principal, condition, severity, state,
  desired, observed, first_seen, last_seen, resolved_at, resolved_by
FROM drift d JOIN target_keys k ON k.id = d.target_id
WHERE resolved_at IS NULL ORDER BY d.id DESC LIMIT ?1
)sql";

// Over the limit, what is unresolved goes before what is resolved, and new before old.
constexpr const char* kDrift = R"sql(
SELECT d.id, k.kind, k.scope, k.name, class, resource, role, principal, condition, severity, state,
  desired, observed, first_seen, last_seen, resolved_at, resolved_by
FROM drift d JOIN target_keys k ON k.id = d.target_id
WHERE resolved_at IS NULL OR resolved_at >= ?2
ORDER BY resolved_at IS NOT NULL, d.id DESC LIMIT ?1
)sql";

constexpr const char* kEvents = R"sql(
SELECT id, time, type, reason, resource, target, message, actor FROM events
WHERE id > ?1 ORDER BY id DESC LIMIT ?2
)sql";

constexpr const char* kEventsOfResource = R"sql(
SELECT id, time, type, reason, resource, target, message, actor FROM events
WHERE resource = ?3 AND id > ?1 ORDER BY id DESC LIMIT ?2
)sql";

constexpr const char* kRevisions = R"sql(
SELECT r.id, k.kind, k.scope, k.name, time, origin, etag, r.digest, '', actor
FROM revisions r JOIN target_keys k ON k.id = r.target_id
WHERE k.name = ?1 AND k.kind = ?2 AND k.scope = ?3 ORDER BY r.id
)sql";

constexpr const char* kRevisionsWithPolicy = R"sql(
SELECT r.id, k.kind, k.scope, k.name, time, origin, etag, r.digest, p.body, actor
FROM revisions r JOIN target_keys k ON k.id = r.target_id LEFT JOIN policies p USING (digest)
WHERE k.name = ?1 AND k.kind = ?2 AND k.scope = ?3 ORDER BY r.id
)sql";

constexpr const char* kRevision = R"sql(
SELECT r.id, k.kind, k.scope, k.name, time, origin, etag, r.digest, p.body, actor
FROM revisions r JOIN target_keys k ON k.id = r.target_id LEFT JOIN policies p USING (digest)
WHERE r.id = ?1
)sql";

std::int64_t Limit(std::size_t limit) {
  return static_cast<std::int64_t>(
      std::min(limit, static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max())));
}

RevisionRecord ReadRevisionRow(const Query& query) {
  RevisionRecord record;
  record.id = query.Int(0);
  record.target = ReadTarget(query, 1);
  record.time = query.Time(4);
  record.origin = OriginFromString(query.Text(5));
  record.etag = query.Text(6);
  record.digest = query.Text(7);
  record.policy = query.Text(8);
  record.actor = query.Text(9);
  return record;
}

DriftRecord ReadDriftRow(const Query& query) {
  DriftRecord record;
  record.id = query.Int(0);
  record.target = ReadTarget(query, 1);
  record.item = ReadDriftItem(query, 4);
  record.first_seen = query.Time(13);
  record.last_seen = query.Time(14);
  record.resolved_at = query.OptionalTime(15);
  record.resolved_by = query.Text(16);
  return record;
}

std::pair<std::int64_t, Event> ReadEventRow(const Query& query) {
  Event event;
  event.time = query.Time(1);
  event.type = EventTypeFromString(query.Text(2));
  event.reason = query.Text(3);
  event.resource = query.Text(4);
  event.target = query.Text(5);
  event.message = query.Text(6);
  event.actor = query.Text(7);
  return {query.Int(0), std::move(event)};
}

std::vector<std::pair<std::int64_t, Event>> OldestFirst(Query& query) {
  std::vector<std::pair<std::int64_t, Event>> events;
  while (query.Next()) events.push_back(ReadEventRow(query));
  std::reverse(events.begin(), events.end());
  return events;
}

std::vector<DriftRecord> OldestDriftFirst(Query& query) {
  std::vector<DriftRecord> records;
  while (query.Next()) records.push_back(ReadDriftRow(query));
  std::sort(records.begin(), records.end(),
            [](const DriftRecord& left, const DriftRecord& right) { return left.id < right.id; });
  return records;
}

}  // namespace

std::vector<DriftRecord> ReadDrift(Connection& connection, const DriftFilter& filter) {
  if (filter.unresolved_only) {
    Query query(connection, kUnresolvedDrift, Limit(filter.limit));
    return OldestDriftFirst(query);
  }
  const std::int64_t since = filter.resolved_since ? ToMillis(*filter.resolved_since)
                                                   : std::numeric_limits<std::int64_t>::min();
  Query query(connection, kDrift, Limit(filter.limit), since);
  return OldestDriftFirst(query);
}

std::vector<std::pair<std::int64_t, Event>> ReadEvents(Connection& connection,
                                                       const EventFilter& filter) {
  if (filter.resource.empty()) {
    Query query(connection, kEvents, filter.after_id, Limit(filter.limit));
    return OldestFirst(query);
  }
  Query query(connection, kEventsOfResource, filter.after_id, Limit(filter.limit), filter.resource);
  return OldestFirst(query);
}

std::vector<RevisionRecord> ReadRevisions(Connection& connection, const Target& target,
                                          bool with_policy) {
  std::vector<RevisionRecord> records;
  Query query(connection, with_policy ? kRevisionsWithPolicy : kRevisions, target.name, target.kind,
              target.scope);
  while (query.Next()) records.push_back(ReadRevisionRow(query));
  return records;
}

std::optional<RevisionRecord> ReadRevision(Connection& connection, std::int64_t id) {
  Query query(connection, kRevision, id);
  if (!query.Next()) return std::nullopt;
  return ReadRevisionRow(query);
}

std::optional<std::string> ReadPolicy(Connection& connection, const std::string& digest) {
  Query query(connection, "SELECT body FROM policies WHERE digest = ?1", digest);
  if (!query.Next()) return std::nullopt;
  return query.Text(0);
}

}  // namespace bindery::store
