#pragma once

#include <curl/curl.h>

#include <cctype>
#include <string>
#include <utility>
#include <vector>

#include "support/certificates.h"

namespace bindery::testing {

/// What a request over HTTPS is made with, by libcurl.
struct HttpsRequest {
  std::string method = "GET";
  std::string authority;         ///< PEM file of whom the server's certificate must come from.
  CertificateFiles certificate;  ///< The client's own; empty for none.
  std::string user;              ///< "name:password"; empty for none.
  std::vector<std::string> headers = {};
  std::string body = {};
  long most_version = CURL_SSLVERSION_MAX_DEFAULT;
};

/// An answer, or why there is none.
struct HttpsResult {
  CURLcode error = CURLE_OK;
  long status = 0;
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;  ///< Names in lower case.
  std::string issued_to;  ///< The subject of the server's certificate.

  [[nodiscard]] std::string Header(const std::string& name) const {
    for (const auto& [key, value] : headers) {
      if (key == name) return value;
    }
    return {};
  }
};

/// One request on a connection of its own; gives up after 20 s.
[[nodiscard]] HttpsResult FetchSecurely(const std::string& url, const HttpsRequest& request);

}  // namespace bindery::testing
