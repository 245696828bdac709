#pragma once

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <string>
#include <string_view>
#include <utility>

#include "support/socket_relay.h"
#include "support/temp_dir.h"

namespace bindery::testing {

/// Between clients and a PostgreSQL server on a UNIX socket: passes everything on, but for what it
/// is told to lose, once.
class PostgresProxy {
 public:
  enum class Loses {
    kNothing,
    kCommit,         ///< The connection ends before the server sees the COMMIT.
    kAnswerToCommit  ///< It ends when the server has committed.
  };

  explicit PostgresProxy(std::string server_socket)
      : relay_(dir_ / ".s.PGSQL.5432", std::move(server_socket),
               [this](int client, int server) { Pass(client, server); }) {}

  [[nodiscard]] std::string MakeUrl(const std::string& database) const {
    return "postgresql://bindery@/" + database + "?host=" + dir_.path().string();
  }

  void Lose(Loses what) { loses_ = what; }
  [[nodiscard]] bool lost() const { return lost_; }
  /// How often a client sent something after it had had its answers.
  [[nodiscard]] int round_trips() const { return round_trips_; }

 private:
  void Pass(int client, int server) {
    bool committed = false;
    bool answered = true;
    while (!relay_.ending()) {
      std::array<::pollfd, 2> sockets = {::pollfd{client, POLLIN, 0}, ::pollfd{server, POLLIN, 0}};
      ::poll(sockets.data(), sockets.size(), SocketRelay::kPause);
      if (sockets[0].revents != 0) {
        const std::string sent = Read(client);
        const bool commits = Commits(sent);
        if (sent.empty() || (commits && Take(Loses::kCommit))) return;
        if (std::exchange(answered, false)) ++round_trips_;
        Write(server, sent);
        committed = commits && Take(Loses::kAnswerToCommit);
      }
      if (sockets[1].revents != 0) {
        const std::string answer = Read(server);
        if (answer.empty() || committed) return;
        answered = true;
        Write(client, answer);
      }
    }
  }

  /// A transaction begins READ COMMITTED.
  static bool Commits(const std::string& sent) {
    constexpr std::string_view kCommit = "COMMIT";
    for (auto at = sent.find(kCommit); at != std::string::npos; at = sent.find(kCommit, at + 1)) {
      if (sent.compare(at + kCommit.size(), 3, "TED") != 0) return true;
    }
    return false;
  }

  bool Take(Loses what) {
    Loses expected = what;
    if (!loses_.compare_exchange_strong(expected, Loses::kNothing)) return false;
    lost_ = true;
    return true;
  }

  static std::string Read(int socket) {
    std::array<char, 65536> bytes{};
    const ::ssize_t count = ::read(socket, bytes.data(), bytes.size());
    return count > 0 ? std::string(bytes.data(), static_cast<std::size_t>(count)) : std::string();
  }
  static void Write(int socket, std::string_view bytes) {
    while (!bytes.empty()) {
      const ::ssize_t count = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  TempDir dir_;
  std::atomic<Loses> loses_ = Loses::kNothing;
  std::atomic<bool> lost_ = false;
  std::atomic<int> round_trips_ = 0;
  SocketRelay relay_;  ///< Last: its threads use what is above.
};

}  // namespace bindery::testing
