#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/access/event.h"
#include "core/base/clock.h"
#include "notify/services.h"
#include "store/ports/records.h"

namespace bindery::notify {

/// How far one webhook was told of events, and whether it accepts messages: in the store, in the
/// metrics, and in the log. `cursor` is Outbox::cursor(), and goes on record with everything that
/// does. Requires: Begin, before anything else but begun and Stop. Single-threaded.
class Progress {
 public:
  /// The series exist from now on.
  Progress(std::string webhook, const Services& services);

  /// The recorded state. Only the first call counts.
  void Begin(const store::WebhookRecord& record);
  [[nodiscard]] bool begun() const { return begun_; }

  void Accepted(std::int64_t cursor);
  /// A failure that stands is logged and put on record once.
  void Failed(const std::string& reason, std::int64_t cursor);
  /// The receiver wants no messages any more.
  void Gone(const std::string& reason, std::int64_t cursor);
  /// Everything was accepted.
  void ForgetFailure(std::int64_t cursor);
  /// Why the receiver does not accept messages; empty while it does.
  [[nodiscard]] const std::string& failure() const { return record_.failure; }

  /// An error about the webhook itself: in the log, and as an event.
  void Report(const std::string& reason, const std::string& what, std::int64_t cursor);

  /// Nothing has to be sent. The position of skipped events goes on record now and then; returns
  /// the time of the next call for this purpose.
  [[nodiscard]] std::optional<MonoTime> Idle(std::int64_t cursor);
  void Stop(std::int64_t cursor);

 private:
  void NoteFailure(const std::string& reason);
  void ClearFailure();
  void Save(std::int64_t cursor, std::vector<Event> events = {});

  const std::string webhook_;
  Services services_;
  store::WebhookRecord record_;
  bool begun_ = false;  ///< record_ is what is on record.
  std::optional<MonoTime> save_due_;
};

}  // namespace bindery::notify
