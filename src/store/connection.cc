#include "store/connection.h"

#include <array>

#include "store/digest_bytes.h"

namespace bindery::store {

std::int64_t ToMillis(WallTime time) {
  return std::chrono::floor<std::chrono::milliseconds>(time).time_since_epoch().count();
}

WallTime FromMillis(std::int64_t millis) { return WallTime(std::chrono::milliseconds(millis)); }

ReadTransaction::ReadTransaction(Connection& connection) : connection_(connection) {
  connection.BeginRead();
}

// Nothing was written, nothing can be lost.
ReadTransaction::~ReadTransaction() { connection_.Rollback(); }

std::int64_t Query::Run() {
  while (statement_.Step()) {
  }
  return statement_.Changed();
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

void Query::Bind(int index, const DigestOf& value) {
  std::array<char, kDigestBytes> bytes{};
  if (BytesOfDigest(value.text, bytes)) {
    statement_.BindCopy(index, {bytes.data(), bytes.size()});
  } else {
    statement_.BindText(index, value.text);
  }
}

void Query::Bind(int index, const IdOrDigest& value) {
  if (value.id != 0) {
    statement_.BindInt(index, value.id);
  } else {
    Bind(index, DigestOf{value.digest});
  }
}

void Query::Bind(int index, const WordOrText& value) {
  if (value.word != 0) {
    statement_.BindInt(index, value.word);
  } else {
    statement_.BindText(index, value.text);
  }
}

void Query::Bind(int index, const TextOrBlob& value) {
  if (value.blob) {
    statement_.BindBlob(index, value.text);
  } else {
    statement_.BindText(index, value.text);
  }
}

void Query::Bind(int index, const std::optional<std::int64_t>& value) {
  if (value) {
    statement_.BindInt(index, *value);
  } else {
    statement_.BindNull(index);
  }
}

}  // namespace bindery::store
