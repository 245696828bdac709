#include <string_view>
#include <utility>

#include "store/migration/migration_ends.h"
#include "store/postgres/postgres_connection.h"
#include "store/postgres/postgres_link.h"
#include "store/postgres/postgres_opening.h"
#include "store/sql/engine_error.h"

namespace bindery::store {
namespace {

/// A version below zero is that of half of a copy: see postgres_opening.h.
constexpr const char* kTurnVersion = "UPDATE bindery_schema SET version = -version";

constexpr std::string_view kRuns = "runs";

/// Tables with a mark until all rows are copied.
class DatabaseTarget final : public MigrationTarget {
 public:
  DatabaseTarget(const std::string& url, std::unique_ptr<Lease> lease)
      : shown_(RedactedUrl(url)), lease_(std::move(lease)), connection_(url, lease_->fence()) {}

  Expected<void> Begin(const std::string& source, bool marked);

  [[nodiscard]] Connection& connection() override { return connection_; }
  [[nodiscard]] bool resumed() const override { return resumed_; }
  void CountOnAfter(const SharedTable& table, std::int64_t number) override;
  [[nodiscard]] Expected<void> Finish() override;

 private:
  [[nodiscard]] bool HasContent();

  const std::string shown_;
  const std::unique_ptr<Lease> lease_;
  bool resumed_ = false;
  PostgresConnection connection_;
};

bool DatabaseTarget::HasContent() {
  // Outlives the connection, because the connection keeps the address.
  static const std::string kAnyRow = [] {
    std::string sql;
    for (const SharedTable& table : SharedTables()) {
      // A daemon that only began in the database left nothing to keep.
      if (table.name == kRuns) continue;
      sql += (sql.empty() ? "SELECT EXISTS (SELECT 1 FROM " : " OR EXISTS (SELECT 1 FROM ");
      sql += std::string(table.name) + ")";
    }
    return sql;
  }();
  Query query(connection_, kAnyRow.c_str());
  return query.Next() && query.Bool(0);
}

Expected<void> DatabaseTarget::Begin(const std::string& source, bool marked) {
  auto begun = Attempt("begin the copy", [&]() -> Expected<void> {
    connection_.BeginWrite();
    if (marked) {
      const std::string before = ReadMigrationMark(connection_);
      if (before != source) {
        return Fail(OtherSource("the database " + shown_, before, "drop its tables"));
      }
    } else {
      if (HasContent()) {
        return Fail(Code::kAlreadyExists, "the database " + shown_ +
                                              " holds a store, which is not overwritten: name "
                                              "another database or schema");
      }
      Run(connection_, "DELETE FROM runs");
      WriteMigrationMark(connection_, source);
      Run(connection_, kTurnVersion);
    }
    connection_.Commit();
    return {};
  });
  if (!begun) connection_.Rollback();
  resumed_ = marked;
  return begun;
}

void DatabaseTarget::CountOnAfter(const SharedTable& table, std::int64_t number) {
  if (table.numbering == Numbering::kNone || number == 0) return;
  const std::string sequence = std::string(table.name) + "_id_seq";
  Query query(connection_, "SELECT setval(CAST(?1 AS TEXT)::regclass, ?2)",
              std::string_view(sequence), number);
  static_cast<void>(query.Next());
}

Expected<void> DatabaseTarget::Finish() {
  return Attempt("finish the copy", [&] {
    connection_.BeginWrite();
    RemoveMigrationMark(connection_);
    Run(connection_, kTurnVersion);
    connection_.Commit();
  });
}

}  // namespace

Expected<std::unique_ptr<MigrationTarget>> OpenDatabaseTarget(const std::string& url,
                                                              const std::string& source,
                                                              const StoreSharing& sharing) {
  auto lease = Lease::Take(url, sharing);
  if (!lease) return Fail(lease.error().Wrap("cannot migrate into the database"));
  auto link = PostgresLink::Connect(url);
  if (!link) return Fail(link.error());
  const auto marked = IsHalfCopied(**link);
  if (!marked) return Fail(marked.error());
  auto target = std::make_unique<DatabaseTarget>(url, std::move(*lease));
  if (auto begun = target->Begin(source, *marked); !begun) return Fail(begun.error());
  return target;
}

}  // namespace bindery::store
