#include "cloud/policy_call.h"

#include <utility>

#include "cloud/call_sequence.h"
#include "cloud/http_errors.h"

namespace bindery::cloud {
namespace {

Expected<std::string> BodyOrAbsence(const PolicyCall& call, Expected<HttpResponse> answer) {
  if (call.refused_step != nullptr) answer = Fail(*call.refused_step);
  if (answer) return std::move(answer->body);
  if (call.partly_done) answer.error().outcome_unknown = true;
  if (answer.error().code == Code::kNotFound && !call.body_when_absent.empty()) {
    return call.body_when_absent;
  }
  if (answer.error().code == Code::kNotFound && !call.looked_for.empty()) {
    answer.error().message += "; looked for " + call.looked_for;
  }
  return Fail(std::move(answer.error()));
}

}  // namespace

bool IsGood(const HttpResponse& response) {
  return response.status >= 200 && response.status < 300;
}

bool RefusesCredentials(const HttpResponse& response) { return response.status == 401; }

Expected<void> PutCredentials(PolicyCall& call, Authorizer& authorizer) {
  auto done = authorizer.Authorize(call.request);
  if (!done) return Fail(NoCredentialsToday(done.error()));
  return {};
}

Expected<std::string> MakeBody(const PolicyCall& call, Expected<HttpResponse> response) {
  return BodyOrAbsence(call, Judged(call.request, std::move(response), *call.dialect));
}

Expected<std::string> Send(const PolicyCall& call, Transport& transport, Authorizer& authorizer) {
  PolicyCall step = call;
  const std::size_t plain_headers = step.request.headers.size();
  for (;;) {
    auto answer = SendAuthorized(transport, authorizer, step.request);
    if (!TakeAnswer(step, answer)) return MakeBody(step, std::move(answer));
    step.request.headers.resize(plain_headers);
  }
}

}  // namespace bindery::cloud
