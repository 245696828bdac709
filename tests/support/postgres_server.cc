#include "support/postgres_server.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "support/postgres_user.h"

namespace bindery::testing {

bool PostgresServer::Installed() {
  return ::access(PostgresProgram("initdb").c_str(), X_OK) == 0 && CanRunPostgres();
}

PostgresServer::PostgresServer(const std::vector<std::string>& settings)
    : dir_(MakePostgresFolder()) {
  static_cast<void>(Run({"initdb", "-D", dir_ + "/data", "-U", "bindery", "-A", "trust", "-E",
                         "UTF8", "--locale=C", "--no-sync"},
                        /*checked=*/true));
  std::ofstream config(dir_ + "/data/postgresql.conf", std::ios::app);
  config << "listen_addresses = ''\nunix_socket_directories = '" << dir_
         << "'\nmax_connections = 100\nfsync = off\n";
  for (const std::string& setting : settings) config << setting << '\n';
  config.close();
  Start();
}

PostgresServer::~PostgresServer() {
  static_cast<void>(
      Run({"pg_ctl", "-D", dir_ + "/data", "-m", "immediate", "-w", "stop"}, /*checked=*/false));
  std::error_code ignored;
  std::filesystem::remove_all(dir_, ignored);
}

std::string PostgresServer::MakeUrl(const std::string& database) {
  if (std::ranges::find(databases_, database) == databases_.end()) {
    static_cast<void>(Ask("postgres", "CREATE DATABASE " + database));
    databases_.push_back(database);
  }
  return "postgresql://bindery@/" + database + "?host=" + dir_;
}

std::string PostgresServer::Ask(const std::string& database, const std::string& sql) const {
  return Run({"psql", "-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-h", dir_, "-U", "bindery",
              "-d", database, "-c", sql},
             /*checked=*/true);
}

void PostgresServer::Start() { Control({"-l", dir_ + "/log", "start"}); }
void PostgresServer::Stop() { Control({"-m", "fast", "stop"}); }
void PostgresServer::StartAsStandby() {
  // https://www.postgresql.org/docs/15/runtime-config-wal.html: what it would follow may be
  // missing.
  std::ofstream(dir_ + "/data/standby.signal");
  Start();
}
void PostgresServer::StopAtOnce() { Control({"-m", "immediate", "stop"}); }

void PostgresServer::Control(const std::vector<std::string>& arguments) const {
  std::vector<std::string> all = {"pg_ctl", "-D", dir_ + "/data", "-w", "-s"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  static_cast<void>(Run(all, /*checked=*/true));
}

/// Its output goes to a file, as a server that it starts would keep a pipe open.
std::string PostgresServer::Run(const std::vector<std::string>& arguments, bool checked) const {
  const std::string program = PostgresProgram(arguments.front());
  const std::string output = dir_ + ".out." + std::to_string(::gettid());
  // By its whole path: these programs look for each other beside the name that they are called by,
  // and no package puts them in PATH.
  std::vector<char*> raw = {const_cast<char*>(program.c_str())};
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    raw.push_back(const_cast<char*>(arguments[i].c_str()));
  }
  raw.push_back(nullptr);
  const ::pid_t child = ::fork();
  if (child == 0) {
    const int file = ::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    ::dup2(file, STDOUT_FILENO);
    ::dup2(file, STDERR_FILENO);
    BecomePostgresUser();
    if (::chdir("/") == 0) ::execv(program.c_str(), raw.data());
    ::_exit(127);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  std::ifstream in(output);
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  std::error_code ignored;
  std::filesystem::remove(output, ignored);
  if (checked && (!WIFEXITED(status) || WEXITSTATUS(status) != 0)) {
    std::ifstream log(dir_ + "/log");
    text.append(std::istreambuf_iterator<char>(log), std::istreambuf_iterator<char>());
    throw std::runtime_error(arguments.front() + " failed: " + text);
  }
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace bindery::testing
