#include "providers/google/clients/identity_client.h"

#include "cloud/http_errors.h"
#include "manifests/schema/check_text.h"
#include "providers/google/clients/error_dialect.h"
#include "providers/google/rows/iam_kinds.h"
#include "providers/google/rows/iam_names.h"

namespace bindery::google {
namespace {

/// `version` of the service's API: "v3".
Expected<cloud::PolicyCall> Reading(const char* service, const std::string& base_url,
                                    const char* version, const std::string& name,
                                    std::chrono::milliseconds timeout) {
  auto path = cloud::EncodePath(name);
  if (!path) return Fail(std::move(path.error()));
  cloud::PolicyCall read;
  read.request.url = base_url + "/" + version + "/" + *path;
  read.request.headers.emplace_back("Accept", "application/json");
  read.request.timeout = timeout;
  read.request.service = service;
  read.request.operation = "get";
  read.dialect = &GoogleErrors();
  return read;
}

}  // namespace

Expected<cloud::PolicyCall> ReadingProject(const std::string& base_url,
                                           const std::string& id_or_number,
                                           std::chrono::milliseconds timeout) {
  return Reading(kResourceManager, base_url, "v3", "projects/" + id_or_number, timeout);
}

Expected<cloud::PolicyCall> ReadingAccount(const std::string& base_url,
                                           const std::string& by_number,
                                           std::chrono::milliseconds timeout) {
  return Reading(kIam, base_url, "v1", by_number, timeout);
}

Expected<reconcilers::ProjectIdentity> UnderstandProject(const cloud::PolicyCall& call,
                                                         const std::string& body) {
  const Expected<Json> answer = cloud::ParseObject(call.request, body);
  if (!answer) return Fail(answer.error());
  reconcilers::ProjectIdentity identity{
      StringMember(*answer, "projectId"),
      reconcilers::GetProjectNumber(StringMember(*answer, "name"))};
  if (identity.id.empty() || identity.number.empty() || manifests::IsDecimal(identity.id)) {
    return Fail(cloud::ShapeError(call.request, "a project without its id and number"));
  }
  return identity;
}

Expected<reconcilers::ProjectIdentity> UnderstandAccount(const cloud::PolicyCall& call,
                                                         const std::string& by_number,
                                                         const std::string& body) {
  const Expected<Json> answer = cloud::ParseObject(call.request, body);
  if (!answer) return Fail(answer.error());
  const std::string id = StringMember(*answer, "uniqueId");
  const std::string name = "projects/" + StringMember(*answer, "projectId") + "/serviceAccounts/" +
                           StringMember(*answer, "email");
  const auto canonical = CanonicalIamName(IamKind("ServiceAccountIamBinding"), name, "");
  if (!canonical || !reconcilers::IsAccountAddress(*canonical)) {
    return Fail(cloud::ShapeError(call.request,
                                  "a service account without its project and e-mail address"));
  }
  if (!by_number.ends_with("/" + id)) {
    return Fail(Code::kNotFound, "the service answered for the account " + id);
  }
  return reconcilers::ProjectIdentity{*canonical, by_number};
}

}  // namespace bindery::google
