#include "harness/latency_proxy.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <deque>
#include <string_view>
#include <utility>

namespace bindery::bench {
namespace {

using Clock = std::chrono::steady_clock;

/// How often a thread looks for the end.
constexpr std::chrono::milliseconds kLook(100);

/// One direction: what was received, each piece with the time it is to arrive.
class Line {
 public:
  Line(int from, int to, std::chrono::nanoseconds delay) : from_(from), to_(to), delay_(delay) {}

  [[nodiscard]] int from() const { return from_; }
  [[nodiscard]] bool empty() const { return pieces_.empty(); }
  [[nodiscard]] Clock::time_point NextDue() const {
    return pieces_.empty() ? Clock::time_point::max() : pieces_.front().due;
  }

  /// False when the sender has closed.
  bool Receive() {
    const ::ssize_t count = ::read(from_, buffer_.data(), buffer_.size());
    if (count <= 0) return false;
    pieces_.push_back(
        {Clock::now() + delay_, std::string(buffer_.data(), static_cast<std::size_t>(count))});
    return true;
  }

  /// False when the receiver has closed.
  bool Deliver() {
    while (!pieces_.empty() && pieces_.front().due <= Clock::now()) {
      std::string_view bytes = pieces_.front().bytes;
      while (!bytes.empty()) {
        const ::ssize_t count = ::send(to_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(count));
      }
      pieces_.pop_front();
    }
    return true;
  }

 private:
  struct Piece {
    Clock::time_point due;
    std::string bytes;
  };
  int from_;
  int to_;
  std::chrono::nanoseconds delay_;
  std::deque<Piece> pieces_;
  std::array<char, 65536> buffer_{};
};

void AwaitAny(std::array<::pollfd, 2>& sockets, Clock::time_point due) {
  const auto left =
      std::clamp<std::chrono::nanoseconds>(due - Clock::now(), std::chrono::nanoseconds(0), kLook);
  const ::timespec timeout{0, static_cast<long>(left.count())};
  ::ppoll(sockets.data(), sockets.size(), &timeout, nullptr);
}

}  // namespace

LatencyProxy::LatencyProxy(std::string server_socket, std::chrono::milliseconds latency)
    : one_way_(latency / 2),
      relay_(folder_ / ".s.PGSQL.5432", std::move(server_socket),
             [this](int client, int server) { Pass(client, server); }) {}

void LatencyProxy::Pass(int client, int server) {
  Line asked(client, server, one_way_);
  Line answered(server, client, one_way_);
  bool waits = false;  // The client has sent something and had no answer yet.
  while (!relay_.ending()) {
    std::array<::pollfd, 2> sockets = {::pollfd{client, POLLIN, 0}, ::pollfd{server, POLLIN, 0}};
    AwaitAny(sockets, std::min(asked.NextDue(), answered.NextDue()));
    if (sockets[0].revents != 0) {
      if (!asked.Receive()) return;
      if (!std::exchange(waits, true)) ++round_trips_;
    }
    if (sockets[1].revents != 0 && !answered.Receive()) return;
    if (answered.NextDue() <= Clock::now()) waits = false;
    if (!asked.Deliver() || !answered.Deliver()) return;
  }
}

}  // namespace bindery::bench
