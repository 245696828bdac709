#include "app/process/waiting_line.h"

#include <pthread.h>

#include <atomic>
#include <csignal>
#include <utility>

#include "core/text/time_text.h"

namespace bindery::app {
namespace {

constexpr const char* kClearedLine = "\r\x1b[K";

std::atomic<WaitingLine*> present = nullptr;

}  // namespace

WaitingLine::WaitingLine(std::string what, ProgressBar::Terminal terminal,
                         std::chrono::milliseconds silence)
    : what_(std::move(what)),
      terminal_(std::move(terminal)),
      silence_(silence),
      begun_(std::chrono::steady_clock::now()),
      next_(begun_ + silence) {
  if (terminal_.width() == 0) return;
  present = this;
  // A command may wait for signals in its own threads.
  ::sigset_t all;
  ::sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &before);
  drawing_ = std::thread([this] { Draw(); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

WaitingLine::~WaitingLine() {
  End();
  present = nullptr;
  if (drawing_.joinable()) drawing_.join();
}

void WaitingLine::Draw() {
  constexpr std::chrono::seconds kBetween(1);
  const MutexLock lock(mutex_);
  while (!over_) {
    const auto now = std::chrono::steady_clock::now();
    if (held_ || now < next_) {
      ended_.WaitUntil(mutex_, held_ ? now + kBetween : next_);
      continue;
    }
    const auto waited = std::chrono::duration_cast<std::chrono::seconds>(now - begun_);
    const std::string line = what_ + ": " + FormatAge(waited);
    // The last column is left free, as by a progress bar.
    if (line.size() < terminal_.width()) terminal_.put(kClearedLine + line);
    shown_ = true;
    next_ += kBetween;
  }
}

void WaitingLine::Clear() {
  if (std::exchange(shown_, false)) terminal_.put(kClearedLine);
}

void WaitingLine::End() {
  const MutexLock lock(mutex_);
  over_ = true;
  Clear();
  ended_.NotifyAll();
}

void WaitingLine::Pause() {
  const MutexLock lock(mutex_);
  Clear();
  next_ = std::chrono::steady_clock::now() + silence_;
  ended_.NotifyAll();
}

void WaitingLine::Hold(bool hold) {
  const MutexLock lock(mutex_);
  held_ = hold;
  Clear();
  next_ = std::chrono::steady_clock::now() + silence_;
  ended_.NotifyAll();
}

void EndWaiting() {
  if (WaitingLine* const line = present) line->End();
}

void PauseWaiting() {
  if (WaitingLine* const line = present) line->Pause();
}

void HoldWaiting(bool hold) {
  if (WaitingLine* const line = present) line->Hold(hold);
}

}  // namespace bindery::app
