#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/expected.h"

struct pg_conn;  // NOLINT(readability-identifier-naming): the library's spelling

namespace bindery::store {

/// The secret parts of a connection URL.
struct PostgresSecrets {
  std::vector<std::string> values;

  /// `message` without secrets.
  [[nodiscard]] std::string Masked(std::string message) const;
};

/// Reads a connection URI or string as libpq does. kInvalidArgument when it cannot, or when it
/// takes a part of a password that is not percent-encoded for something else; libpq's own message
/// would show it, and the one given here repeats nothing of the URL.
[[nodiscard]] Expected<PostgresSecrets> ReadPostgresUrl(const std::string& url);

/// What holds for a session under a key as "sslmode", wherever it was said; empty: nothing.
[[nodiscard]] std::string GetOption(pg_conn* connection, std::string_view key);

}  // namespace bindery::store
