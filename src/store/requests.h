#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/expected.h"
#include "core/store_location.h"

namespace bindery {

/// What somebody asked of a replica that stands by, for the one at work. The store keeps texts and
/// does not read them.
struct RequestRecord {
  std::string id;
  std::string text;
  std::string actor;
};

/// How far a request is.
struct RequestProgress {
  enum class State {
    kWaits,     ///< Nobody took it yet.
    kTaken,     ///< The replica at work carries it out.
    kAnswered,  ///< `answer` is its answer.
    kLeft,      ///< The term of the one that took it ended before it answered.
    kGone,      ///< There is none of that id.
  };
  State state = State::kGone;
  std::string answer = {};
};

/// The requests of other replicas, at the one at work. Single-threaded.
class RequestInbox {
 public:
  virtual ~RequestInbox() = default;

  /// What was asked meanwhile: each once, and for no other replica.
  [[nodiscard]] virtual Expected<std::vector<RequestRecord>> Take() = 0;
  /// kFailedPrecondition when the term has ended: nobody learns of the answer.
  [[nodiscard]] virtual Expected<void> Answer(const std::string& id, const std::string& answer) = 0;
};

/// The requests of a replica that stands by. Single-threaded.
class RequestOutbox {
 public:
  virtual ~RequestOutbox() = default;

  /// From now on it may be taken, for a minute.
  [[nodiscard]] virtual Expected<void> Ask(const RequestRecord& request) = 0;
  [[nodiscard]] virtual Expected<RequestProgress> Progress(const std::string& id) = 0;
  /// True: nobody took it, and nobody will.
  [[nodiscard]] virtual Expected<bool> Withdraw(const std::string& id) = 0;
};

/// Of a store in a database, which need not be reachable yet.
[[nodiscard]] std::unique_ptr<RequestOutbox> OpenOutbox(const StoreLocation& location);

}  // namespace bindery
