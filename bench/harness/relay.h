#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace bindery::bench {

/// The seconds of a clock that only goes forward; the same for all threads.
[[nodiscard]] double ClockSeconds();

/// A call that went through a relay.
struct RelayedCall {
  std::string method;
  std::string path;
  double asked = 0;     ///< When its first byte arrived.
  double answered = 0;  ///< When the first byte of the answer arrived; 0 while there is none.
};

/// A TCP relay to a server of this machine that notes when calls come and go. It adds some 0.05 ms
/// to a call, so only those calls go through it whose times matter. Made for clients that wait for
/// an answer before they ask again on the same connection.
class Relay {
 public:
  explicit Relay(std::uint16_t upstream_port);
  ~Relay();
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  /// The calls so far, in the order they came.
  [[nodiscard]] std::vector<RelayedCall> Calls() const;
  /// The first call after `since` of this method whose path has `part` in it; waits for it.
  [[nodiscard]] RelayedCall Await(const std::string& method, const std::string& part, double since,
                                  double patience_seconds = 60) const;

 private:
  void Accept();
  void Serve(int client);
  /// The index of a new call when the bytes begin one.
  std::optional<std::size_t> NoteRequest(std::string_view bytes);
  void NoteAnswer(std::size_t index);

  std::uint16_t upstream_port_;
  std::uint16_t port_ = 0;
  int listener_ = -1;
  std::atomic<bool> stopping_{false};
  std::thread acceptor_;
  std::vector<std::thread> connections_;  // The acceptor's.
  mutable std::mutex mutex_;              // Guards the calls.
  std::vector<RelayedCall> calls_;
};

}  // namespace bindery::bench
