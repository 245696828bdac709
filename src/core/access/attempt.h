#pragma once

#include <exception>
#include <type_traits>
#include <utility>

#include "core/base/expected.h"

namespace bindery {

namespace internal {
template <typename T>
struct AsExpected {
  using Type = Expected<T>;
};
template <typename T>
struct AsExpected<Expected<T>> {
  using Type = Expected<T>;
};
}  // namespace internal

/// Runs `work`, which may throw and may itself return an Expected, and returns its result as an
/// Expected. `to_error` makes an Error of an exception. For the folders that wrap a throwing
/// library: the library's exceptions end here.
template <typename ToError, typename F>
[[nodiscard]] auto AttemptWith(ToError&& to_error, F&& work) ->
    typename internal::AsExpected<std::invoke_result_t<F>>::Type {
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<F>>) {
      std::forward<F>(work)();
      return {};
    } else {
      return std::forward<F>(work)();
    }
  } catch (const std::exception& failure) {
    return Fail(std::forward<ToError>(to_error)(failure));
  }
}

}  // namespace bindery
