#include "emulator/google/api/metadata_api.h"

#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>

#include "emulator/google/api/api.h"

namespace bindery::emulator {
namespace {

constexpr std::string_view kAccountsFolder = "instance/service-accounts";

/// What a machine knows of itself and no seed says.
constexpr std::string_view kNumericProject = "123456789012";
constexpr std::string_view kInstance = "4520031799277581759";
constexpr std::string_view kZone = "us-central1-a";

httpd::Response MetadataJson(const Json& body) {
  httpd::Response response = MetadataText(200, body.dump());
  response.headers.Set("Content-Type", "application/json");
  return response;
}

httpd::Response NotThere() { return MetadataText(404, "404 page not found\n"); }

Json AccountDocument(const std::string& email) {
  return Json{{"aliases", Json::array({"default"})},
              {"email", email},
              {"scopes", Json::array({std::string(kCloudScope)})}};
}

httpd::Response ServeToken(Identities& identities, const ServiceAccount& account,
                           const httpd::Request& request) {
  std::vector<std::string> scopes;
  if (const std::string* asked = request.FindQuery("scopes")) scopes = SplitScopes(*asked, ',');
  if (scopes.empty()) scopes.emplace_back(kCloudScope);
  const AccessToken token =
      identities.Issue("serviceAccount:" + account.email, account.permissions, std::move(scopes));
  return MetadataJson(Json{{"access_token", token.token},
                           {"expires_in", token.lifetime.count()},
                           {"token_type", "Bearer"}});
}

/// `path` follows ".../service-accounts": "/default/token".
httpd::Response ServeAccount(Identities& identities, const Metadata& metadata, std::string path,
                             const httpd::Request& request) {
  const bool recursive = request.FindQuery("recursive") != nullptr;
  const std::string& email = metadata.service_account;
  if (path.empty() || path == "/") {
    if (!recursive) return MetadataText(200, email + "/\ndefault/\n");
    return MetadataJson(Json{{email, AccountDocument(email)}, {"default", AccountDocument(email)}});
  }
  path.erase(0, 1);
  const std::size_t slash = path.find('/');
  const std::string name = path.substr(0, slash);
  const std::string what = slash == std::string::npos ? "" : path.substr(slash + 1);
  const auto account = identities.FindAccount(email);
  if ((name != "default" && name != email) || !account) return NotThere();
  if (what.empty()) {
    if (recursive) return MetadataJson(AccountDocument(email));
    return MetadataText(200, "aliases\nemail\nidentity\nscopes\ntoken\n");
  }
  if (what == "email") return MetadataText(200, email);
  if (what == "scopes") return MetadataText(200, std::string(kCloudScope) + "\n");
  if (what == "aliases") return MetadataText(200, "default\n");
  return what == "token" ? ServeToken(identities, *account, request) : NotThere();
}

std::string List(std::initializer_list<std::string_view> names) {
  std::string list;
  for (const std::string_view name : names) list.append(name).append("\n");
  return list;
}

httpd::Response ServeProject(const Metadata& metadata, const std::string& what, bool recursive) {
  if (what == "project-id") return MetadataText(200, metadata.project);
  if (what == "numeric-project-id") return MetadataText(200, std::string(kNumericProject));
  if (!what.empty()) return NotThere();
  if (!recursive) return MetadataText(200, List({"numeric-project-id", "project-id"}));
  return MetadataJson(Json{{"projectId", metadata.project},
                           {"numericProjectId", std::stoll(std::string(kNumericProject))}});
}

httpd::Response ServeInstance(const std::string& what) {
  if (what.empty()) return MetadataText(200, List({"id", "service-accounts/", "zone"}));
  if (what == "id") return MetadataText(200, std::string(kInstance));
  if (what != "zone") return NotThere();
  return MetadataText(200,
                      "projects/" + std::string(kNumericProject) + "/zones/" + std::string(kZone));
}

/// What follows `folder` in a path: nothing for the folder itself.
std::optional<std::string> Inside(const std::string& path, const std::string& folder) {
  if (path == folder) return "";
  if (path.rfind(folder + "/", 0) != 0) return std::nullopt;
  return path.substr(folder.size() + 1);
}

}  // namespace

httpd::Response MetadataText(int status, std::string body) {
  httpd::Response response;
  response.status = status;
  response.headers = {
      {"Content-Type", status == 200 ? "application/text" : "text/html; charset=UTF-8"},
      {"Metadata-Flavor", "Google"},
      {"Server", "Metadata Server for VM"},
      {"X-XSS-Protection", "0"},
      {"X-Frame-Options", "SAMEORIGIN"}};
  response.body = std::move(body);
  return response;
}

httpd::Response ServeMetadata(Identities& identities, const Call& call,
                              const httpd::Request& request) {
  const auto metadata = identities.GetMetadata();
  if (!metadata) return UnknownPath(request);
  if (!httpd::EqualsIgnoringCase(request.headers.Get("Metadata-Flavor"), "Google")) {
    return MetadataText(403, "Missing Metadata-Flavor:Google header.\n");
  }
  // A forwarded request does not come from the machine.
  if (!request.headers.Get("X-Forwarded-For").empty()) {
    return MetadataText(403, "Request contains the X-Forwarded-For header.\n");
  }
  std::string path = call.target;
  if (path.rfind(kAccountsFolder, 0) == 0) {
    return ServeAccount(identities, *metadata, path.substr(kAccountsFolder.size()), request);
  }
  if (!path.empty() && path.back() == '/') path.pop_back();
  if (path == "/" || path.empty()) return MetadataText(200, "computeMetadata/\n");
  if (const auto what = Inside(path, "instance")) return ServeInstance(*what);
  if (const auto what = Inside(path, "project")) {
    return ServeProject(*metadata, *what, request.FindQuery("recursive") != nullptr);
  }
  if (path == "universe/universe-domain" && !metadata->universe_domain.empty()) {
    return MetadataText(200, metadata->universe_domain);
  }
  return NotThere();
}

}  // namespace bindery::emulator
