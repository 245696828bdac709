#pragma once

#include <utility>

#include "cloud/authorizer.h"

namespace bindery::testing {

/// What it adds to a request; its error in their place.
inline cloud::HttpHeaders HeadersOf(cloud::Authorizer& authorizer) {
  cloud::HttpRequest request;
  if (auto done = authorizer.Authorize(request); !done) return {{"error", done.error().message}};
  return request.headers;
}

/// A request as it went out.
inline cloud::HttpRequest Sent(cloud::HttpHeaders headers) {
  cloud::HttpRequest request;
  request.headers = std::move(headers);
  return request;
}

}  // namespace bindery::testing
