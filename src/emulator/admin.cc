#include "emulator/admin.h"

#include "emulator/seed.h"
#include "yaml/node.h"
#include "yaml/reader.h"

namespace bindery::emulator {
namespace {

httpd::Response RespondAsAdmin(int status, const Json& body) {
  return httpd::JsonResponse(status,
                             body.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

httpd::Response Refuse(int status, const std::string& message) {
  return RespondAsAdmin(status, Json{{"error", message}});
}

httpd::Response WrongMethod(const char* allowed) {
  httpd::Response response = Refuse(405, std::string("use ") + allowed);
  response.headers.Add("Allow", allowed);
  return response;
}

httpd::Response ServeCounts(RequestCounts& counts, const httpd::Request& request) {
  if (request.method == "GET" || request.method == "HEAD")
    return RespondAsAdmin(200, counts.ToJson());
  if (request.method != "DELETE") return WrongMethod("GET, DELETE");
  counts.Reset();
  return RespondAsAdmin(200, counts.ToJson());
}

httpd::Response ServeSeed(Cloud& cloud, const httpd::Request& request) {
  if (request.method == "GET" || request.method == "HEAD") {
    return RespondAsAdmin(200, SeedDocument(cloud.Entries()));
  }
  if (request.method != "PUT") return WrongMethod("GET, PUT");
  auto entries = ReadSeed(request.body, "seed");
  if (!entries) return Refuse(400, entries.error().message);
  if (auto replaced = cloud.Replace(std::move(*entries)); !replaced) {
    return Refuse(500, replaced.error().message);
  }
  return RespondAsAdmin(200, Json::object());
}

/// A list in YAML (JSON included); null for an empty text.
Expected<Json> ReadList(const std::string& text) {
  if (auto json = ParseJson(text)) return json;
  const yaml::ReadResult read = yaml::ReadYaml(text);
  if (!read.faults.empty()) {
    const yaml::Fault& fault = read.faults.front();
    return Fail(Code::kInvalidArgument, "faults:" + std::to_string(fault.at.line) + ":" +
                                            std::to_string(fault.at.column) + ": " + fault.message);
  }
  if (read.documents.size() != 1) {
    return Fail(Code::kInvalidArgument, "expected one document with a list of faults");
  }
  return ToJson(read.documents.front().root);
}

httpd::Response ServeFaults(Faults& faults, const httpd::Request& request) {
  if (request.method == "GET" || request.method == "HEAD")
    return RespondAsAdmin(200, faults.ToJson());
  if (request.method != "PUT" && request.method != "DELETE") return WrongMethod("GET, PUT, DELETE");
  const Expected<Json> list =
      request.method == "DELETE" ? Expected<Json>(Json::array()) : ReadList(request.body);
  if (!list) return Refuse(400, list.error().message);
  if (auto set = faults.Set(*list); !set) return Refuse(400, set.error().message);
  return RespondAsAdmin(200, faults.ToJson());
}

httpd::Response ServeTokens(Cloud& cloud, const httpd::Request& request) {
  if (request.method != "DELETE") return WrongMethod("DELETE");
  return RespondAsAdmin(200, Json{{"revoked", cloud.identities().RevokeTokens()}});
}

}  // namespace

httpd::Response ServeAdmin(Cloud& cloud, Faults& faults, RequestCounts& counts,
                           const httpd::Request& request) {
  if (request.path == "/_emulator/requests") return ServeCounts(counts, request);
  if (request.path == "/_emulator/seed") return ServeSeed(cloud, request);
  if (request.path == "/_emulator/faults") return ServeFaults(faults, request);
  if (request.path == "/_emulator/tokens") return ServeTokens(cloud, request);
  return Refuse(404,
                "there is /_emulator/requests, /_emulator/seed, /_emulator/faults and "
                "/_emulator/tokens");
}

}  // namespace bindery::emulator
