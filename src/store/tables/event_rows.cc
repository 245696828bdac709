#include "store/tables/event_rows.h"

#include "store/sql/stored_words.h"

namespace bindery::store {

std::int64_t SeverityNumber(std::optional<Severity> severity) {
  return severity ? static_cast<std::int64_t>(*severity) + 1 : 0;
}

Event ReadEvent(WordReader& words, const Query& query) {
  Event event;
  event.time = query.Time(1);
  event.type = ReadWord(EventTypeFromString, words.Text(query, 2));
  event.reason = words.Text(query, 3);
  event.resource = query.Text(4);
  event.target = query.Text(5);
  event.message = words.Text(query, 6);
  event.actor = words.Text(query, 7);
  const std::int64_t severity = query.Int(8);
  if (severity >= SeverityNumber(Severity::kLow) &&
      severity <= SeverityNumber(Severity::kCritical)) {
    event.severity = static_cast<Severity>(severity - 1);
  }
  return event;
}

}  // namespace bindery::store
