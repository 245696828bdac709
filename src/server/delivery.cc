#include "server/delivery.h"

#include <malloc.h>

#include <cstddef>
#include <string>
#include <utility>

#include "httpd/coding/content_coding.h"
#include "httpd/coding/packed_body.h"
#include "server/requests/replies.h"

namespace bindery::server {
namespace {

/// Shorter bodies gain nothing.
constexpr std::size_t kWorthCoding = std::size_t{1} << 10U;
constexpr std::size_t kWorthHolding = std::size_t{64} << 10U;
constexpr std::size_t kWorthTidying = std::size_t{1} << 20U;

std::size_t LengthOf(const httpd::Response& response) {
  return response.packed != nullptr ? response.packed->size() : response.body.size();
}

httpd::PackedBody Packed(std::string body) {
  httpd::PackedBody packed;
  packed.Append(std::exchange(body, {}));
  packed.Finish();
  return packed;
}

/// The response with the body in its place; an error where the budget has no room for the body.
httpd::Response Holding(const ListBudget& budget, httpd::Response response,
                        httpd::PackedBody body) {
  if (!budget.Fits(body.packed_size())) return ErrorReply(OthersWait());
  response.packed = budget.Hold(std::move(body));
  return response;
}

httpd::Response Coded(const ListBudget& budget, httpd::Response response,
                      httpd::ContentCoding coding) {
  httpd::PackedBody coded = response.packed != nullptr
                                ? response.packed->Coded(coding)
                                : Packed(std::move(response.body)).Coded(coding);
  response.packed = nullptr;
  response.body.clear();
  response.headers.Set("Content-Encoding", std::string(ToString(coding)));
  return Holding(budget, std::move(response), std::move(coded));
}

}  // namespace

void Deliver(const ListBudget& budget, const httpd::Request& request,
             const httpd::Responder& responder, httpd::Response response, Coding coding) {
  const bool is_long = LengthOf(response) > kWorthTidying;
  auto wanted = httpd::ContentCoding::kIdentity;
  if (coding == Coding::kAsAsked) {
    response.headers.Set("Vary", "Accept-Encoding");
    wanted = httpd::WantedCoding(request.headers.Get("Accept-Encoding"));
  }
  if (wanted != httpd::ContentCoding::kIdentity && LengthOf(response) >= kWorthCoding) {
    response = Coded(budget, std::move(response), wanted);
  } else if (response.body.size() > kWorthHolding) {
    httpd::PackedBody body = Packed(std::exchange(response.body, {}));
    response = Holding(budget, std::move(response), std::move(body));
  }
  responder.Send(std::move(response));
  // Left to itself the allocator keeps what many small objects needed.
  if (is_long) ::malloc_trim(0);
}

}  // namespace bindery::server
