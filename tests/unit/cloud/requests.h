#pragma once

#include <string>

#include "cloud/transport.h"

namespace bindery::testing {

inline cloud::CurlTransportOptions Options() { return {"bindery/test"}; }

inline cloud::HttpRequest Get(const std::string& url) {
  cloud::HttpRequest request;
  request.url = url;
  return request;
}

}  // namespace bindery::testing
