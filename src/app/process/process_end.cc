#include "app/process/process_end.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <system_error>
#include <tuple>

namespace bindery::app {
namespace {

constexpr int kExitCode = 2;

void WriteText(std::string_view text) noexcept {
  std::ignore = ::write(STDERR_FILENO, text.data(), text.size());
}

[[noreturn]] void OnTerminate() noexcept {
  const std::exception_ptr failure = std::current_exception();
  const std::string text = FailureText(failure);
  EndNow(text.empty() ? "unexpected: a thread ended without a reason" : text);
}

void OnAlarm(int /*signal*/) {
  WriteText("bindery: ended: some work did not stop within the time for a shutdown\n");
  ::_exit(kExitCode);
}

}  // namespace

std::string FailureText(const std::exception_ptr& failure) noexcept try {
  if (failure == nullptr) return {};
  std::rethrow_exception(failure);
} catch (const std::bad_alloc&) {
  return "out of memory";
} catch (const std::system_error& error) {
  std::string text = std::string("unexpected: ") + error.what();
  if (error.code() != std::errc::resource_unavailable_try_again) return text;
  return "a thread cannot be made: " + std::string(error.what()) +
         " (limits: RLIMIT_NPROC, TasksMax of the service, pids of the container)";
} catch (const std::exception& error) {
  return std::string("unexpected: ") + error.what();
} catch (...) {
  return "unexpected: an exception of no known type";
}

void EndNow(std::string_view why) noexcept {
  WriteText("bindery: ended: ");
  WriteText(why);
  WriteText("\n");
  ::_exit(kExitCode);
}

void EndOnUncaughtExceptions() { std::set_terminate(OnTerminate); }

void EndWithin(std::chrono::seconds time) {
  struct sigaction action = {};
  action.sa_handler = OnAlarm;
  ::sigaction(SIGALRM, &action, nullptr);
  ::alarm(static_cast<unsigned>(time.count()));
}

}  // namespace bindery::app
