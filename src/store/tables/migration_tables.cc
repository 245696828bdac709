#include "store/tables/migration_tables.h"

#include <algorithm>
#include <array>

namespace bindery::store {
namespace {

constexpr std::array kSharedTables = {
    SharedTable{"words", "id, text", 1, Numbering::kNeverAgain},
    SharedTable{"names", "id, name", 1, Numbering::kCounted},
    SharedTable{"target_keys", "id, name, kind, scope", 1, Numbering::kCounted},
    SharedTable{"policies", "id, digest, base, spent, body", 1, Numbering::kCounted},
    SharedTable{"resources",
                "id, api_version, kind, target_id, provider, role, accepted, spec, options, "
                "labels, annotations, digest, source_file, source_line, generation, "
                "observed_generation, state, reason, message, status_since, outputs, suspended, "
                "missing_scans, grants, untouched, age"},
    SharedTable{"targets",
                "target_id, provider, observed, present, ever_written, etag, policy_id, grants, "
                "undeclared"},
    SharedTable{"observations", "target_id, observed_at"},
    SharedTable{"revisions", "id, target_id, time, origin, etag, policy_id, actor", 1,
                Numbering::kNeverAgain},
    SharedTable{"drift",
                "id, target_id, class, resource, role, principal, condition, severity, state, "
                "desired, observed, first_seen, last_seen, resolved_after, resolved_by, "
                "read_before, cause, acceptance, rest",
                1, Numbering::kCounted},
    SharedTable{"events", "id, time, type, reason, resource, target, message, actor, severity", 1,
                Numbering::kNeverAgain},
    SharedTable{"intents",
                "id, target_id, started, etag_before, digest_before, digest_desired, actor, "
                "finished_after, outcome, removed_declared, removed_adopted, provider, conditional",
                1, Numbering::kNeverAgain},
    SharedTable{"holds", "digest, created, state, reason, purpose, items, actor"},
    SharedTable{"generations", "id, time, digest, files, manifests, problems, rules", 1,
                Numbering::kNeverAgain},
    SharedTable{"manifest_problems", "id, file, line, col, path, severity, code, message, resource",
                1, Numbering::kCounted},
    SharedTable{"files", "path, stamp, digest"},
    SharedTable{"webhooks", "name, first, cursor, delivered_at, failing_since, failure"},
    SharedTable{"audit_entries",
                "target, time, id, actor, impersonator, method, agent, source, detail, grants", 3},
    // A word of PostgreSQL's SQL.
    SharedTable{"audit_files", "path, inode, \"offset\", lines"},
    SharedTable{"rollbacks", "target_id, revision, actor, suspended"},
    SharedTable{"runs", "id, no, writes"},
    SharedTable{"directory_evidence", "id, look, settled, ground, question"},
    SharedTable{"unread_items", "path, fingerprint, ignored, since"},
    SharedTable{"inventories",
                "id, provider, scope, started, finished, step, token, pages, policies, containers, "
                "others, unread",
                1, Numbering::kCounted},
    SharedTable{"inventory_policies", "inventory, resource, type, kind, target, place, bindings",
                3},
    SharedTable{"inventory_containers", "inventory, name, number, parent, shown, state", 2},
    SharedTable{"hours",
                "hour, open_least, open_most, open_last, undeclared_least, undeclared_most, "
                "undeclared_last, found, writes, errors, calls"},
};

/// Maximum rows of a page, and the bytes after which a page ends.
constexpr const char* kPageRows = "512";
constexpr std::size_t kPageBytes = 8U << 20U;

/// "?1, ?2, …"
std::string ParameterList(std::size_t count) {
  std::string list;
  for (std::size_t i = 1; i <= count; ++i) list += (i == 1 ? "?" : ", ?") + std::to_string(i);
  return list;
}

/// The first columns of a list.
std::string TakeFirst(const std::string& columns, std::size_t count) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < count; ++i) end = columns.find(',', end + 1);
  return columns.substr(0, end);
}

StoredValue ValueIn(const Statement& row, int column) {
  using Kind = StoredValue::Kind;
  if (row.IsNull(column)) return {};
  if (row.IsInt(column)) return {Kind::kInt, row.Int(column), {}};
  return {row.IsBlob(column) ? Kind::kBlob : Kind::kText, 0, std::string(row.View(column))};
}

void BindValue(Statement& statement, int index, const StoredValue& value) {
  switch (value.kind) {
    case StoredValue::Kind::kNull:
      return statement.BindNull(index);
    case StoredValue::Kind::kInt:
      return statement.BindInt(index, value.number);
    case StoredValue::Kind::kText:
      return statement.BindText(index, value.bytes);
    case StoredValue::Kind::kBlob:
      return statement.BindBlob(index, value.bytes);
  }
}

/// Ends the execution of a statement, however that went.
class Execution {
 public:
  explicit Execution(Statement& statement) : statement_(statement) {}
  ~Execution() { statement_.Reset(); }
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

 private:
  Statement& statement_;
};

}  // namespace

std::span<const SharedTable> SharedTables() { return kSharedTables; }

TableStatements::TableStatements(const SharedTable& table) : key_columns(table.key_columns) {
  const std::string list = table.columns;
  const std::string name = table.name;
  columns = static_cast<std::size_t>(std::ranges::count(list, ',')) + 1;
  const std::string key = TakeFirst(list, key_columns);
  const std::string select = "SELECT " + list + " FROM " + name;
  const std::string order = " ORDER BY " + key + " LIMIT " + kPageRows;
  first_page = select + order;
  next_page = select + " WHERE (" + key + ") > (" + ParameterList(key_columns) + ")" + order;
  insert = "INSERT INTO " + name + " (" + list + ") VALUES (" + ParameterList(columns) + ")";
  clear = "DELETE FROM " + name;
}

const StoredRow* RowReader::Next() {
  if (at_ == page_.size() && !ended_) ReadPage();
  return at_ == page_.size() ? nullptr : &page_[at_++];
}

void RowReader::ReadPage() {
  const StoredRow last = page_.empty() ? StoredRow{} : std::move(page_.back());
  page_.clear();
  at_ = 0;
  Statement& statement =
      connection_.Prepared((begun_ ? statements_.next_page : statements_.first_page).c_str());
  const Execution execution(statement);
  for (std::size_t i = 0; begun_ && i < statements_.key_columns; ++i) {
    BindValue(statement, static_cast<int>(i) + 1, last[i]);
  }
  begun_ = true;
  for (std::size_t bytes = 0; bytes < kPageBytes && statement.Step();) {
    StoredRow row;
    row.reserve(statements_.columns);
    for (std::size_t i = 0; i < statements_.columns; ++i) {
      row.push_back(ValueIn(statement, static_cast<int>(i)));
      bytes += row.back().bytes.size();
    }
    page_.push_back(std::move(row));
  }
  ended_ = page_.empty();
}

void InsertRow(Connection& connection, const TableStatements& statements, const StoredRow& row) {
  Statement& statement = connection.Prepared(statements.insert.c_str());
  const Execution execution(statement);
  for (std::size_t i = 0; i < row.size(); ++i) {
    BindValue(statement, static_cast<int>(i) + 1, row[i]);
  }
  statement.Defer();
}

}  // namespace bindery::store
