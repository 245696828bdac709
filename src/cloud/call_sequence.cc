#include "cloud/call_sequence.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "cloud/http_errors.h"

namespace bindery::cloud {
namespace {

/// True: the refusal is on record, and the next request is to be sent.
bool PassedOver(PolicyCall& call, const HttpResponse& response) {
  Expected<HttpResponse> judged =
      Judged(call.request, Expected<HttpResponse>(response), *call.dialect);
  if (judged || !call.sequence->PassOver(call, judged.error())) return false;
  if (call.refused_step == nullptr) {
    call.refused_step = std::make_shared<const Error>(std::move(judged.error()));
  }
  return true;
}

}  // namespace

bool IsForSequence(const PolicyCall& call, const HttpResponse& response) {
  const bool refusal = response.status >= 400 && response.status < 500 &&
                       response.status != kTooManyRequests && !RefusesCredentials(response);
  return call.sequence != nullptr && (IsGood(response) || refusal);
}

bool TakeAnswer(PolicyCall& call, Expected<HttpResponse>& response) {
  if (!response || !IsForSequence(call, *response)) return false;
  if (!IsGood(*response)) return PassedOver(call, *response);
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

}  // namespace bindery::cloud
