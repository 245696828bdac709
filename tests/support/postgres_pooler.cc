#include "support/postgres_pooler.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

#include "support/postgres_user.h"

namespace bindery::testing {
namespace {

constexpr const char* kPgbouncer = "/usr/sbin/pgbouncer";
constexpr std::chrono::seconds kStartPatience(60);
constexpr std::chrono::milliseconds kStartPause(5);

}  // namespace

bool PostgresPooler::Installed() {
  return ::access(kPgbouncer, X_OK) == 0 && CanRunPostgres() && PostgresServer::Installed();
}

PostgresPooler::PostgresPooler(const PostgresServer& server) : dir_(MakePostgresFolder()) {
  const std::string config = dir_ + "/pgbouncer.ini";
  // A server that was away is tried again at once, and connections that nobody uses end soon, as
  // each database of a test has its own.
  std::ofstream(config)
      << "[databases]\n* = host=" << server.Folder()
      << "\n[pgbouncer]\nlisten_port = 5432\nunix_socket_dir = " << dir_
      << "\nauth_type = trust\nauth_file = " << dir_
      << "/users\nauth_user = bindery\npool_mode = transaction\ndefault_pool_size = 3\n"
         "server_login_retry = 0.1\nquery_wait_timeout = 5\nserver_idle_timeout = 1\n";
  std::ofstream(dir_ + "/users") << "\"bindery\" \"\"\n";
  const std::string log = dir_ + "/log";
  process_ = ::fork();
  if (process_ == 0) {
    const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    ::dup2(file, STDOUT_FILENO);
    ::dup2(file, STDERR_FILENO);
    BecomePostgresUser();
    // Whatever becomes of the test, no pooler stays behind.
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::chdir("/") == 0) ::execl(kPgbouncer, kPgbouncer, config.c_str(), nullptr);
    ::_exit(127);
  }
  const auto deadline = std::chrono::steady_clock::now() + kStartPatience;
  while (!Accepts()) {
    if (::waitpid(process_, nullptr, WNOHANG) != 0 || std::chrono::steady_clock::now() > deadline) {
      throw std::runtime_error("pgbouncer did not start: " + Log());
    }
    std::this_thread::sleep_for(kStartPause);
  }
}

PostgresPooler::~PostgresPooler() {
  // Clients and transactions are not waited for.
  ::kill(process_, SIGTERM);
  ::waitpid(process_, nullptr, 0);
  std::error_code ignored;
  std::filesystem::remove_all(dir_, ignored);
}

std::string PostgresPooler::MakeUrl(const std::string& database, const std::string& user) const {
  return "postgresql://" + user + "@/" + database + "?host=" + dir_;
}

bool PostgresPooler::Accepts() const {
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ::sockaddr_un address{};
  address.sun_family = AF_UNIX;
  Socket().copy(address.sun_path, sizeof(address.sun_path) - 1);
  const bool connected =
      ::connect(socket, reinterpret_cast<const ::sockaddr*>(&address), sizeof(address)) == 0;
  ::close(socket);
  return connected;
}

std::string PostgresPooler::Log() const {
  std::ifstream in(dir_ + "/log");
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace bindery::testing
