#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/settings/store_location.h"

namespace bindery::store {

/// A request to a standby, for the replica at work. The store keeps texts and does not parse
/// them.
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

/// The requests of standbys, at the replica at work. Single-threaded.
class RequestInbox {
 public:
  virtual ~RequestInbox() = default;

  /// New requests: each once, and for no further replica.
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
  /// True: no replica took the request, or will.
  [[nodiscard]] virtual Expected<bool> Withdraw(const std::string& id) = 0;
};

/// Of a store in a database, which need not be reachable yet.
[[nodiscard]] std::unique_ptr<RequestOutbox> OpenOutbox(const StoreLocation& location);

}  // namespace bindery::store
