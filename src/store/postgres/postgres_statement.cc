#include "store/postgres/postgres_statement.h"

#include <libpq-fe.h>

#include <charconv>
#include <utility>

#include "store/postgres/postgres_ground.h"
#include "store/postgres/postgres_values.h"
#include "store/sql/engine_error.h"

namespace bindery::store {

void PostgresStatement::Prepare(PostgresLink& link, const PostgresSession& session) {
  if (session_ != session.number) {
    text_.sql = OnServer(sql_, session.server);
    text_.name = session.pooled ? "" : name_;
    link.Prepare(text_);
    session_ = session.number;
  }
  parameters_.values.resize(text_.types.size());
  parameters_.nulls.assign(text_.types.size(), true);
}

unsigned PostgresStatement::GetType(int index) const {
  return text_.types.at(static_cast<std::size_t>(index) - 1);
}

void PostgresStatement::Set(int index, std::string value) {
  const std::size_t at = static_cast<std::size_t>(index) - 1;
  parameters_.values.at(at) = std::move(value);
  parameters_.nulls.at(at) = false;
}

void PostgresStatement::BindInt(int index, std::int64_t value) {
  switch (GetType(index)) {
    case kIntType:
      return Set(index, IntBytes(static_cast<std::int32_t>(value)));
    case kBytesType:
      return Set(index, TaggedValue(ValueKind::kInt, BigintBytes(value)));
    default:
      return Set(index, BigintBytes(value));
  }
}

void PostgresStatement::BindText(int index, std::string_view value) {
  if (GetType(index) == kBytesType) return Set(index, TaggedValue(ValueKind::kText, value));
  Set(index, EscapedText(value));
}

void PostgresStatement::BindBlob(int index, std::string_view value) {
  Set(index, TaggedValue(ValueKind::kBlob, value));
}

void PostgresStatement::BindNull(int index) {
  parameters_.nulls.at(static_cast<std::size_t>(index) - 1) = true;
}

bool PostgresStatement::Step() {
  if (result_ == nullptr) {
    connection_.Settle();
    result_ = connection_.Execute(text_, parameters_);
    row_ = -1;
  }
  if (connection_.session_.ended != nullptr && *connection_.session_.ended) {
    throw EngineError(Code::kCancelled, EngineError::Cause::kOther, "reads have ended");
  }
  unescaped_.clear();
  return ++row_ < PQntuples(result_.get());
}

std::int64_t PostgresStatement::Changed() const {
  const std::string_view text = PQcmdTuples(result_.get());
  std::int64_t count = 0;
  std::from_chars(text.data(), text.data() + text.size(), count);
  return count;
}

void PostgresStatement::Defer() { connection_.Defer({&text_, std::move(parameters_)}); }

std::int64_t PostgresStatement::Insert() {
  const std::int64_t id = connection_.ids_.Next(*connection_.link_, table_);
  BindInt(id_parameter_, id);
  Defer();
  return id;
}

void PostgresStatement::Reset() {
  result_.reset();
  unescaped_.clear();
}

std::string_view PostgresStatement::Bytes(int column) const {
  return {PQgetvalue(result_.get(), row_, column),
          static_cast<std::size_t>(PQgetlength(result_.get(), row_, column))};
}

bool PostgresStatement::IsTagged(int column, char tag) const {
  return PQftype(result_.get(), column) == kBytesType && Bytes(column).starts_with(tag);
}

bool PostgresStatement::IsInt(int column) const {
  if (IsNull(column)) return false;
  const unsigned type = PQftype(result_.get(), column);
  if (type == kBytesType) return IsTagged(column, static_cast<char>(ValueKind::kInt));
  return type == kBigintType || type == kIntType || type == kBoolType;
}

bool PostgresStatement::IsBlob(int column) const {
  return IsTagged(column, static_cast<char>(ValueKind::kBlob));
}

bool PostgresStatement::IsNull(int column) const {
  return PQgetisnull(result_.get(), row_, column) == 1;
}

std::int64_t PostgresStatement::Int(int column) const {
  std::string_view bytes = Bytes(column);
  if (PQftype(result_.get(), column) == kBytesType && !bytes.empty()) bytes.remove_prefix(1);
  return IntOfBytes(bytes);
}

std::string_view PostgresStatement::View(int column) const {
  std::string_view bytes = Bytes(column);
  if (PQftype(result_.get(), column) == kBytesType) {
    if (!bytes.empty()) bytes.remove_prefix(1);
    return bytes;
  }
  if (!HasEscapes(bytes)) return bytes;
  return unescaped_.emplace_back(UnescapedText(bytes));
}

}  // namespace bindery::store
