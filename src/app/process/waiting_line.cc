#include "app/process/waiting_line.h"

#include <atomic>
#include <utility>

#include "core/text/time_text.h"

namespace bindery::app {
namespace {

constexpr const char* kClearedLine = "\r\x1b[K";

std::atomic<WaitingLine*> present = nullptr;

}  // namespace

WaitingLine::WaitingLine(std::string what, ProgressBar::Terminal terminal,
                         std::chrono::milliseconds silence)
    : what_(std::move(what)), terminal_(std::move(terminal)) {
  if (terminal_.width() == 0) return;
  present = this;
  drawing_ = std::thread([this, silence] { Draw(silence); });
}

WaitingLine::~WaitingLine() {
  End();
  present = nullptr;
  if (drawing_.joinable()) drawing_.join();
}

void WaitingLine::Draw(std::chrono::milliseconds silence) {
  const auto begun = std::chrono::steady_clock::now();
  auto next = begun + silence;
  const MutexLock lock(mutex_);
  while (!over_) {
    if (std::chrono::steady_clock::now() < next) {
      ended_.WaitUntil(mutex_, next);
      continue;
    }
    const auto waited = std::chrono::duration_cast<std::chrono::seconds>(next - begun);
    const std::string line = what_ + ": " + FormatAge(waited);
    // The last column is left free, as by a progress bar.
    if (line.size() < terminal_.width()) terminal_.put(kClearedLine + line);
    shown_ = true;
    next += std::chrono::seconds(1);
  }
}

void WaitingLine::End() {
  const MutexLock lock(mutex_);
  over_ = true;
  if (std::exchange(shown_, false)) terminal_.put(kClearedLine);
  ended_.NotifyAll();
}

void EndWaiting() {
  if (WaitingLine* const line = present) line->End();
}

}  // namespace bindery::app
