#include "store/connection.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include <array>
#include <utility>

#include "store/digest_bytes.h"

namespace bindery::store {

std::int64_t ToMillis(WallTime time) {
  return std::chrono::floor<std::chrono::milliseconds>(time).time_since_epoch().count();
}

WallTime FromMillis(std::int64_t millis) { return WallTime(std::chrono::milliseconds(millis)); }

void Connection::Finalizer::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

Connection::Connection(std::unique_ptr<SQLite::Database> database)
    : database_(std::move(database)) {}

Connection::~Connection() = default;

sqlite3_stmt* Connection::Prepared(const char* sql) {
  auto& kept = statements_[sql];
  if (kept == nullptr) {
    sqlite3_stmt* statement = nullptr;
    const int result = sqlite3_prepare_v3(database_->getHandle(), sql, -1,
                                          SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    kept.reset(statement);
    if (result != SQLITE_OK) throw SQLite::Exception(database_->getHandle(), result);
  }
  return kept.get();
}

bool Connection::InTransaction() const {
  return sqlite3_get_autocommit(database_->getHandle()) == 0;
}

void Connection::ForgetIds() { caches_ = {}; }

ReadTransaction::ReadTransaction(Connection& connection) : connection_(connection) {
  Run(connection, "BEGIN");
}

ReadTransaction::~ReadTransaction() {
  if (!connection_.InTransaction()) return;
  // Nothing was written, nothing can be lost; and a destructor must not throw.
  sqlite3_exec(connection_.database().getHandle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

Query::~Query() {
  // The result only repeats the failure of the execution before, which was thrown already.
  sqlite3_reset(statement_);
}

bool Query::Next() {
  const int result = sqlite3_step(statement_);
  if (result == SQLITE_ROW) return true;
  if (result == SQLITE_DONE) return false;
  throw SQLite::Exception(connection_.database().getHandle(), result);
}

std::int64_t Query::Run() {
  while (Next()) {
  }
  return sqlite3_changes64(connection_.database().getHandle());
}

bool Query::IsInt(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_INTEGER;
}

bool Query::IsBlob(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_BLOB;
}

bool Query::IsNull(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

std::int64_t Query::Int(int column) const { return sqlite3_column_int64(statement_, column); }

std::string_view Query::View(int column) const {
  const void* bytes = sqlite3_column_blob(statement_, column);
  if (bytes == nullptr) return {};
  return {static_cast<const char*>(bytes),
          static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

std::string Query::Digest(int column) const {
  std::string digest;
  Digest(column, digest);
  return digest;
}

void Query::Digest(int column, std::string& digest) const {
  if (IsBlob(column)) {
    HexOfDigest(View(column), digest);
  } else {
    digest = View(column);
  }
}

void Query::Bind(int index, std::int64_t value) { sqlite3_bind_int64(statement_, index, value); }

void Query::Bind(int index, std::string_view value) {
  // A null pointer would be bound as NULL.
  const char* text = value.data() == nullptr ? "" : value.data();
  if (sqlite3_bind_text64(statement_, index, text, value.size(), SQLITE_STATIC, SQLITE_UTF8) !=
      SQLITE_OK) {
    throw SQLite::Exception(connection_.database().getHandle());
  }
}

void Query::Bind(int index, const DigestOf& value) {
  std::array<char, kDigestBytes> bytes{};
  if (BytesOfDigest(value.text, bytes)) {
    sqlite3_bind_blob(statement_, index, bytes.data(), kDigestBytes, SQLITE_TRANSIENT);
  } else {
    Bind(index, std::string_view(value.text));
  }
}

void Query::Bind(int index, const BlobOf& value) {
  const char* bytes = value.bytes.data() == nullptr ? "" : value.bytes.data();
  sqlite3_bind_blob64(statement_, index, bytes, value.bytes.size(), SQLITE_STATIC);
}

void Query::Bind(int index, const WordOrText& value) {
  if (value.word != 0) {
    Bind(index, value.word);
  } else {
    Bind(index, value.text);
  }
}

void Query::Bind(int index, const TextOrBlob& value) {
  if (value.blob) {
    Bind(index, BlobOf{value.text});
  } else {
    Bind(index, value.text);
  }
}

void Query::Bind(int index, const std::optional<std::int64_t>& value) {
  if (value) {
    Bind(index, *value);
  } else {
    sqlite3_bind_null(statement_, index);
  }
}

std::int64_t LastId(Connection& connection) { return connection.database().getLastInsertRowid(); }

}  // namespace bindery::store
