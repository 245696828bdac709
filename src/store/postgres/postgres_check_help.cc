#include "store/postgres/postgres_check_help.h"

#include <libpq-fe.h>

#include <utility>

#include "core/text/random_id.h"
#include "store/sql/engine_error.h"

namespace bindery::store {
namespace {

/// The longest wait for one answer of the database: checks that come later are of no use.
constexpr std::chrono::milliseconds kPatience(2'000);

constexpr const char* kMake =
    "CREATE UNLOGGED TABLE IF NOT EXISTS helpers ("
    "id TEXT COLLATE \"C\" NOT NULL PRIMARY KEY, seen TIMESTAMPTZ NOT NULL DEFAULT now()); "
    "CREATE UNLOGGED TABLE IF NOT EXISTS check_batches ("
    "id TEXT COLLATE \"C\" NOT NULL PRIMARY KEY, asker TEXT COLLATE \"C\" NOT NULL, helper TEXT "
    "COLLATE \"C\" NOT NULL, "
    "placed TIMESTAMPTZ NOT NULL DEFAULT now(), taken BOOLEAN NOT NULL DEFAULT FALSE, "
    "checks TEXT COLLATE \"C\" NOT NULL, answer TEXT COLLATE \"C\")";

constexpr const char* kHelpers =
    "SELECT id, greatest(0, floor(extract(epoch FROM clock_timestamp() - seen) * 1000))::bigint"
    "::text FROM helpers WHERE seen > now() - interval '1 minute' ORDER BY id";

constexpr const char* kCollect =
    "DELETE FROM check_batches WHERE (asker = $1 AND answer IS NOT NULL) "
    "OR placed < now() - interval '1 minute' RETURNING id, coalesce(answer, '')";

std::string TextAt(const PostgresResult& result, int row, int column) {
  return {PQgetvalue(result.get(), row, column),
          static_cast<std::size_t>(PQgetlength(result.get(), row, column))};
}

}  // namespace

Expected<std::vector<HelperRecord>> PostgresCheckBatches::Helpers() {
  auto found = Attempt("look for helpers", [this] {
    if (!made_) link_.Run(kMake);
    made_ = true;
    const PostgresResult rows = link_.Run(kHelpers);
    std::vector<HelperRecord> helpers;
    for (int row = 0; row < PQntuples(rows.get()); ++row) {
      helpers.push_back(
          {TextAt(rows, row, 0), std::chrono::milliseconds(std::stoll(TextAt(rows, row, 1)))});
    }
    return helpers;
  });
  // Somebody may have dropped the tables.
  if (!found) made_ = false;
  return found;
}

Expected<void> PostgresCheckBatches::Place(const std::vector<CheckBatchRecord>& batches) {
  return Attempt("ask helpers", [&]() -> Expected<void> {
    for (const CheckBatchRecord& batch : batches) {
      link_.Run("INSERT INTO check_batches (id, asker, helper, checks) VALUES ($1, $2, $3, $4)",
                {batch.id, id_, batch.helper, batch.text});
    }
    return {};
  });
}

Expected<std::vector<CheckBatchAnswer>> PostgresCheckBatches::Collect() {
  return Attempt("collect answers of helpers", [this] {
    const PostgresResult found = link_.Run(kCollect, {id_});
    std::vector<CheckBatchAnswer> answers;
    for (int row = 0; row < PQntuples(found.get()); ++row) {
      answers.push_back({TextAt(found, row, 0), TextAt(found, row, 1)});
    }
    return answers;
  });
}

PostgresCheckBatches::PostgresCheckBatches(std::string url)
    : id_(RandomId()), link_(std::move(url), kPatience) {}

PostgresCheckHelp::PostgresCheckHelp(std::string url)
    : id_(RandomId()), link_(std::move(url), kPatience) {}

Expected<void> PostgresCheckHelp::Offer() {
  return Attempt("offer help", [this]() -> Expected<void> {
    link_.Run("INSERT INTO helpers (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET seen = now()",
              {id_});
    return {};
  });
}

Expected<std::vector<CheckBatchRecord>> PostgresCheckHelp::Take() {
  return Attempt("look for checks", [this] {
    const PostgresResult found = link_.Run(
        "UPDATE check_batches SET taken = TRUE WHERE helper = $1 AND NOT taken "
        "RETURNING id, checks",
        {id_});
    std::vector<CheckBatchRecord> batches;
    for (int row = 0; row < PQntuples(found.get()); ++row) {
      batches.push_back({TextAt(found, row, 0), id_, TextAt(found, row, 1)});
    }
    return batches;
  });
}

Expected<void> PostgresCheckHelp::Answer(const CheckBatchAnswer& answer) {
  return Attempt("answer checks", [&]() -> Expected<void> {
    link_.Run("UPDATE check_batches SET answer = $2 WHERE id = $1", {answer.id, answer.text});
    return {};
  });
}

void PostgresCheckHelp::Leave() {
  // A helper that does not leave gets no more batches after some seconds.
  static_cast<void>(Attempt("end to help", [this]() -> Expected<void> {
    link_.Run("DELETE FROM helpers WHERE id = $1", {id_});
    return {};
  }));
}

std::unique_ptr<CheckHelp> OpenCheckHelp(const StoreLocation& location) {
  return std::make_unique<PostgresCheckHelp>(location.database);
}

}  // namespace bindery::store
