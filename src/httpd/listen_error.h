#pragma once

// Private to src/httpd: why an address cannot be listened on.

#include <boost/asio/error.hpp>
#include <boost/system/error_code.hpp>
#include <string>

#include "core/base/error.h"

namespace bindery::httpd {

/// "cannot listen on WHERE: …". kAlreadyExists for an address in use, kPermissionDenied, else
/// kUnavailable.
[[nodiscard]] inline Error ListenError(const std::string& where,
                                       const boost::system::error_code& failure) {
  Error error;
  error.code = Code::kUnavailable;
  if (failure == boost::asio::error::address_in_use) error.code = Code::kAlreadyExists;
  if (failure == boost::asio::error::access_denied) error.code = Code::kPermissionDenied;
  error.message = "cannot listen on " + where + ": " + failure.message();
  return error;
}

}  // namespace bindery::httpd
