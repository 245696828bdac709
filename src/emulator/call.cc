#include "emulator/call.h"

#include <string_view>

#include "emulator/resource_name.h"

namespace bindery::emulator {
namespace {

constexpr std::string_view kAdmin = "/_emulator";
constexpr std::string_view kGoogle = "/v1/";
constexpr std::string_view kDatadog = "/api/";
constexpr std::string_view kRestriction = "/api/v2/restriction_policy";
constexpr std::string_view kCurrentUser = "/api/v2/current_user";

bool StartsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

void ClassifyGoogle(const httpd::Request& request, Call& call) {
  std::string_view rest = std::string_view(request.path).substr(kGoogle.size());
  const bool get = request.method == "GET" || request.method == "HEAD";
  const bool post = request.method == "POST";
  std::string_view verb;
  const std::size_t colon = rest.rfind(':');
  if (colon != std::string_view::npos && rest.find('/', colon) == std::string_view::npos) {
    verb = rest.substr(colon + 1);
    rest = rest.substr(0, colon);
  }
  const auto name = ParseResourceName(rest);
  if (!name) return;
  const bool has_policy = name->service != "migrationcenter";
  std::string method;
  if (get && verb.empty()) {
    call.verb = Call::Verb::kGet;
    method = "get";
  } else if (get && verb == "getIamPolicy" && has_policy) {
    call.verb = Call::Verb::kGetPolicy;
    method = verb;
  } else if (post && verb == "setIamPolicy" && has_policy) {
    call.verb = Call::Verb::kSetPolicy;
    method = verb;
  } else if (post && verb == "testIamPermissions" && has_policy) {
    call.verb = Call::Verb::kTestPermissions;
    method = verb;
  } else {
    return;
  }
  call.service = Call::Service::kGoogle;
  call.api = name->service;
  call.section = name->section;
  call.target = rest;
  call.operation = call.api + "." + method;
  call.permission = name->permission_prefix + "." + method;
}

void ClassifyDatadog(const httpd::Request& request, Call& call) {
  const std::string_view path = request.path;
  const bool get = request.method == "GET" || request.method == "HEAD";
  if (path == kCurrentUser && get) {
    call.service = Call::Service::kDatadog;
    call.verb = Call::Verb::kCurrentUser;
    call.operation = "currentUser.get";
    return;
  }
  if (!StartsWith(path, kRestriction)) return;
  std::string_view id = path.substr(kRestriction.size());
  if (!id.empty() && id.front() != '/') return;
  if (!id.empty()) id.remove_prefix(1);
  if (get) {
    call.verb = Call::Verb::kGet;
    call.operation = "restrictionPolicy.get";
  } else if (request.method == "POST") {
    call.verb = Call::Verb::kPost;
    call.operation = "restrictionPolicy.post";
  } else if (request.method == "DELETE") {
    call.verb = Call::Verb::kDelete;
    call.operation = "restrictionPolicy.delete";
  } else {
    return;
  }
  call.service = Call::Service::kDatadog;
  call.target = id;
}

}  // namespace

Call Classify(const httpd::Request& request) {
  Call call;
  if (StartsWith(request.path, kGoogle)) ClassifyGoogle(request, call);
  if (StartsWith(request.path, kDatadog)) ClassifyDatadog(request, call);
  if (request.path == kAdmin || StartsWith(request.path, std::string(kAdmin) + "/")) {
    call.service = Call::Service::kAdmin;
  }
  return call;
}

void RequestCounts::Add(const std::string& operation) {
  const std::lock_guard lock(mutex_);
  ++total_;
  ++operations_[operation];
}

void RequestCounts::Reset() {
  const std::lock_guard lock(mutex_);
  total_ = 0;
  operations_.clear();
}

Json RequestCounts::ToJson() {
  const std::lock_guard lock(mutex_);
  Json counts = {{"total", total_}, {"operations", Json::object()}};
  for (const auto& [operation, count] : operations_) counts["operations"][operation] = count;
  return counts;
}

}  // namespace bindery::emulator
