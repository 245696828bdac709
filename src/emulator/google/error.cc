#include "emulator/google/error.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace bindery::emulator {
namespace {

constexpr std::string_view kTypes = "type.googleapis.com/google.rpc.";

struct StatusName {
  int http_status;
  std::string_view name;
  std::string_view message;
};

constexpr std::array<StatusName, 12> kStatuses = {{
    {400, "INVALID_ARGUMENT", "Request contains an invalid argument."},
    {401, "UNAUTHENTICATED",
     "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie "
     "or other valid authentication credential. See "
     "https://developers.google.com/identity/sign-in/web/devconsole-project."},
    {403, "PERMISSION_DENIED", "The caller does not have permission"},
    {404, "NOT_FOUND", "Requested entity was not found."},
    {409, "ABORTED",
     "There were concurrent policy changes. Please retry the whole read-modify-write with "
     "exponential backoff."},
    {412, "FAILED_PRECONDITION", "Precondition check failed."},
    {429, "RESOURCE_EXHAUSTED", "Resource has been exhausted (e.g. check quota)."},
    {499, "CANCELLED", "The operation was cancelled."},
    {500, "INTERNAL", "Internal error encountered."},
    {501, "UNIMPLEMENTED", "Operation is not implemented, or supported, or enabled."},
    {503, "UNAVAILABLE", "The service is currently unavailable."},
    {504, "DEADLINE_EXCEEDED", "Deadline expired before operation could complete."},
}};

/// Services by the form of their errors, as recorded from clients.
constexpr std::array<std::string_view, 2> kWithoutStatus = {"compute", "storage"};
constexpr std::array<std::string_view, 9> kWithReasons = {"apigateway", "bigquery",  "biglake",
                                                          "cloudtasks", "container", "dialogflow",
                                                          "dns",        "gkebackup", "iam"};

bool Holds(std::span<const std::string_view> services, std::string_view service) {
  return std::find(services.begin(), services.end(), service) != services.end();
}

std::string GetReason(const GoogleError& error) {
  if (!error.reason.empty()) return error.reason;
  constexpr std::array<std::pair<int, const char*>, 8> kReasons = {{{400, "badRequest"},
                                                                    {401, "authError"},
                                                                    {403, "forbidden"},
                                                                    {404, "notFound"},
                                                                    {409, "aborted"},
                                                                    {412, "conditionNotMet"},
                                                                    {429, "rateLimitExceeded"},
                                                                    {500, "internalError"}}};
  for (const auto& [status, reason] : kReasons) {
    if (status == error.http_status) return reason;
  }
  return "backendError";
}

}  // namespace

Json ErrorInfo(std::string_view reason, std::string_view domain, Json metadata) {
  return Json{{"@type", std::string(kTypes) + "ErrorInfo"},
              {"reason", reason},
              {"domain", domain},
              {"metadata", std::move(metadata)}};
}

GoogleError InvalidArgument(std::string message) {
  GoogleError error;
  error.message = std::move(message);
  return error;
}

GoogleError BadRequest(const std::vector<FieldViolation>& violations) {
  GoogleError error;
  Json list = Json::array();
  for (const FieldViolation& violation : violations) {
    if (!error.message.empty()) error.message += "\n";
    error.message += violation.description;
    Json item = Json::object();
    if (!violation.field.empty()) item["field"] = violation.field;
    item["description"] = violation.description;
    list.push_back(std::move(item));
  }
  error.details.push_back(
      Json{{"@type", std::string(kTypes) + "BadRequest"}, {"fieldViolations", std::move(list)}});
  return error;
}

GoogleError NotFound(const std::string& resource) {
  GoogleError error;
  error.http_status = 404;
  error.status = "NOT_FOUND";
  error.message = "Resource '" + resource + "' was not found";
  error.details.push_back(
      Json{{"@type", std::string(kTypes) + "ResourceInfo"}, {"resourceName", resource}});
  return error;
}

GoogleError PermissionDenied(const std::string& permission, const std::string& resource) {
  GoogleError error;
  error.http_status = 403;
  error.status = "PERMISSION_DENIED";
  error.message = "Permission '" + permission + "' denied on resource '//" +
                  permission.substr(0, permission.find('.')) + ".googleapis.com/" + resource +
                  "' (or it may not exist).";
  error.details.push_back(ErrorInfo("IAM_PERMISSION_DENIED", "iam.googleapis.com",
                                    Json{{"resource", resource}, {"permission", permission}}));
  return error;
}

GoogleError Unauthenticated(const std::string& reason, const std::string& service) {
  GoogleError error = Injected(401);
  if (reason == "CREDENTIALS_MISSING") {
    error.message =
        "Request is missing required authentication credential. Expected OAuth 2 access token, "
        "login cookie or other valid authentication credential. See "
        "https://developers.google.com/identity/sign-in/web/devconsole-project.";
  }
  error.details = Json::array(
      {ErrorInfo(reason, "googleapis.com", Json{{"service", service + ".googleapis.com"}})});
  return error;
}

GoogleError InsufficientScope(const std::string& service) {
  GoogleError error = Injected(403);
  error.message = "Request had insufficient authentication scopes.";
  error.details.push_back(ErrorInfo("ACCESS_TOKEN_SCOPE_INSUFFICIENT", "googleapis.com",
                                    Json{{"service", service + ".googleapis.com"}}));
  return error;
}

GoogleError Injected(int http_status) {
  GoogleError error;
  error.http_status = http_status;
  error.status = http_status >= 500 ? "UNAVAILABLE" : "FAILED_PRECONDITION";
  error.message =
      http_status >= 500 ? "The service is currently unavailable." : "Precondition check failed.";
  for (const StatusName& known : kStatuses) {
    if (known.http_status != http_status) continue;
    error.status = known.name;
    error.message = known.message;
  }
  if (http_status == 401) {
    error.details.push_back(ErrorInfo("ACCESS_TOKEN_EXPIRED", "googleapis.com", Json::object()));
  }
  if (http_status == 429) {
    error.details.push_back(ErrorInfo("RATE_LIMIT_EXCEEDED", "googleapis.com", Json::object()));
  }
  return error;
}

GoogleError StoreFailure(const Error& error) {
  GoogleError failure = Injected(500);
  failure.message += " " + error.message;
  return failure;
}

GoogleError ConditionNotMet() {
  GoogleError error = Injected(kPreconditionFailed);
  error.message = "At least one of the pre-conditions you specified did not hold.";
  error.reason = "conditionNotMet";
  return error;
}

Json ToJson(const GoogleError& error, std::string_view service) {
  Json body = {{"code", error.http_status}, {"message", error.message}};
  const bool has_status = !Holds(kWithoutStatus, service);
  if (has_status) body["status"] = error.status;
  if (!has_status || Holds(kWithReasons, service)) {
    body["errors"] = Json::array(
        {Json{{"message", error.message}, {"domain", "global"}, {"reason", GetReason(error)}}});
  }
  if (!error.details.empty() && has_status) body["details"] = error.details;
  return Json{{"error", std::move(body)}};
}

}  // namespace bindery::emulator
