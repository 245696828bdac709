#include "app/process/progress_bar.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "app/process/waiting_line.h"
#include "core/text/time_text.h"

namespace bindery::app {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kWorthALine(500);
constexpr milliseconds kBetweenDrawings(100);
constexpr std::size_t kShortestBar = 10;
constexpr std::size_t kLongestBar = 40;
constexpr const char* kEmptyLine = "\r\x1b[K";

std::size_t StandardErrorWidth() {
  struct ::winsize size {};
  if (::isatty(STDERR_FILENO) != 1) return 0;
  constexpr std::size_t kUsual = 80;
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}

std::string Bar(std::size_t done, std::size_t total, std::size_t width) {
  const std::size_t full = width * done / total;
  return '[' + std::string(full, '#') + std::string(width - full, '-') + ']';
}

}  // namespace

std::string ProgressLine(const std::string& what, std::size_t done, std::size_t total,
                         milliseconds elapsed, std::size_t width) {
  if (total == 0) return "";
  const std::size_t reached = std::min(done, total);
  const std::string count = fmt::format("{} of {} targets", reached, total);
  std::string pace;
  if (reached > 0 && elapsed.count() > 0) {
    constexpr double kPerSecond = 1000;
    const double rate =
        kPerSecond * static_cast<double>(reached) / static_cast<double>(elapsed.count());
    const milliseconds left(elapsed.count() * static_cast<std::int64_t>(total - reached) /
                            static_cast<std::int64_t>(reached));
    pace = rate < 10 ? fmt::format(", {:.1f}/s", rate) : fmt::format(", {:.0f}/s", rate);
    if (reached < total) {
      pace += fmt::format(", {} left", FormatAge(std::chrono::ceil<std::chrono::seconds>(left)));
    }
  }
  std::string full = what + " " + count + pace;
  if (full.size() > width) return count.size() > width ? "" : count;
  constexpr std::size_t kAround = 3;  // brackets and a space
  const std::size_t room = width - full.size();
  if (room < kShortestBar + kAround) return full;
  return what + " " + Bar(reached, total, std::min(room - kAround, kLongestBar)) + " " + count +
         pace;
}

ProgressBar::Terminal ProgressBar::StandardError(bool quiet) {
  if (quiet) return {[](const std::string&) {}, [] { return std::size_t{0}; }};
  return {[](const std::string& text) {
            std::fwrite(text.data(), 1, text.size(), stderr);
            std::fflush(stderr);
          },
          StandardErrorWidth};
}

ProgressBar::ProgressBar(std::string what, const Clock& clock, Terminal terminal)
    : what_(std::move(what)), clock_(clock), terminal_(std::move(terminal)) {}

void ProgressBar::Show(std::size_t done, std::size_t total) {
  const MutexLock lock(mutex_);
  const MonoTime now = clock_.Mono();
  if (!std::exchange(running_, true)) started_ = now;
  if (done >= total) {
    running_ = false;
    Remove();
    return;
  }
  if (now - started_ < kWorthALine || now - drawn_ < kBetweenDrawings) return;
  const std::size_t width = terminal_.width();
  if (width == 0) return;
  // The last column is left free: a cursor that wraps would leave lines behind.
  const std::string line = ProgressLine(
      what_, done, total, std::chrono::duration_cast<milliseconds>(now - started_), width - 1);
  if (!std::exchange(shown_, true)) HoldWaiting(true);
  terminal_.put(kEmptyLine + line);
  drawn_ = now;
}

void ProgressBar::Clear() {
  const MutexLock lock(mutex_);
  Remove();
}

void ProgressBar::Remove() {
  if (!std::exchange(shown_, false)) return;
  terminal_.put(kEmptyLine);
  HoldWaiting(false);
}

}  // namespace bindery::app
