#pragma once

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "app/replicas/forwarded_calls.h"
#include "core/base/clock.h"
#include "core/base/mutex.h"
#include "server/control.h"
#include "store/ports/requests.h"

namespace bindery::app {

/// At a standby: has the replica at work carry out requests, and waits for the answers.
/// Thread-safe.
class RequestRelay {
 public:
  static constexpr std::size_t kMostWaiting = 64;
  /// Longer than a steal: a lease whose holder is gone is taken earlier.
  static constexpr std::chrono::seconds kLongestUntaken{30};

  /// `clock` must outlive the object.
  RequestRelay(std::unique_ptr<store::RequestOutbox> outbox, const Clock& clock);
  ~RequestRelay() { Finish(); }
  RequestRelay(const RequestRelay&) = delete;
  RequestRelay& operator=(const RequestRelay&) = delete;

  /// `reply` is called on the relay's thread, or at once where it is refused.
  void Ask(const ForwardedCall& call, std::string actor, server::Control::Reply reply);

  /// Withdraws untaken requests; answers all waiting requests, and refuses later requests.
  void Finish();

 private:
  struct Pending {
    store::RequestRecord request;
    server::Control::Reply reply;
    MonoTime since = {};
    bool asked = false;
  };

  void Work();
  /// False at the end.
  bool TakeNew();
  /// True when answered.
  [[nodiscard]] bool IsOver(Pending& pending);
  /// True when no replica took the request in time; the request is answered then.
  [[nodiscard]] bool IsWithdrawn(Pending& pending);
  void Reply(const Pending& pending, const Expected<Json>& answer);
  void GiveUp(const Pending& pending, const std::string& why, bool withdrawn);

  const std::unique_ptr<store::RequestOutbox> outbox_;  ///< The thread's.
  const Clock& clock_;
  Mutex mutex_;
  CondVar changed_;
  std::vector<Pending> new_ GUARDED_BY(mutex_);
  std::size_t waiting_ GUARDED_BY(mutex_) = 0;
  bool ending_ GUARDED_BY(mutex_) = false;
  std::vector<Pending> pending_;  ///< The thread's.
  std::thread worker_;            ///< Last: it uses all of the above.
};

}  // namespace bindery::app
