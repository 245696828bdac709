#include "cloud/curl/incoming_response.h"

#include <utility>

#include "cloud/credentials/text.h"

namespace bindery::cloud {
namespace {

constexpr std::size_t kMaxHeaderBytes = 256U << 10U;
constexpr std::size_t kUsualHeaders = 8;

}  // namespace

bool IncomingResponse::TakeHeader(std::string_view line) {
  header_bytes_ += line.size();
  if (header_bytes_ > kMaxHeaderBytes) return false;
  line = Trimmed(line);
  cloud::HttpHeaders& headers = response_.headers;
  if (line.substr(0, 5) == "HTTP/") {
    headers.clear();  // What came before belonged to an interim answer.
    headers.reserve(kUsualHeaders);
    return true;
  }
  const std::size_t colon = line.find(':');
  if (colon != std::string_view::npos && colon > 0) {
    headers.emplace_back(LowerCase(Trimmed(line.substr(0, colon))),
                         std::string(Trimmed(line.substr(colon + 1))));
  }
  return true;
}

bool IncomingResponse::TakeBody(std::string_view bytes) {
  std::string& body = response_.body;
  if (bytes.size() > max_body_bytes_ - body.size()) {
    body_too_large_ = true;
    return false;
  }
  body.append(bytes);
  return true;
}

std::string IncomingResponse::ExceededLimit() const {
  if (body_too_large_) return std::to_string(max_body_bytes_) + " bytes";
  if (header_bytes_ > kMaxHeaderBytes) return std::to_string(kMaxHeaderBytes) + " bytes of headers";
  return {};
}

cloud::HttpResponse IncomingResponse::Take(int status) {
  response_.status = status;
  return std::move(response_);
}

}  // namespace bindery::cloud
