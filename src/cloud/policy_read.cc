#include "cloud/policy_read.h"

#include <utility>

#include "cloud/http_errors.h"

namespace bindery {
namespace {

Expected<std::string> BodyOrAbsence(const PolicyRead& read, Expected<HttpResponse> answer) {
  if (answer) return std::move(answer->body);
  if (answer.error().code == Code::kNotFound && !read.body_when_absent.empty()) {
    return read.body_when_absent;
  }
  if (answer.error().code == Code::kNotFound && !read.looked_for.empty()) {
    answer.error().message += "; looked for " + read.looked_for;
  }
  return Fail(std::move(answer.error()));
}

}  // namespace

bool IsGood(const HttpResponse& response) {
  return response.status >= 200 && response.status < 300;
}

bool RefusesCredentials(const HttpResponse& response) { return response.status == 401; }

Expected<std::string> BodyOf(const PolicyRead& read, Expected<HttpResponse> response) {
  return BodyOrAbsence(read,
                       cloud_internal::Judged(read.request, std::move(response), read.dialect));
}

Expected<std::string> Fetch(const PolicyRead& read, Transport& transport, Authorizer& authorizer) {
  return BodyOrAbsence(read,
                       cloud_internal::Exchange(transport, authorizer, read.request, read.dialect));
}

}  // namespace bindery
