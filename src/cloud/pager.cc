#include "cloud/pager.h"

#include <algorithm>
#include <utility>

namespace bindery {

bool TakePage(PolicyCall& call, Expected<HttpResponse>& response) {
  if (call.pager == nullptr || !response || !IsGood(*response)) return false;
  std::optional<std::string> next = call.pager->Take(call.request.url, response->body);
  std::string body = std::move(call.earlier_pages) + response->body;
  call.earlier_pages.clear();
  if (body.size() > call.request.max_response_bytes) {
    response = Fail(Code::kFailedPrecondition, "the list has more than " +
                                                   std::to_string(call.request.max_response_bytes) +
                                                   " bytes, which is the most that is read");
    return false;
  }
  if (!next) {
    response->body = std::move(body);
    return false;
  }
  const auto pages = static_cast<std::size_t>(std::ranges::count(body, kPageSeparator)) + 1;
  if (pages >= kMaxPages) {
    response =
        Fail(Code::kFailedPrecondition, "the list has more than " + std::to_string(kMaxPages) +
                                            " pages, which is the most that is read");
    return false;
  }
  call.earlier_pages = std::move(body) + kPageSeparator;
  call.request.url = std::move(*next);
  return true;
}

}  // namespace bindery
