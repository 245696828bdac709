#include "emulator/google/api/request_body.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "emulator/google/proto_reader.h"
#include "httpd/url.h"

namespace bindery::emulator {
namespace {

constexpr std::size_t kMaxJsonDepth = 100;

bool IsForm(const httpd::Request& request) {
  constexpr std::string_view kForm = "application/x-www-form-urlencoded";
  const std::string type = request.headers.Get("Content-Type");
  const std::string_view bare = std::string_view(type).substr(0, type.find_first_of("; "));
  return httpd::EqualsIgnoringCase(bare, kForm);
}

/// A field of a request that a parameter can set.
struct Parameter {
  std::string_view name;
  bool repeated = false;
};

std::vector<Parameter> FormParameters(const Call& call) {
  switch (call.verb) {
    case Call::Verb::kSetPolicy:
      return {{"updateMask"}};
    case Call::Verb::kTestPermissions:
      return {{"permissions", true}};
    case Call::Verb::kGenerateToken:
      return {{"delegates", true}, {"scope", true}, {"lifetime"}};
    default:
      return {};
  }
}

GoogleResult<Json> ReadFormBody(const Call& call, const httpd::Request& request) {
  // A broken escape leaves the text a name as it is.
  const auto fields =
      httpd::ParseQuery(request.body).value_or(httpd::Request::Query{{request.body, ""}});
  const std::vector<Parameter> known = FormParameters(call);
  Json message = Json::object();
  std::vector<FieldViolation> violations;
  for (const auto& [name, value] : fields) {
    const auto found =
        std::find_if(known.begin(), known.end(), [&key = name](const Parameter& one) {
          return one.name == key || ProtoName(one.name) == key;
        });
    if (found == known.end()) {
      violations.push_back({"", "Invalid JSON payload received. Unknown name \"" + name +
                                    "\": Cannot bind query parameter. Field '" + name +
                                    "' could not be found in request message."});
    } else if (found->repeated) {
      message[std::string(found->name)].push_back(value);
    } else {
      message[std::string(found->name)] = value;
    }
  }
  if (!violations.empty()) return tl::unexpected(BadRequest(violations));
  return message;
}

}  // namespace

GoogleResult<Json> ReadRequestBody(const Call& call, const httpd::Request& request) {
  const bool blank = request.body.find_first_not_of(" \t\r\n") == std::string::npos;
  if (blank) return Json::object();
  if (IsForm(request)) return ReadFormBody(call, request);
  auto body = ParseJson(request.body, kMaxJsonDepth);
  if (!body) {
    return tl::unexpected(BadRequest(
        {{"", "Invalid JSON payload received. Unexpected token.\n" + body.error().message}}));
  }
  if (!body->is_object()) {
    return tl::unexpected(BadRequest(
        {{"",
          "Invalid JSON payload received. Unknown name \"\": Root element must be a message."}}));
  }
  return std::move(*body);
}

}  // namespace bindery::emulator
