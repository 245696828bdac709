#pragma once

#include <chrono>
#include <string>

#include "core/base/expected.h"
#include "store/postgres/link_protection.h"

namespace bindery::store {

/// What a PostgreSQL database is like as the place of a store.
struct DatabaseFacts {
  int version = 0;           ///< As 150018 of 15.18.
  std::string version_text;  ///< As the server says it.
  std::string encoding;      ///< Of the database: "UTF8".
  /// The pooler before the database, with its version if known: "pgpool-II 4.3.5 (tamahomeboshi)",
  /// "a pooler like pgbouncer". Empty: no pooler was found.
  std::string pooler;
  bool balances_reads = false;  ///< The pooler may give reads to standbys.
  LinkProtection protection = LinkProtection::kLocal;
  std::string missing_right;  ///< That a daemon needs and the user lacks, in words; empty: none.
  std::chrono::milliseconds clock_ahead{0};  ///< Of this machine's clock; negative: behind.
  bool commits_are_durable = true;           ///< Not with synchronous_commit = off.
  int standbys = 0;                          ///< Connected to the server.
  bool standby_confirms = false;             ///< A commit waits for one of them.
};

/// Asks the database; changes nothing. Errors as those of connecting: kUnavailable,
/// kPermissionDenied, kNotFound (no such database), kInvalidArgument.
[[nodiscard]] Expected<DatabaseFacts> LookAtDatabase(const std::string& url);

}  // namespace bindery::store
