#pragma once

// Private to src/httpd: what a connection does at the moment.

#include <atomic>
#include <chrono>

namespace bindery::httpd {

enum class Phase {
  kIdle,       ///< Nothing of a request has come.
  kReading,    ///< A part of a request, or of a TLS handshake.
  kWorking,    ///< The handler has the request.
  kWriting,    ///< An answer that the peer has not taken yet.
  kDraining,   ///< All is said; what the peer still sends is read and dropped.
  kStreaming,  ///< An answer without an end.
  kClosed,
};

/// Written on the connection's strand, read by any thread.
class Activity {
 public:
  using Time = std::chrono::steady_clock::time_point;

  [[nodiscard]] Phase phase() const { return phase_.load(); }
  /// When the phase began.
  [[nodiscard]] Time since() const { return since_.load(); }

  void Enter(Phase phase) {
    since_ = std::chrono::steady_clock::now();
    phase_ = phase;
  }

 private:
  std::atomic<Phase> phase_ = Phase::kIdle;
  std::atomic<Time> since_ = std::chrono::steady_clock::now();
};

}  // namespace bindery::httpd
