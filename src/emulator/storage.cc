#include "emulator/storage.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include "core/base/json_text.h"
#include "sqlite/database.h"

namespace bindery::emulator {
namespace {

constexpr sqlite::Schema kSchema = {
    1,
    "CREATE TABLE entries (position INTEGER PRIMARY KEY, section TEXT NOT NULL, key TEXT NOT NULL,"
    " value TEXT NOT NULL, UNIQUE (section, key)) STRICT;"};

constexpr const char* kPut =
    "INSERT INTO entries (section, key, value) VALUES (?, ?, ?)"
    " ON CONFLICT (section, key) DO UPDATE SET value = excluded.value";
constexpr const char* kInsert =
    "INSERT INTO entries (section, key, value) VALUES (?, ?, ?)"
    " ON CONFLICT (section, key) DO NOTHING";

void Run(SQLite::Statement& statement, const Entry& entry) {
  const std::string value = CompactJson(entry.value);
  statement.reset();
  statement.bind(1, entry.section);
  statement.bind(2, entry.key);
  statement.bind(3, value);
  statement.exec();
}

}  // namespace

struct Storage::Statements {
  explicit Statements(const SQLite::Database& database)
      : put(database, kPut), insert(database, kInsert) {}
  SQLite::Statement put;
  SQLite::Statement insert;
};

Storage::Storage(std::unique_ptr<SQLite::Database> database)
    : database_(std::move(database)), statements_(std::make_unique<Statements>(*database_)) {}

Storage::~Storage() = default;

Expected<std::unique_ptr<Storage>> Storage::Open(const std::string& path) {
  sqlite::OpenOptions options;
  options.durability = sqlite::Durability::kNormal;
  auto database = sqlite::OpenDatabase(path, options);
  if (!database) return Fail(database.error());
  if (auto made = sqlite::MakeTables(**database, kSchema); !made) return Fail(made.error());
  return sqlite::Attempt("prepare the embedded cloud's store", [&] {
    return std::unique_ptr<Storage>(new Storage(std::move(*database)));
  });
}

Expected<std::vector<Entry>> Storage::Load() {
  return sqlite::Attempt("read the embedded cloud's store", [&]() -> Expected<std::vector<Entry>> {
    std::vector<Entry> entries;
    SQLite::Statement query(*database_,
                            "SELECT section, key, value FROM entries ORDER BY position");
    while (query.executeStep()) {
      auto value = ParseJson(query.getColumn(2).getString());
      if (!value) return Fail(value.error().Wrap("read the embedded cloud's store"));
      entries.push_back(
          {query.getColumn(0).getString(), query.getColumn(1).getString(), std::move(*value)});
    }
    return entries;
  });
}

Expected<void> Storage::Insert(const std::vector<Entry>& entries) {
  return sqlite::Attempt("seed the embedded cloud's store", [&] {
    SQLite::Transaction transaction(*database_, SQLite::TransactionBehavior::IMMEDIATE);
    for (const Entry& entry : entries) Run(statements_->insert, entry);
    transaction.commit();
  });
}

Expected<void> Storage::Replace(const std::vector<Entry>& entries) {
  return sqlite::Attempt("replace the embedded cloud's store", [&] {
    SQLite::Transaction transaction(*database_, SQLite::TransactionBehavior::IMMEDIATE);
    database_->exec("DELETE FROM entries");
    for (const Entry& entry : entries) Run(statements_->insert, entry);
    transaction.commit();
  });
}

Expected<void> Storage::Put(const Entry& entry) {
  return sqlite::Attempt("write the embedded cloud's store", [&] { Run(statements_->put, entry); });
}

}  // namespace bindery::emulator
