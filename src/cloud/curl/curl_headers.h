#pragma once

#include <curl/curl.h>

#include <memory>
#include <string>

#include "cloud/transport.h"

namespace bindery::cloud {

/// The headers of a handle's requests, in libcurl's form. Common headers are listed once; the next
/// request with the same headers reuses the list.
class CurlHeaders {
 public:
  CurlHeaders() = default;
  ~CurlHeaders() = default;
  CurlHeaders(const CurlHeaders&) = delete;
  CurlHeaders& operator=(const CurlHeaders&) = delete;

  /// The list for a request, valid until the next call. kInternal when a header holds a line break.
  [[nodiscard]] Expected<curl_slist*> ListFor(const cloud::HttpRequest& request);

 private:
  struct FreeList {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
  };

  [[nodiscard]] Expected<void> List(const cloud::HttpHeaders& headers);

  std::unique_ptr<curl_slist, FreeList> list_;
  cloud::HttpHeaders listed_;  ///< What `list_` was made of.
  std::string trace_line_;
  curl_slist trace_header_{};  ///< Borrows `trace_line_`, and `list_` as what follows.
};

}  // namespace bindery::cloud
