// The journal for webhooks, and the position of each webhook.

#include <algorithm>
#include <limits>

#include "store/tables/event_rows.h"
#include "store/tables/reads.h"
#include "store/tables/writes.h"

namespace bindery::store {
namespace {

constexpr const char* kJournal = R"sql(
SELECT e.id, time, type, reason, r.name, t.name, message, actor, severity, e.resource, e.target
FROM events e LEFT JOIN names r ON r.id = e.resource LEFT JOIN names t ON t.id = e.target
WHERE e.id > ?1 ORDER BY e.id LIMIT ?2
)sql";

constexpr const char* kResource = R"sql(
SELECT n.name, kind, labels, source_file, source_line
FROM resources r JOIN names n ON n.id = r.id WHERE r.id = ?1
)sql";

// By the terms of the index resources_claim.
constexpr const char* kResourcesOfTarget = R"sql(
SELECT n.name, r.kind, labels, source_file, source_line
FROM target_keys k JOIN resources r ON r.target_id = k.id AND accepted = 1 AND role <> 0
  JOIN names n ON n.id = r.id
WHERE k.name = ?1 ORDER BY n.name
)sql";

constexpr const char* kAddWebhook = R"sql(
INSERT INTO webhooks (name, first, cursor, failure) VALUES (?1, ?2, ?2, '') ON CONFLICT DO NOTHING
)sql";

constexpr const char* kMoveWebhook = R"sql(
UPDATE webhooks SET (cursor, delivered_at, failing_since, failure) = (?2, ?3, ?4, ?5)
WHERE name = ?1
)sql";

std::optional<WallTime> TimeOrNone(const Query& query, int column) {
  if (query.IsNull(column)) return std::nullopt;
  return query.Time(column);
}

std::optional<std::int64_t> MillisOrNone(const std::optional<WallTime>& time) {
  if (!time) return std::nullopt;
  return ToMillis(*time);
}

std::vector<ResourceMention> Mentions(WordReader& words, Query query) {
  std::vector<ResourceMention> mentions;
  while (query.Next()) {
    mentions.push_back({query.Text(0), words.Text(query, 1), words.Text(query, 2),
                        words.Text(query, 3), static_cast<int>(query.Int(4))});
  }
  return mentions;
}

}  // namespace

std::vector<JournalEntry> ReadJournal(Connection& connection, const JournalPage& page) {
  WordReader words(connection);
  std::vector<JournalEntry> entries;
  const auto limit = static_cast<std::int64_t>(
      std::min(page.limit, static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())));
  Query query(connection, kJournal, page.after_id, limit);
  while (query.Next()) {
    JournalEntry& entry = entries.emplace_back();
    entry.id = query.Int(0);
    entry.event = ReadEvent(words, query);
    const std::int64_t resource = query.Int(9);
    const std::int64_t target = query.Int(10);
    if (resource != 0) {
      entry.resources = Mentions(words, Query(connection, kResource, resource));
    } else if (target != 0) {
      entry.resources = Mentions(words, Query(connection, kResourcesOfTarget, target));
    }
  }
  return entries;
}

std::vector<WebhookRecord> ReadWebhooks(Connection& connection) {
  const std::int64_t last_event = connection.LastEvent();
  std::vector<WebhookRecord> records;
  Query query(connection,
              "SELECT name, first, cursor, delivered_at, failing_since, failure FROM webhooks "
              "ORDER BY name");
  while (query.Next()) {
    WebhookRecord record;
    record.name = query.Text(0);
    record.first = query.Int(1);
    record.cursor = query.Int(2);
    record.delivered_at = TimeOrNone(query, 3);
    record.failing_since = TimeOrNone(query, 4);
    record.failure = query.Text(5);
    record.last_event = last_event;
    records.push_back(std::move(record));
  }
  return records;
}

void SetWebhooks(Connection& connection, const std::vector<std::string>& names) {
  for (const WebhookRecord& record : ReadWebhooks(connection)) {
    if (std::ranges::find(names, record.name) != names.end()) continue;
    Run(connection, "DELETE FROM webhooks WHERE name = ?1", record.name);
  }
  const std::int64_t last_event = connection.LastGiven("events");
  for (const std::string& name : names) Run(connection, kAddWebhook, name, last_event);
}

void MoveWebhooks(Connection& connection, const std::vector<WebhookRecord>& records) {
  for (const WebhookRecord& record : records) {
    Run(connection, kMoveWebhook, record.name, record.cursor, MillisOrNone(record.delivered_at),
        MillisOrNone(record.failing_since), record.failure);
  }
}

}  // namespace bindery::store
