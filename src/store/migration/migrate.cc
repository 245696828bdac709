#include "store/migration/migrate.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "core/text/count.h"
#include "store/migration/migration_digest.h"
#include "store/migration/migration_ends.h"
#include "store/sql/engine_error.h"
#include "store/tables/migration_tables.h"

namespace bindery::store {
namespace {

/// Rows of a transaction.
constexpr std::size_t kBatchRows = 2048;
constexpr std::size_t kBatchBytes = 8U << 20U;

/// The copy of one table.
class TableCopy {
 public:
  TableCopy(Connection& from, MigrationTarget& to, const SharedTable& table,
            const TableStatements& statements)
      : from_(from), to_(to), table_(table), statements_(statements) {}

  Expected<void> Run(const MayGoOn& may_go_on) {
    auto reader = std::make_unique<RowReader>(from_, statements_);
    if (to_.resumed() && !Skip(*reader)) {
      Clear();
      read_ = {};
      reader = std::make_unique<RowReader>(from_, statements_);
    }
    while (CopyBatch(*reader)) {
      if (may_go_on && !may_go_on()) {
        return Fail(Code::kCancelled,
                    "stopped; the same command goes on where the copied rows end");
      }
    }
    return {};
  }

  void CountOn() {
    std::int64_t last = last_key_;
    if (table_.numbering != Numbering::kNone) {
      last = std::max(last, from_.LastGiven(table_.name));
    }
    to_.CountOnAfter(table_, last);
  }

  Expected<void> Compare() {
    const ReadTransaction one_state(to_.connection());
    const TableDigest copied = DigestOfTable(to_.connection(), statements_);
    if (copied == read_) return {};
    return Fail(Code::kInternal, std::string("the table ") + table_.name +
                                     " is not the same in the copy: " + Count(read_.rows(), "row") +
                                     " read and " + std::to_string(copied.rows()) +
                                     " are there; the same command copies the table again");
  }

  [[nodiscard]] MigratedTable Result() const { return {table_.name, read_.rows()}; }

 private:
  /// Goes over the rows copied before; false when they are not the first ones any more.
  bool Skip(RowReader& reader) {
    TableDigest copied;
    {
      const ReadTransaction one_state(to_.connection());
      copied = DigestOfTable(to_.connection(), statements_);
    }
    while (read_.rows() < copied.rows()) {
      const StoredRow* row = reader.Next();
      if (row == nullptr) return false;
      Note(*row);
    }
    return read_ == copied;
  }

  void Clear() {
    to_.connection().BeginWrite();
    store::Run(to_.connection(), statements_.clear.c_str());
    to_.connection().Commit();
    last_key_ = 0;
  }

  /// Rows are read before the transaction begins, in which the database waits for nobody. False at
  /// the end.
  bool CopyBatch(RowReader& reader) {
    std::vector<StoredRow> batch;
    for (std::size_t bytes = 0; batch.size() < kBatchRows && bytes < kBatchBytes;) {
      const StoredRow* row = reader.Next();
      if (row == nullptr) break;
      Note(*row);
      for (const StoredValue& value : *row) bytes += value.bytes.size();
      batch.push_back(*row);
    }
    if (batch.empty()) return false;
    to_.connection().BeginWrite();
    for (const StoredRow& row : batch) InsertRow(to_.connection(), statements_, row);
    to_.connection().Commit();
    return true;
  }

  void Note(const StoredRow& row) {
    read_.Add(row);
    last_key_ = row.front().number;
  }

  Connection& from_;
  MigrationTarget& to_;
  const SharedTable& table_;
  const TableStatements& statements_;
  TableDigest read_;
  std::int64_t last_key_ = 0;
};

/// `from` as one state from the first row to the last.
Expected<StoreMigration> CopyAndCompare(Connection& from, MigrationTarget& to,
                                        const std::vector<TableStatements>& statements,
                                        const MayGoOn& may_go_on) {
  const ReadTransaction one_state(from);
  StoreMigration migration;
  migration.resumed = to.resumed();
  std::vector<TableCopy> copies;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const SharedTable& table = SharedTables()[i];
    copies.emplace_back(from, to, table, statements[i]);
    auto copied = store::Attempt(std::string("copy the table ") + table.name,
                                 [&] { return copies.back().Run(may_go_on); });
    if (!copied) return Fail(copied.error());
  }
  to.connection().BeginWrite();
  for (TableCopy& copy : copies) copy.CountOn();
  to.connection().Commit();
  for (TableCopy& copy : copies) {
    if (auto same = copy.Compare(); !same) return Fail(same.error());
    migration.tables.push_back(copy.Result());
    migration.rows += migration.tables.back().rows;
  }
  return migration;
}

Expected<void> CheckEnds(const StoreLocation& from, const StoreLocation& to) {
  if (from.InDatabase() != to.InDatabase()) return {};
  return Fail(Code::kInvalidArgument,
              from.InDatabase()
                  ? "both stores are in PostgreSQL: copy the database with pg_dump and pg_restore"
                  : "both stores are files: use bindery store backup and bindery store restore");
}

/// The name by which an interrupted migration recognises its source.
std::string GetName(const StoreLocation& from) {
  if (from.InDatabase()) return from.Url();
  std::error_code ignored;
  return StoreLocation(std::filesystem::weakly_canonical(from.file, ignored)).Url();
}

}  // namespace

Expected<StoreMigration> MigrateStore(const StoreLocation& from, const StoreLocation& to,
                                      const StoreSharing& sharing, const MayGoOn& may_go_on) {
  if (auto ends = CheckEnds(from, to); !ends) return Fail(ends.error());
  std::vector<TableStatements> statements;
  for (const SharedTable& table : SharedTables()) statements.emplace_back(table);
  auto source = MigrationSource::Open(from, sharing);
  if (!source) return Fail(source.error());
  auto target = MigrationTarget::Open(to, GetName(from), sharing);
  if (!target) return Fail(target.error());
  auto migration = store::Attempt("migrate the store", [&] {
    return CopyAndCompare(source->connection(), **target, statements, may_go_on);
  });
  if (!migration) {
    (*target)->connection().Rollback();
    return migration;
  }
  if (auto held = source->StillHeld(); !held) return Fail(held.error());
  if (auto finished = (*target)->Finish(); !finished) return Fail(finished.error());
  return migration;
}

}  // namespace bindery::store
