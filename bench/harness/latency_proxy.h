#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

#include "harness/files.h"
#include "support/socket_relay.h"

namespace bindery::bench {

/// Stands between a program and a PostgreSQL server on a UNIX socket, and makes a round trip
/// longer: what either side sends arrives half of `latency` later. Throughput is not limited. Needs
/// no rights of root, unlike a delay in the network device.
class LatencyProxy {
 public:
  LatencyProxy(std::string server_socket, std::chrono::milliseconds latency);
  ~LatencyProxy() = default;
  LatencyProxy(const LatencyProxy&) = delete;
  LatencyProxy& operator=(const LatencyProxy&) = delete;

  /// The folder of the socket, which is the parameter `host` of a URL.
  [[nodiscard]] std::string host() const { return folder_ / ""; }

  /// How often a client sent something after it had received everything: each time it waits for
  /// the whole latency. Of all sessions together.
  [[nodiscard]] std::uint64_t RoundTrips() const { return round_trips_; }

 private:
  void Pass(int client, int server);

  const std::chrono::nanoseconds one_way_;
  TempFolder folder_;
  std::atomic<std::uint64_t> round_trips_ = 0;
  testing::SocketRelay relay_;  ///< Last: its threads use what is above.
};

}  // namespace bindery::bench
