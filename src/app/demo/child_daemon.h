#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "core/base/expected.h"
#include "core/base/json.h"

namespace bindery::app {

/// A daemon as a child process, followed by its log. The child has the environment of this process
/// without the settings of another daemon (BINDERY_*, the variables of the service manager),
/// and ends with this process. SIGINT and SIGTERM of this process are passed on to the child, and
/// end nothing else, from the start to the destructor. Not thread-safe; one at a time.
class ChildDaemon {
 public:
  /// Starts this program as `bindery run -c config`, with logging.format json in `config`. `state`
  /// is the folder for the files beside the daemon's store; `listen` replaces server.listen unless
  /// empty. Call before any thread starts. kUnavailable where no process can be started.
  [[nodiscard]] static Expected<ChildDaemon> Start(const std::filesystem::path& config,
                                                   const std::filesystem::path& state,
                                                   const std::string& listen);

  /// Ends the daemon (SIGTERM) and waits for the end.
  ~ChildDaemon();
  ChildDaemon(ChildDaemon&& other) noexcept;
  ChildDaemon& operator=(ChildDaemon&&) = delete;
  ChildDaemon(const ChildDaemon&) = delete;
  ChildDaemon& operator=(const ChildDaemon&) = delete;

  /// True once `take`, called with each entry of the log, returns true. False when the
  /// daemon ended or nothing was taken for `patience`; without `patience` Follow waits for the end.
  /// A line that is no JSON object is an entry {"msg": LINE}.
  [[nodiscard]] bool Follow(const std::function<bool(const Json& entry)>& take,
                            std::optional<std::chrono::milliseconds> patience);

  /// Whether SIGINT or SIGTERM came.
  [[nodiscard]] bool told_to_end() const { return told_to_end_; }

 private:
  ChildDaemon(::pid_t child, int log, int signals) : child_(child), log_(log), signals_(signals) {}

  /// Reads on: false at the end of the log, and when `until` is over.
  [[nodiscard]] bool ReadMore(const std::optional<std::chrono::steady_clock::time_point>& until);
  void PassOnSignal();

  ::pid_t child_;  ///< -1: moved away.
  int log_;        ///< The end of the pipe that is read.
  int signals_;    ///< A signalfd.
  std::string unread_;
  bool told_to_end_ = false;
};

}  // namespace bindery::app
