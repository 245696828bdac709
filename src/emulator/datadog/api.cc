#include "emulator/datadog/api.h"

#include <algorithm>

#include "core/base/json_text.h"
#include "emulator/datadog/current_user.h"
#include "emulator/datadog/datasets_api.h"
#include "emulator/datadog/list.h"
#include "emulator/datadog/listed_entries.h"
#include "emulator/datadog/object_lists.h"
#include "emulator/datadog/restriction_queries_api.h"
#include "emulator/datadog/restriction_rules.h"

namespace bindery::emulator {
namespace {

constexpr std::string_view kLockout = "allow_self_lockout";

Json RestrictionDocument(const std::string& id, Json bindings) {
  return Json{{"data", Json{{"type", "restriction_policy"},
                            {"id", id},
                            {"attributes", Json{{"bindings", std::move(bindings)}}}}}};
}

/// The recorded answer to a missing id.
httpd::Response EmptyId() {
  httpd::Response response;
  response.status = 308;
  response.headers = {{"Content-Type", "text/html; charset=utf-8"},
                      {"Location", "/api/v2/restriction_policy"}};
  response.body =
      "<!doctype html>\n<html lang=en>\n<title>Redirecting...</title>\n<h1>Redirecting...</h1>\n"
      "<p>You should be redirected automatically to the target URL: "
      "<a href=\"/api/v2/restriction_policy\">/api/v2/restriction_policy</a>. If not, click the "
      "link.\n";
  return response;
}

/// The endpoint needs no role permission; a list of operations limits the caller to these.
bool Allows(const Access& access, const Call& call) {
  if (access.Allows(call.operation, call.target)) return true;
  const auto& rules = access.credential.permissions.rules();
  return call.operation == "currentUser.get" ||
         (rules && !rules->empty() &&
          std::none_of(rules->begin(), rules->end(), [](const PermissionRule& rule) {
            return rule.permission.find_first_of(".*") != std::string::npos;
          }));
}

bool ReadLockout(const httpd::Request& request, bool& allowed) {
  const std::string* text = request.FindQuery(kLockout);
  allowed = text != nullptr && *text == "true";
  return text == nullptr || *text == "true" || *text == "false";
}

/// The user whose key the request has; null when none is seeded.
Json FindUser(Cloud& cloud, const Access& access) {
  return cloud.WithPrincipals(
      [&](const auto& known) { return known.FindUser(access.credential.user); });
}

httpd::Response Post(Cloud& cloud, const Call& call, const httpd::Request& request,
                     const Access& access) {
  bool lockout_allowed = false;
  if (!ReadLockout(request, lockout_allowed)) {
    return DatadogError(400, "Invalid request: query parameter \"" + std::string(kLockout) +
                                 "\" must be true or false");
  }
  const auto document = ParseJson(request.body);
  if (!document) return DatadogError(400, "Invalid request: the body is not valid JSON");
  auto bindings = ReadBindings(call.target, *document);
  if (!bindings) return DatadogError(400, bindings.error());
  std::vector<std::string> principals;
  for (const Json& binding : *bindings) {
    for (const Json& each : binding.at("principals")) principals.push_back(each.get<std::string>());
  }
  const auto refusal =
      cloud.WithPrincipals([&](const auto& known) { return known.Refuse(principals); });
  if (refusal) return DatadogError(400, *refusal);
  Cloud::Veto veto;
  const Json seeded = FindUser(cloud, access);
  if (!lockout_allowed && !seeded.is_null()) {
    veto = [&, caller = ListPrincipals(seeded)](const Json& present) {
      return RefuseLockout(call.target, present, *bindings, caller);
    };
  }
  const auto written = cloud.WriteRestriction(call.target, *bindings, veto);
  if (!written) return DatadogError(500, written.error().message);
  if (*written) return DatadogError(400, **written);
  return DatadogAnswer(200, RestrictionDocument(call.target, std::move(*bindings)));
}

httpd::Response Delete(Cloud& cloud, const Call& call) {
  const auto written = cloud.WriteRestriction(call.target, Json::array(), {});
  if (!written) return DatadogError(500, written.error().message);
  return DatadogAnswer(204, Json());
}

httpd::Response ListedPrincipals(Cloud& cloud, const Call& call, const httpd::Request& request) {
  std::vector<Json> listed =
      cloud.WithPrincipals([&](const auto& known) { return known.List(call.section); });
  auto document = ListDocument(call.section, std::move(listed), request);
  if (!document) return DatadogError(400, document.error());
  return DatadogAnswer(200, *document);
}

}  // namespace

Access DatadogAccess(Cloud& cloud, const httpd::Request& request) {
  const std::string bearer = request.headers.Get("Authorization");
  constexpr std::string_view kBearer = "Bearer ";
  const std::string* key = request.headers.Find("DD-API-KEY");
  const std::string* query_key = request.FindQuery("api_key");
  const std::string* app = request.headers.Find("DD-APPLICATION-KEY");
  const std::string* query_app = request.FindQuery("application_key");
  if (key == nullptr) key = query_key;
  if (app == nullptr) app = query_app;
  Access keys = cloud.identities().FindKeys(key == nullptr ? "" : *key,
                                            app == nullptr ? std::string() : *app);
  const bool has_token = bearer.rfind(kBearer, 0) == 0;
  if (keys.kind != Access::Kind::kMissing || !has_token) return keys;
  // Access tokens are the newer alternative to the pair of keys.
  return cloud.identities().FindSeededToken(bearer.substr(kBearer.size()));
}

httpd::Response DatadogAnswer(int status, const Json& body) {
  httpd::Response response;
  response.status = status;
  response.headers = {{"Content-Type", "application/json"},
                      {"Vary", "Accept-Encoding"},
                      {"X-Content-Type-Options", "nosniff"},
                      {"Strict-Transport-Security", "max-age=31536000; includeSubDomains; preload"},
                      {"X-Frame-Options", "SAMEORIGIN"}};
  // DELETE's answer has a type too, but nothing it could describe.
  if (status != 204) response.body = CompactJson(body) + "\n";
  return response;
}

httpd::Response DatadogError(int status, const std::string& text) {
  return DatadogAnswer(status, Json{{"errors", Json::array({text})}});
}

httpd::Response ServeDatadog(Cloud& cloud, const Call& call, const httpd::Request& request,
                             Staleness staleness) {
  const bool current_user = call.verb == Call::Verb::kCurrentUser;
  const bool list = call.verb == Call::Verb::kList;
  const bool listed = ListedEntries::Keeps(call.section);
  if (!current_user && !list && !listed && call.target.empty()) return EmptyId();
  const Access access = DatadogAccess(cloud, request);
  if (access.kind == Access::Kind::kMissing) return DatadogError(403, "API key required");
  if (access.kind == Access::Kind::kInvalid || !Allows(access, call)) {
    return DatadogError(403, "Forbidden");
  }
  if (current_user) {
    return DatadogAnswer(200, CurrentUserDocument(FindUser(cloud, access)));
  }
  if (call.operation == kObjectsList) return ServeObjectList(cloud, call, request);
  if (call.section == section::kDatasets) return ServeDatasets(cloud, call, request, staleness);
  if (listed) return ServeRestrictionQueries(cloud, call, request, staleness);
  if (list) return ListedPrincipals(cloud, call, request);
  if (auto refusal = RefuseId(call.target)) return DatadogError(400, *refusal);
  if (call.verb == Call::Verb::kPost) return Post(cloud, call, request, access);
  if (call.verb == Call::Verb::kDelete) return Delete(cloud, call);
  return DatadogAnswer(
      200, RestrictionDocument(call.target, cloud.ReadRestriction(call.target, staleness)));
}

}  // namespace bindery::emulator
