#pragma once

#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/base/mutex.h"
#include "server/control.h"
#include "store/ports/requests.h"
#include "telemetry/log.h"

namespace bindery::app {

/// At the replica at work: carries out the requests of standbys. Looks every second, on a separate
/// thread.
class RequestDesk {
 public:
  /// `control` and `log` must outlive the object.
  RequestDesk(std::unique_ptr<store::RequestInbox> inbox, server::Control& control,
              telemetry::Logger& log);
  /// Requests without an answer at the end count as abandoned, which their requesters are told.
  ~RequestDesk();
  RequestDesk(const RequestDesk&) = delete;
  RequestDesk& operator=(const RequestDesk&) = delete;

 private:
  struct Answer {
    std::string id;
    std::string text;
  };
  /// Outlives the desk: an answer may come later.
  struct Answers {
    Mutex mutex;
    CondVar changed;
    std::deque<Answer> fresh GUARDED_BY(mutex);
    bool ending GUARDED_BY(mutex) = false;
  };

  void Work();
  /// False at the end.
  bool AwaitAnswers();
  void SendAnswers();
  void TakeRequests();

  const std::unique_ptr<store::RequestInbox> inbox_;
  server::Control& control_;
  telemetry::Logger& log_;
  const std::shared_ptr<Answers> answers_ = std::make_shared<Answers>();
  std::deque<Answer> unsent_;  ///< The thread's.
  std::thread worker_;         ///< Last: it uses all of the above.
};

}  // namespace bindery::app
