#pragma once

#include <sys/types.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "support/temp_dir.h"

namespace bindery::testing {

/// Debian's nginx in front of a server of the test, run as the current user with all its files in a
/// directory of its own, stopped with the object.
///
///     Nginx nginx("server { listen 127.0.0.1:@PORT@; location / { return 404; } }");
///
/// The text is what stands inside `http { }`; @PORT@ and @PORT2@ stand for free ports and @DIR@ for
/// the directory.
class Nginx {
 public:
  /// False where the program is not installed: a test then skips itself.
  [[nodiscard]] static bool Installed();

  /// Starts it and waits until it accepts connections. Throws with its log when it does not.
  explicit Nginx(std::string_view servers);
  ~Nginx();
  Nginx(const Nginx&) = delete;
  Nginx& operator=(const Nginx&) = delete;

  /// Puts other servers into force, on the same ports, and waits until the old ones take no more
  /// connections; requests under way have a second to finish.
  void Reload(std::string_view servers);

  [[nodiscard]] int port() const { return ports_.at(0); }
  [[nodiscard]] int port2() const { return ports_.at(1); }
  [[nodiscard]] const TempDir& dir() const { return dir_; }

  /// One line a request that was answered: protocol, connection number, status, method, path.
  [[nodiscard]] std::string AccessLog() const { return dir_.Read("access.log"); }
  /// The same when it has that many lines: a line is written after its answer was sent. What there
  /// is after ten seconds, where they do not come.
  [[nodiscard]] std::string AccessLogOf(std::ptrdiff_t lines) const {
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    std::string log = AccessLog();
    while (std::count(log.begin(), log.end(), '\n') < lines &&
           std::chrono::steady_clock::now() < patience) {
      std::this_thread::yield();
      log = AccessLog();
    }
    return log;
  }

 private:
  void WriteConfiguration(std::string_view servers) const;
  void Spawn();
  /// False when it ended because another process was faster to take a port.
  [[nodiscard]] bool WaitUntilItAccepts();

  TempDir dir_;
  std::vector<int> ports_;
  ::pid_t process_ = 0;
  std::size_t reloads_ = 0;
};

}  // namespace bindery::testing
