#include "server/delivery.h"

#include <malloc.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "httpd/coding/content_coding.h"
#include "httpd/coding/packed_body.h"

namespace bindery::server {
namespace {

/// Shorter bodies gain nothing.
constexpr std::size_t kWorthCoding = std::size_t{1} << 10U;
constexpr std::size_t kWorthHolding = std::size_t{64} << 10U;
/// Longer bodies are packed, however few there are.
constexpr std::size_t kWorthPacking = std::size_t{256} << 10U;
constexpr std::size_t kWorthTidying = std::size_t{1} << 20U;

std::size_t MeasureLength(const httpd::Response& response) {
  return response.packed != nullptr ? response.packed->size() : response.body.size();
}

httpd::PackedBody Packed(std::string body) {
  httpd::PackedBody packed;
  packed.Append(std::exchange(body, {}));
  packed.Finish();
  return packed;
}

/// The response with the body in its place; nothing where the budget has no room for the body.
std::optional<httpd::Response> Holding(const ListBudget& budget, httpd::Response response,
                                       httpd::PackedBody body) {
  if (!budget.Fits(body.packed_size())) return std::nullopt;
  response.packed = budget.Hold(std::move(body));
  return response;
}

httpd::PackedBody CodedBody(httpd::Response& response, httpd::ContentCoding coding) {
  const auto packed = std::exchange(response.packed, nullptr);
  if (packed != nullptr) return packed->Coded(coding);
  std::string text = std::exchange(response.body, {});
  if (coding == httpd::ContentCoding::kGzip) return httpd::PackedBody::Gzipped(text);
  return Packed(std::move(text)).Coded(coding);
}

/// The response as it goes out.
std::optional<httpd::Response> ReadyToSend(const ListBudget& budget, httpd::Response response,
                                           httpd::ContentCoding wanted) {
  if (wanted != httpd::ContentCoding::kIdentity && MeasureLength(response) >= kWorthCoding) {
    httpd::PackedBody body = CodedBody(response, wanted);
    response.headers.Set("Content-Encoding", std::string(ToString(wanted)));
    return Holding(budget, std::move(response), std::move(body));
  }
  if (response.body.size() <= kWorthHolding) return response;
  if (response.body.size() <= kWorthPacking && budget.IsFree(response.body.size())) {
    auto body = httpd::PackedBody::Plain(std::exchange(response.body, {}));
    return Holding(budget, std::move(response), std::move(body));
  }
  httpd::PackedBody body = Packed(std::exchange(response.body, {}));
  return Holding(budget, std::move(response), std::move(body));
}

}  // namespace

bool Deliver(const ListBudget& budget, const httpd::Request& request,
             const httpd::Responder& responder, httpd::Response response, AnswerKind kind) {
  // A body that comes packed was never a long text, or LargeAnswers tidies up behind it.
  const bool tidies = kind != AnswerKind::kMetrics && response.body.size() > kWorthTidying;
  auto wanted = httpd::ContentCoding::kIdentity;
  if (kind != AnswerKind::kPage) {
    response.headers.Set("Vary", "Accept-Encoding");
    wanted = httpd::WantedCoding(request.headers.Get("Accept-Encoding"));
  }
  auto ready = ReadyToSend(budget, std::move(response), wanted);
  const bool fits = ready.has_value();
  if (fits) responder.Send(*std::move(ready));
  // Left to itself the allocator keeps what many small objects needed.
  if (tidies) ::malloc_trim(0);
  return fits;
}

}  // namespace bindery::server
