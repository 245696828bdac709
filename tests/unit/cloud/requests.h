#pragma once

#include <string>

#include "cloud/transport.h"

namespace bindery::testing {

inline CurlTransportOptions Options() { return {"bindery/test"}; }

inline HttpRequest Get(const std::string& url) {
  HttpRequest request;
  request.url = url;
  return request;
}

}  // namespace bindery::testing
