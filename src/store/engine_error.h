#pragma once

#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/error.h"
#include "core/expected.h"

namespace bindery::store {

/// What a connection throws when its database does not carry out a statement. Attempt() makes it an
/// Error.
class EngineError : public std::runtime_error {
 public:
  enum class Cause {
    kOther,
    kNotUnique,  ///< The row would be the second one of a unique index.
    kDamaged,    ///< What is stored cannot be understood.
  };

  EngineError(Code code, Cause cause, const std::string& what)
      : std::runtime_error(what), code_(code), cause_(cause) {}

  [[nodiscard]] Code code() const { return code_; }
  [[nodiscard]] Cause cause() const { return cause_; }

 private:
  Code code_;
  Cause cause_;
};

/// Throws: what is stored contradicts itself.
[[noreturn]] void ThrowDamaged(const std::string& what);

/// The failure that a caught exception stands for. `doing` begins the message: "read policies: …".
[[nodiscard]] Error ToError(std::string_view doing, const std::exception& failure);

namespace internal {
template <typename T>
struct ResultOf {
  using Type = T;
};
template <typename T>
struct ResultOf<Expected<T>> {
  using Type = T;
};
}  // namespace internal

/// Runs `work`, which may throw what connections throw and may itself return an Expected, and gives
/// its result as an Expected. This is where the exceptions of databases end.
template <typename F>
[[nodiscard]] auto Attempt(std::string_view doing, F&& work)
    -> Expected<typename internal::ResultOf<std::invoke_result_t<F>>::Type> {
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<F>>) {
      std::forward<F>(work)();
      return {};
    } else {
      return std::forward<F>(work)();
    }
  } catch (const std::exception& failure) {
    return Fail(ToError(doing, failure));
  }
}

}  // namespace bindery::store
