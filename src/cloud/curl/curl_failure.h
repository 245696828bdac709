#pragma once

#include <curl/curl.h>

#include <string>

#include "cloud/curl/proxy_choice.h"
#include "cloud/transport.h"
#include "core/base/error.h"

namespace bindery::cloud {

/// One transfer without an answer.
struct FailedTransfer {
  const cloud::HttpRequest& request;
  const Proxy* proxy = nullptr;  ///< Null: none was asked.
  CURLcode code = CURLE_OK;
  std::string detail;  ///< What libcurl says of it.
  bool sent = false;   ///< Some of the request may have reached the server.
};

/// The error, with the remedy if known. Reads `easy` only.
[[nodiscard]] Error MakeError(CURL* easy, const FailedTransfer& failed);

/// A proxy's own answer (HTTP 407 and the like) in place of the server's.
[[nodiscard]] Error RefusedByProxy(const cloud::HttpRequest& request, const Proxy& proxy,
                                   long status);

/// Scheme, host and port of a URL: what a message may contain.
[[nodiscard]] std::string GetOrigin(const std::string& url);

}  // namespace bindery::cloud
