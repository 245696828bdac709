#pragma once

#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "core/access/attempt.h"
#include "core/base/error.h"

namespace bindery::store {

/// The exception of a connection whose database does not carry out a statement. Attempt() makes an
/// Error of the exception.
class EngineError : public std::runtime_error {
 public:
  enum class Cause {
    kOther,
    kNotUnique,  ///< The row would be the second one of a unique index.
    kDamaged,    ///< What is stored cannot be understood.
    kBlocked,    ///< A lock of somebody else was waited for too long, or the wait was cancelled.
  };

  EngineError(Code code, Cause cause, const std::string& what)
      : std::runtime_error(what), code_(code), cause_(cause) {}

  [[nodiscard]] Code code() const { return code_; }
  [[nodiscard]] Cause cause() const { return cause_; }

 private:
  Code code_;
  Cause cause_;
};

/// Throws: the stored data contradict each other.
[[noreturn]] void ThrowDamaged(const std::string& what);

/// Throws: a row names the row `id` of `table`, which is not there.
[[noreturn]] void ThrowNoRow(const std::string& table, std::int64_t id);

/// The failure that a caught exception stands for. `doing` begins the message: "read policies: …".
[[nodiscard]] Error ToError(std::string_view doing, const std::exception& failure);

/// AttemptWith() for the exceptions of connections.
template <typename F>
[[nodiscard]] auto Attempt(std::string_view doing, F&& work) {
  return AttemptWith([doing](const std::exception& failure) { return ToError(doing, failure); },
                     std::forward<F>(work));
}

}  // namespace bindery::store
