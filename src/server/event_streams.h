#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/mutex.h"
#include "httpd/message.h"
#include "httpd/server.h"
#include "store/ports/report_reader.h"

namespace bindery::server {

/// Readers of GET /api/v1/events/stream, as server-sent events: what was recorded since the event
/// they saw last, what is recorded from then on, and "changed" whenever the store changed. Costs
/// nothing while there is no reader. Reads the store on the threads of the server only.
///
/// No reader keeps others out: the streams per reader are limited. When there are no more, the
/// oldest one of the reader with the most gives way to a reader with fewer, and one of a reader
/// without a name to one with a name.
class EventStreams {
 public:
  struct Limits {
    std::size_t all = 64;
    std::size_t per_reader = 8;  ///< Of a user, or of an address without authentication.
    std::chrono::milliseconds longest{std::chrono::hours(1)};  ///< Then the reader must reconnect.
    /// The same of a browser with a session: it comes back as long as the session lasts.
    std::chrono::milliseconds session_longest{std::chrono::minutes(5)};
  };

  EventStreams(const store::ReportReader& store, Limits limits, std::function<void()> refused)
      : store_(store), limits_(limits), refused_(std::move(refused)) {}

  /// Begins a stream; 429 for a reader at its limit, 503 when no place exists.
  void Open(const httpd::Request& request, const httpd::Responder& responder);

  /// The store changed. From any thread; does not block.
  void Changed();

 private:
  struct Reader {
    httpd::Responder responder;  ///< Its timers are what later work is done by.
    httpd::Stream stream;
    std::string who;
    bool named = false;                   ///< Signed in, or at the UNIX socket.
    std::chrono::milliseconds longest{};  ///< Then the reader must reconnect.
    std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
    std::int64_t last_id = 0;
    bool with_events = true;
  };
  using Events = std::vector<std::pair<std::int64_t, Event>>;

  [[nodiscard]] std::int64_t NewestId() const;
  [[nodiscard]] Events EventsAfter(std::int64_t id) const;
  void Schedule(std::chrono::milliseconds delay) REQUIRES(mutex_);
  void Tell();
  void Beat();
  void ForgetTheGone() REQUIRES(mutex_);
  [[nodiscard]] std::size_t CountStreams(const std::string& who) const REQUIRES(mutex_);
  /// Ends a less important stream if one exists. False: no place is left.
  [[nodiscard]] bool MakePlaceFor(const std::string& who, bool named) REQUIRES(mutex_);

  const store::ReportReader& store_;
  const Limits limits_;
  const std::function<void()> refused_;
  Mutex mutex_;
  std::vector<Reader> readers_ GUARDED_BY(mutex_);
  bool scheduled_ GUARDED_BY(mutex_) = false;
  bool beating_ GUARDED_BY(mutex_) = false;
  std::chrono::steady_clock::time_point last_told_ GUARDED_BY(mutex_);
};

}  // namespace bindery::server
