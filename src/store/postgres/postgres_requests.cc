#include "store/postgres/postgres_requests.h"

#include <libpq-fe.h>

#include <utility>

#include "store/sql/engine_error.h"

namespace bindery::store {
namespace {

// The requester gives up earlier, so that no abandoned request is carried out.
constexpr const char* kWaiting =
    "SELECT 1 FROM requests WHERE epoch IS NULL AND asked > now() - interval '1 minute' LIMIT 1";

constexpr const char* kTake =
    "UPDATE requests SET epoch = (SELECT epoch FROM lease WHERE name = 'daemon') "
    "WHERE epoch IS NULL AND asked > now() - interval '1 minute'";

/// Also a request taken by a transaction whose success is unknown to this replica.
constexpr const char* kTaken =
    "SELECT r.id, r.request, r.actor FROM requests r JOIN lease l ON l.epoch = r.epoch "
    "WHERE l.name = 'daemon' AND r.answer IS NULL ORDER BY r.asked, r.id";

constexpr const char* kProgress =
    "SELECT r.epoch IS NULL, r.answer IS NOT NULL, coalesce(r.answer, ''), "
    "coalesce(l.epoch = r.epoch AND l.holder <> '', FALSE) "
    "FROM requests r LEFT JOIN lease l ON l.name = 'daemon' WHERE r.id = ?1";

/// Runs `work` in a writing transaction.
template <typename Work>
auto Written(std::string_view doing, Connection& connection, Work work) {
  return Attempt(doing, [&] {
    connection.BeginWrite();
    try {
      auto result = work();
      connection.Commit();
      return result;
    } catch (const EngineError&) {
      connection.Rollback();
      throw;
    }
  });
}

}  // namespace

PostgresInbox::PostgresInbox(std::string url, std::string fence)
    : looks_(url), connection_(std::move(url), std::move(fence)) {}

Expected<bool> PostgresInbox::SomethingWaits() {
  return Attempt("look for requests", [this] { return PQntuples(looks_.Run(kWaiting).get()) > 0; });
}

std::vector<RequestRecord> PostgresInbox::TakeAll() {
  store::Run(connection_, kTake);
  std::vector<RequestRecord> taken;
  Query query(connection_, kTaken);
  while (query.Next()) {
    RequestRecord record{query.Text(0), query.Text(1), query.Text(2)};
    if (!given_.contains(record.id)) taken.push_back(std::move(record));
  }
  return taken;
}

Expected<std::vector<RequestRecord>> PostgresInbox::Take() {
  if (!in_doubt_) {
    auto waits = SomethingWaits();
    if (!waits) return Fail(waits.error());
    if (!*waits) return std::vector<RequestRecord>();
  }
  auto taken = Written("take requests", connection_, [this] { return TakeAll(); });
  in_doubt_ = !taken;
  if (!taken) return taken;
  for (const RequestRecord& record : *taken) given_.insert(record.id);
  return taken;
}

Expected<void> PostgresInbox::Answer(const std::string& id, const std::string& answer) {
  const auto written = Written("answer a request", connection_, [&] {
    return RunCounting(connection_, "UPDATE requests SET answer = ?2 WHERE id = ?1", id, answer);
  });
  if (!written) return Fail(written.error());
  given_.erase(id);
  return {};
}

PostgresOutbox::PostgresOutbox(std::string url) : connection_(std::move(url)) {}

Expected<void> PostgresOutbox::Ask(const RequestRecord& request) {
  const auto asked = Written("ask the replica at work", connection_, [&] {
    store::Run(connection_, "DELETE FROM requests WHERE asked < now() - interval '1 hour'");
    return RunCounting(connection_, "INSERT INTO requests (id, request, actor) VALUES (?1, ?2, ?3)",
                       request.id, request.text, request.actor);
  });
  if (!asked) return Fail(asked.error());
  return {};
}

Expected<RequestProgress> PostgresOutbox::Progress(const std::string& id) {
  using State = RequestProgress::State;
  return Attempt("look for the answer to a request", [&]() -> RequestProgress {
    const ReadTransaction transaction(connection_);
    Query query(connection_, kProgress, id);
    if (!query.Next()) return {State::kGone};
    if (query.Bool(1)) return {State::kAnswered, query.Text(2)};
    if (query.Bool(0)) return {State::kWaits};
    return {query.Bool(3) ? State::kTaken : State::kLeft};
  });
}

Expected<bool> PostgresOutbox::Withdraw(const std::string& id) {
  return Written("withdraw a request", connection_, [&] {
    return RunCounting(connection_, "DELETE FROM requests WHERE id = ?1 AND epoch IS NULL", id) > 0;
  });
}

std::unique_ptr<RequestOutbox> OpenOutbox(const StoreLocation& location) {
  return std::make_unique<PostgresOutbox>(location.database);
}

}  // namespace bindery::store
