#pragma once

#include <sys/types.h>

#include <string>

#include "support/postgres_server.h"

namespace bindery::testing {

/// Debian's pgbouncer in transaction mode before a server, with few enough server connections that
/// clients share them; run as the server is.
class PostgresPooler {
 public:
  /// False where the program is not installed: a test then skips itself.
  [[nodiscard]] static bool Installed();

  /// Starts it and waits until it listens. Throws with its log when it does not.
  explicit PostgresPooler(const PostgresServer& server);
  ~PostgresPooler();
  PostgresPooler(const PostgresPooler&) = delete;
  PostgresPooler& operator=(const PostgresPooler&) = delete;

  /// The URL of a database that the server has.
  [[nodiscard]] std::string MakeUrl(const std::string& database,
                                    const std::string& user = "bindery") const;

  /// The path of its socket.
  [[nodiscard]] std::string Socket() const { return dir_ + "/.s.PGSQL.5432"; }

 private:
  [[nodiscard]] bool Accepts() const;
  [[nodiscard]] std::string Log() const;

  const std::string dir_;
  ::pid_t process_ = 0;
};

}  // namespace bindery::testing
