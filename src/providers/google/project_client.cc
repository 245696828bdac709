#include "providers/google/project_client.h"

#include "cloud/http_errors.h"
#include "manifests/check_text.h"
#include "providers/google/error_dialect.h"

namespace bindery {
namespace {

constexpr std::string_view kProjects = "projects/";

}  // namespace

Expected<PolicyCall> ReadingProject(const std::string& base_url, const std::string& id_or_number,
                                    std::chrono::milliseconds timeout) {
  auto path = cloud_internal::EncodePath(std::string(kProjects) + id_or_number);
  if (!path) return Fail(std::move(path.error()));
  PolicyCall read;
  read.request.url = base_url + "/v3/" + *path;
  read.request.headers.emplace_back("Accept", "application/json");
  read.request.timeout = timeout;
  read.request.service = kResourceManager;
  read.request.operation = "get";
  read.dialect = &GoogleErrors();
  return read;
}

Expected<ProjectIdentity> UnderstandProject(const PolicyCall& call, const std::string& body) {
  const Expected<Json> answer = cloud_internal::ParseObject(call.request, body);
  if (!answer) return Fail(answer.error());
  ProjectIdentity identity{StringMember(*answer, "projectId"),
                           ProjectNumberOf(StringMember(*answer, "name"))};
  if (identity.id.empty() || identity.number.empty() || IsDecimal(identity.id)) {
    return Fail(cloud_internal::ShapeError(call.request, "a project without its id and number"));
  }
  return identity;
}

}  // namespace bindery
