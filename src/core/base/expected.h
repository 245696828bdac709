#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

#include "core/base/error.h"

namespace bindery {

/// A value or an Error. tl::expected of the version is not [[nodiscard]]; this is.
template <typename T>
class [[nodiscard]] Expected : public tl::expected<T, Error> {
 public:
  using Base = tl::expected<T, Error>;
  using Base::Base;
  Expected(Base base)
      : Base(std::move(base)) {
  }  // NOLINT(google-explicit-constructor): so that chains convert back
};

/// `return Fail(Code::kNotFound, "no such thing")` in a function that returns Expected.
[[nodiscard]] inline tl::unexpected<Error> Fail(Code code, std::string message) {
  Error error;
  error.code = code;
  error.message = std::move(message);
  return tl::unexpected<Error>(std::move(error));
}

[[nodiscard]] inline tl::unexpected<Error> Fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}

}  // namespace bindery
