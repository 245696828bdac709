#pragma once

#include <crypt.h>

#include <memory>
#include <string>

namespace bindery::testing {

/// The hash of a password as a web configuration holds it, of the least cost.
inline std::string Bcrypt(const std::string& password) {
  const auto state = std::make_unique<crypt_data>();
  return ::crypt_r(password.c_str(), "$2b$04$tjiWWoAE778CBEffAu8jVe", state.get());
}

}  // namespace bindery::testing
