#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include "core/text/text_search.h"
#include "store/sql/drift_rows.h"
#include "store/sql/policies.h"
#include "store/sql/stored_words.h"
#include "store/sql/target_keys.h"
#include "store/sql/wide_statement.h"
#include "store/tables/event_rows.h"
#include "store/tables/reads.h"

namespace bindery::store {
namespace {

// By a term that is no column: else all drift there ever was is gone through in order.
constexpr const char* kUnresolvedDrift = R"sql(
SELECT d.id, target_id, class, n.name, role, principal, condition, severity, state, desired,
  observed, cause, acceptance, rest, first_seen, last_seen, resolved_after, resolved_by,
  read_before
FROM drift d LEFT JOIN names n ON n.id = d.resource
WHERE resolved_after IS NULL ORDER BY +d.id DESC LIMIT ?1
)sql";

constexpr const char* kUnresolvedDriftOf = R"sql(
SELECT d.id, target_id, class, n.name, role, principal, condition, severity, state, desired,
  observed, cause, acceptance, rest, first_seen, last_seen, resolved_after, resolved_by,
  read_before
FROM drift d LEFT JOIN names n ON n.id = d.resource
WHERE target_id = ?2 AND resolved_after IS NULL ORDER BY +d.id DESC LIMIT ?1
)sql";

// Over the limit, what is unresolved goes before what is resolved, and new before old.
constexpr const char* kDrift = R"sql(
SELECT d.id, target_id, class, n.name, role, principal, condition, severity, state, desired,
  observed, cause, acceptance, rest, first_seen, last_seen, resolved_after, resolved_by,
  read_before
FROM drift d LEFT JOIN names n ON n.id = d.resource
WHERE resolved_after IS NULL OR first_seen + resolved_after >= ?2
ORDER BY resolved_after IS NOT NULL, d.id DESC LIMIT ?1
)sql";

constexpr const char* kEventColumns =
    "SELECT e.id, time, type, reason, r.name, t.name, message, actor, severity FROM ";

// Each half in the order of its index, so that no more is read than wanted.
constexpr const char* kEventsOfResource = R"sql((
  SELECT * FROM events WHERE resource = (SELECT id FROM names WHERE name = ?9) AND resource <> 0
  UNION ALL
  SELECT * FROM events WHERE target = (
      SELECT k.name FROM names n JOIN resources r ON r.id = n.id
        JOIN target_keys k ON k.id = r.target_id
      WHERE n.name = ?9)
    AND resource = 0 AND target <> 0
))sql";

constexpr const char* kWantedEvents = R"sql(
 e LEFT JOIN names r ON r.id = e.resource LEFT JOIN names t ON t.id = e.target
WHERE e.id > ?1 AND e.id < ?3 AND time >= ?4 AND time <= ?5
  AND (?6 = '' OR type IN (SELECT id FROM words WHERE text = ?6))
  AND (?7 = '' OR reason IN (SELECT id FROM words WHERE text = ?7))
  AND (?8 = '' OR actor IN (SELECT id FROM words WHERE text = ?8))
)sql";

/// Statements are known by their address.
const char* EventsSql(bool of_resource, bool oldest) {
  static const auto kAll = [] {
    std::array<std::string, 4> all;
    for (std::size_t i = 0; i < all.size(); ++i) {
      all.at(i) = std::string(kEventColumns) + ((i & 2U) != 0 ? kEventsOfResource : "events") +
                  kWantedEvents + ((i & 1U) != 0 ? "ORDER BY e.id" : "ORDER BY e.id DESC") +
                  " LIMIT ?2";
    }
    return all;
  }();
  return kAll.at((of_resource ? 2U : 0U) + (oldest ? 1U : 0U)).c_str();
}

constexpr const char* kRevisions = R"sql(
SELECT r.id, target_id, time, origin, etag, p.digest, policy_id, actor
FROM revisions r LEFT JOIN policies p ON p.id = r.policy_id
WHERE target_id = ?1 ORDER BY r.id DESC LIMIT ?2
)sql";

constexpr const char* kRevisionsInForce = R"sql(
SELECT r.id, target_id, time, origin, etag, p.digest, policy_id, actor
FROM revisions r LEFT JOIN policies p ON p.id = r.policy_id
WHERE r.id IN (SELECT max(id) FROM revisions WHERE time <= ?1 GROUP BY target_id)
ORDER BY r.id
)sql";

constexpr const char* kRevision = R"sql(
SELECT r.id, target_id, time, origin, etag, p.digest, policy_id, actor
FROM revisions r LEFT JOIN policies p ON p.id = r.policy_id WHERE r.id = ?1
)sql";

std::int64_t Limit(std::size_t limit) {
  return static_cast<std::int64_t>(
      std::min(limit, static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max())));
}

RevisionRecord ReadRevisionRow(Connection& connection, DriftReaders& readers, const Query& query,
                               bool with_policy) {
  RevisionRecord record;
  record.id = query.Int(0);
  record.target = readers.targets.At(query.Int(1));
  record.time = query.Time(2);
  record.origin = ReadWord(OriginFromString, readers.words.Text(query, 3));
  record.etag = query.Text(4);
  record.digest = query.Digest(5);
  if (with_policy) record.policy = ReadPolicyBody(connection, query.Int(6));
  record.actor = readers.words.Text(query, 7);
  return record;
}

bool EventMentions(const Event& event, const std::string& text) {
  const std::array<const std::string*, 5> places = {&event.message, &event.resource, &event.target,
                                                    &event.reason, &event.actor};
  return std::ranges::any_of(
      places, [&](const std::string* place) { return ContainsInAnyCase(*place, text); });
}

using EventsById = std::vector<std::pair<std::int64_t, Event>>;

/// What was read of a query.
struct EventRows {
  std::int64_t count = 0;
  std::int64_t last = 0;  ///< Id of the last row; 0: no row.
};

/// Appends the events that the filter lets through, up to its limit.
EventRows TakeEvents(WordReader& words, Query& query, const EventFilter& filter,
                     EventsById& events) {
  EventRows rows;
  while (events.size() < filter.limit && query.Next()) {
    ++rows.count;
    rows.last = query.Int(0);
    Event event = ReadEvent(words, query);
    if (EventMentions(event, filter.text)) events.emplace_back(rows.last, std::move(event));
  }
  return rows;
}

/// The same for at most `most` rows of the store.
EventRows TakeEventPart(Connection& connection, WordReader& words, const EventFilter& filter,
                        std::int64_t most, EventsById& events) {
  const std::int64_t from =
      filter.since ? ToMillis(*filter.since) : std::numeric_limits<std::int64_t>::min();
  const std::int64_t until =
      filter.until ? ToMillis(*filter.until) : std::numeric_limits<std::int64_t>::max();
  const std::string type = filter.type ? std::string(ToString(*filter.type)) : "";
  if (filter.resource.empty()) {
    Query query(connection, EventsSql(false, filter.oldest), filter.after_id, most,
                filter.before_id, from, until, type, filter.reason, filter.actor);
    return TakeEvents(words, query, filter, events);
  }
  Query query(connection, EventsSql(true, filter.oldest), filter.after_id, most, filter.before_id,
              from, until, type, filter.reason, filter.actor, filter.resource);
  return TakeEvents(words, query, filter, events);
}

std::vector<DriftRecord> OldestDriftFirst(DriftReaders& readers, Query& query) {
  std::vector<DriftRecord> records;
  while (query.Next()) records.push_back(ReadDriftRecord(readers, query));
  std::sort(records.begin(), records.end(),
            [](const DriftRecord& left, const DriftRecord& right) { return left.id < right.id; });
  return records;
}

}  // namespace

std::vector<DriftRecord> ReadDrift(Connection& connection, const DriftFilter& filter) {
  DriftReaders readers(connection);
  if (filter.unresolved_only && filter.target) {
    const std::int64_t target = ReadTargetId(connection, *filter.target);
    if (target == 0) return {};
    readers.targets.Know(target, *filter.target);
    Query query(connection, kUnresolvedDriftOf, Limit(filter.limit), target);
    return OldestDriftFirst(readers, query);
  }
  if (filter.unresolved_only) {
    Query query(connection, kUnresolvedDrift, Limit(filter.limit));
    return OldestDriftFirst(readers, query);
  }
  const std::int64_t since = filter.resolved_since ? ToMillis(*filter.resolved_since)
                                                   : std::numeric_limits<std::int64_t>::min();
  Query query(connection, kDrift, Limit(filter.limit), since);
  return OldestDriftFirst(readers, query);
}

std::vector<std::pair<std::int64_t, Event>> ReadEvents(Connection& connection,
                                                       const EventFilter& filter) {
  // A text is looked for here: how many rows are needed is not known, and PostgreSQL gives all rows
  // of a query at once.
  constexpr std::int64_t kPart = 1'000;
  const std::int64_t most = filter.text.empty() ? Limit(filter.limit) : kPart;
  WordReader words(connection);
  EventFilter rest = filter;
  EventsById events;
  while (true) {
    const EventRows rows = TakeEventPart(connection, words, rest, most, events);
    if (rows.count < most || events.size() >= filter.limit) break;
    (filter.oldest ? rest.after_id : rest.before_id) = rows.last;
  }
  if (!filter.oldest) std::reverse(events.begin(), events.end());
  return events;
}

std::vector<RevisionRecord> ReadRevisions(Connection& connection, const Target& target,
                                          const WantedRevisions& wanted) {
  std::vector<RevisionRecord> records;
  const std::int64_t id = ReadTargetId(connection, target);
  if (id == 0) return records;
  DriftReaders readers(connection);
  readers.targets.Know(id, target);
  Query query(connection, kRevisions, id, Limit(wanted.most));
  while (query.Next()) {
    records.push_back(ReadRevisionRow(connection, readers, query, wanted.with_policy));
  }
  std::reverse(records.begin(), records.end());
  return records;
}

void EachRevisionInForce(Connection& connection, WallTime at,
                         const std::function<void(RevisionRecord&&)>& take) {
  // Each has a target of its own: decoded names are not kept for long.
  constexpr int kKeptFor = 4096;
  std::optional<DriftReaders> readers;
  Query query(connection, kRevisionsInForce, ToMillis(at));
  for (int read = 0; query.Next(); ++read) {
    if (read % kKeptFor == 0) {
      connection.words().Trim();
      readers.emplace(connection);
    }
    take(ReadRevisionRow(connection, *readers, query, false));
  }
}

std::vector<RevisionRecord> ReadFirstRevisions(Connection& connection,
                                               const std::vector<Target>& targets) {
  static const WideStatement kFirst(
      "SELECT r.id, target_id, time, origin, etag, p.digest, policy_id, actor "
      "FROM revisions r LEFT JOIN policies p ON p.id = r.policy_id "
      "WHERE r.id = (SELECT min(f.id) FROM revisions f WHERE f.target_id = r.target_id) "
      "AND target_id IN ",
      1);
  DriftReaders readers(connection);
  std::vector<std::int64_t> ids;
  ReadTargetIds(connection, targets, [&](const Target& target, std::int64_t id) {
    readers.targets.Know(id, target);
    ids.push_back(id);
  });
  std::vector<RevisionRecord> records;
  ForEachRow(connection, kFirst, std::span<const std::int64_t>(ids), [&](const Query& row) {
    records.push_back(ReadRevisionRow(connection, readers, row, false));
  });
  return records;
}

std::optional<RevisionRecord> ReadRevision(Connection& connection, std::int64_t id) {
  DriftReaders readers(connection);
  Query query(connection, kRevision, id);
  if (!query.Next()) return std::nullopt;
  return ReadRevisionRow(connection, readers, query, true);
}

std::optional<std::string> ReadPolicy(Connection& connection, const std::string& digest) {
  const std::int64_t id = FindPolicy(connection, digest);
  if (id == 0) return std::nullopt;
  return ReadPolicyBody(connection, id);
}

}  // namespace bindery::store
