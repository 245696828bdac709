#include "store/sql/connection.h"

#include "store/sql/digest_bytes.h"

namespace bindery::store {

ReadTransaction::ReadTransaction(Connection& connection) : connection_(connection) {
  // Behind a pooler there may be another database.
  if (connection.IsRemote()) connection.words().Forget();
  connection.words().Trim();
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

}  // namespace bindery::store
