#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "httpd/message.h"
#include "httpd/server.h"
#include "store/store.h"

namespace bindery::server {

/// Readers of GET /api/v1/events/stream, as server-sent events: what was recorded since the event
/// they saw last, what is recorded from then on, and "changed" whenever the store changed. Costs
/// nothing while nobody reads. Reads the store on the threads of the server only.
class EventStreams {
 public:
  explicit EventStreams(const Store& store) : store_(store) {}

  /// Begins a stream; 503 when there are kMostStreams already.
  void Open(const httpd::Request& request, const httpd::Responder& responder);

  /// The store changed. From any thread, and at once.
  void Changed();

  static constexpr std::size_t kMostStreams = 64;

 private:
  struct Reader {
    httpd::Responder responder;  ///< Its timers are what later work is done by.
    httpd::Stream stream;
    std::int64_t last_id = 0;
    bool with_events = true;
  };
  using Events = std::vector<std::pair<std::int64_t, Event>>;

  [[nodiscard]] std::int64_t NewestId() const;
  [[nodiscard]] Events EventsAfter(std::int64_t id) const;
  void Schedule(std::chrono::milliseconds delay);
  void Tell();
  void Beat();
  void ForgetTheGone();

  const Store& store_;
  std::mutex mutex_;  ///< Guards what follows.
  std::vector<Reader> readers_;
  bool scheduled_ = false;
  bool beating_ = false;
  std::chrono::steady_clock::time_point last_told_;
};

}  // namespace bindery::server
