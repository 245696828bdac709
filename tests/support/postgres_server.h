#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace bindery::testing {

/// PostgreSQL, of Debian unless another version is named (PostgresProgram), run as the current user
/// or, where that is root, as the user `postgres`, with all its files in a directory of its own,
/// reached over a UNIX socket there; stopped with the object.
class PostgresServer {
 public:
  /// False where the programs are not installed: a test then skips itself.
  [[nodiscard]] static bool Installed();

  /// Makes a cluster, starts it and waits until it answers. Throws with its log when it does not.
  explicit PostgresServer(const std::vector<std::string>& settings = {});
  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  /// The URL of a new database, or of one that was named before.
  [[nodiscard]] std::string MakeUrl(const std::string& database);

  /// The folder of its socket.
  [[nodiscard]] const std::string& Folder() const { return dir_; }
  /// The path of its socket.
  [[nodiscard]] std::string Socket() const { return dir_ + "/.s.PGSQL.5432"; }

  /// What `psql` prints for a statement in that database, unaligned and without headers.
  [[nodiscard]] std::string Ask(const std::string& database, const std::string& sql) const;

  void Start();
  void Stop();        ///< Open sessions are ended, everything is on disk.
  void StopAtOnce();  ///< As after a power failure.
  /// Starts a stopped one as a standby, which takes no writes.
  void StartAsStandby();
  /// Makes a primary of it.
  void Promote() const { static_cast<void>(Ask("postgres", "SELECT pg_promote()")); }

 private:
  [[nodiscard]] std::string Run(const std::vector<std::string>& arguments, bool checked) const;
  void Control(const std::vector<std::string>& arguments) const;

  const std::string dir_;
  std::vector<std::string> databases_;
};

}  // namespace bindery::testing
