#pragma once

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace bindery::testing {

/// A program of PostgreSQL by its whole path: of the version that BINDERY_TEST_POSTGRES names (the
/// folder of its programs), else of Debian's.
[[nodiscard]] inline std::string PostgresProgram(const std::string& name) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): no test sets a variable of this name
  const char* folder = std::getenv("BINDERY_TEST_POSTGRES");
  return std::string(folder == nullptr ? "/usr/lib/postgresql/15/bin" : folder) + "/" + name;
}

// PostgreSQL and its pooler refuse to run as root: the package of the server makes this user.
inline constexpr const char* kPostgresUser = "postgres";

/// False for root where there is no such user.
[[nodiscard]] inline bool CanRunPostgres() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): before there are threads
  return ::geteuid() != 0 || ::getpwnam(kPostgresUser) != nullptr;
}

/// In a child between fork() and exec().
inline void BecomePostgresUser() {
  if (::geteuid() != 0) return;
  const ::passwd* user = ::getpwnam(kPostgresUser);  // NOLINT(concurrency-mt-unsafe): one thread
  if (user == nullptr || ::initgroups(kPostgresUser, user->pw_gid) != 0 ||
      ::setgid(user->pw_gid) != 0 || ::setuid(user->pw_uid) != 0) {
    ::_exit(126);
  }
}

/// A new folder of that user, whose sockets anybody may use.
[[nodiscard]] inline std::string MakePostgresFolder() {
  // Not below TMPDIR: the path of a socket ends at 107 bytes.
  std::string path = "/tmp/bindery-pg-XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  if (::geteuid() == 0) {
    const ::passwd* user = ::getpwnam(kPostgresUser);  // NOLINT(concurrency-mt-unsafe): likewise
    if (user == nullptr || ::chown(path.c_str(), user->pw_uid, user->pw_gid) != 0) {
      throw std::runtime_error("no user for the server");
    }
  }
  ::chmod(path.c_str(), 0755);
  return path;
}

}  // namespace bindery::testing
