#pragma once

#include <chrono>
#include <exception>
#include <string>
#include <string_view>

namespace bindery::app {

/// What an exception says, for people; where the system gives no more threads or memory, what to
/// look at.
[[nodiscard]] std::string FailureText(const std::exception_ptr& failure) noexcept;

/// Ends the process with a message and the exit code of errors, without waiting for anything: what
/// is committed to the store survives that.
[[noreturn]] void EndNow(std::string_view why) noexcept;

/// From now on an exception that leaves a thread ends the process as EndNow() does, instead of by a
/// signal and with a core file.
void EndOnUncaughtExceptions();

/// Ends the process after the time unless called again with 0: a shutdown waits for no thread for
/// ever.
void EndWithin(std::chrono::seconds time);

}  // namespace bindery::app
