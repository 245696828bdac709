#include "app/process/service_manager.h"

#include <systemd/sd-daemon.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace bindery::app {

ServiceManager::ServiceManager() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody changes the environment
  const char* socket = std::getenv("NOTIFY_SOCKET");
  listening_ = socket != nullptr && *socket != '\0';
  std::uint64_t period = 0;
  if (listening_ && ::sd_watchdog_enabled(0, &period) > 0) {
    watchdog_ = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::microseconds(static_cast<std::int64_t>(period)));
  }
}

void ServiceManager::Ready() { Send("READY=1"); }

void ServiceManager::Reloading(MonoTime now) {
  const auto since_boot =
      std::chrono::duration_cast<std::chrono::microseconds>(now.time_since_epoch());
  Send("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(since_boot.count()));
}

void ServiceManager::Stopping() { Send("STOPPING=1\nSTATUS=stopping: work under way may finish"); }

void ServiceManager::Alive() {
  if (watchdog_) Send("WATCHDOG=1");
}

void ServiceManager::Status(std::string_view text) {
  if (text == status_) return;
  status_ = text;
  std::string line = status_;
  // A line break would begin a new assignment.
  std::replace(line.begin(), line.end(), '\n', ' ');
  Send("STATUS=" + line);
}

void ServiceManager::Send(const std::string& state) const {
  // A lost message is none of the daemon's business: the manager acts on silence.
  if (listening_) ::sd_notify(0, state.c_str());
}

}  // namespace bindery::app
