#include "cloud/call_sequence.h"

#include <algorithm>
#include <utility>

namespace bindery {

bool TakeAnswer(PolicyCall& call, Expected<HttpResponse>& response) {
  if (call.sequence == nullptr || !response || !IsGood(*response)) return false;
  const bool changes = call.request.method != "GET";
  const bool goes_on = call.sequence->Take(call, response->body);
  call.partly_done = call.partly_done || changes;
  std::string body = std::move(call.earlier_answers) + response->body;
  call.earlier_answers.clear();
  if (body.size() > call.request.max_response_bytes) {
    response = Fail(Code::kFailedPrecondition, "the list has more than " +
                                                   std::to_string(call.request.max_response_bytes) +
                                                   " bytes, which is the most that is read");
    return false;
  }
  if (!goes_on) {
    response->body = std::move(body);
    return false;
  }
  const auto answers = static_cast<std::size_t>(std::ranges::count(body, kAnswerSeparator)) + 1;
  if (answers >= kMaxAnswers) {
    response =
        Fail(Code::kFailedPrecondition, "the list has more than " + std::to_string(kMaxAnswers) +
                                            " pages, which is the most that is read");
    return false;
  }
  if (!response->body.empty()) body += kAnswerSeparator;
  call.earlier_answers = std::move(body);
  return true;
}

}  // namespace bindery
