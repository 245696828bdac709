#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"

namespace bindery::app {

/// The service manager that started the daemon and expects its state: systemd, by $NOTIFY_SOCKET,
/// or anything else that speaks sd_notify(3). Sends nothing when the variable is not set.
class ServiceManager {
 public:
  ServiceManager();

  [[nodiscard]] bool listening() const { return listening_; }

  /// How often the service manager must hear Alive(); otherwise it starts a new daemon.
  [[nodiscard]] std::optional<std::chrono::milliseconds> watchdog() const { return watchdog_; }

  /// The daemon serves and works. Also ends Reloading().
  void Ready();
  void Reloading(MonoTime now);
  void Stopping();
  void Alive();
  /// One line for people; sent only when changed.
  void Status(std::string_view text);

 private:
  void Send(const std::string& state) const;

  bool listening_ = false;
  std::optional<std::chrono::milliseconds> watchdog_;
  std::string status_;
};

}  // namespace bindery::app
