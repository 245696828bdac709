#include "controller/sharing/check_batch.h"

#include <chrono>
#include <utility>

#include "core/base/json.h"

namespace bindery::controller {
namespace {

/// The form of the texts: replicas of a different one do not understand each other, and each reads
/// for itself.
constexpr int kForm = 1;

constexpr std::string_view kLetters = "sofl";

Error NotUnderstood() {
  Error error;
  error.code = Code::kInvalidArgument;
  error.message = "checks of another replica are not understood";
  return error;
}

}  // namespace

std::string DigestOfCall(const cloud::PolicyCall& call, std::string_view base) {
  const auto line = [base](const cloud::HttpRequest& request) {
    std::string_view url = request.url;
    if (url.starts_with(base)) url.remove_prefix(base.size());
    return request.method + " " + std::string(url) + "\n" + request.body + "\n";
  };
  std::string text = line(call.request);
  for (const cloud::HttpRequest& request : call.further) text += line(request);
  constexpr std::size_t kDigits = 32;
  return Sha256Hex(text).substr(0, kDigits);
}

Expected<AskedCheck> ReadAskedCheck(const LentCheck& check) {
  // How long a call may take is the helper's business.
  const auto call = check.kind->BuildGet(*check.connection, check.key->name, {});
  if (!call) return Fail(call.error());
  const std::string base = check.kind->BaseUrl(*check.connection, check.key->name);
  return AskedCheck{check.connection->provider, check.key->kind, check.key->name,
                    DigestOfCall(*call, base), check.known_body};
}

std::string TextOfChecks(const std::vector<AskedCheck>& checks) {
  Json list = Json::array();
  for (const AskedCheck& check : checks) {
    list.push_back(
        Json::array({check.provider, check.kind, check.name, check.call, check.known_body.Hex()}));
  }
  const Json text{{"form", kForm}, {"checks", std::move(list)}};
  // Text that is no UTF-8 comes back as a different call, and the call is not made.
  return text.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Expected<std::vector<AskedCheck>> ParseChecks(std::string_view text) {
  const Expected<Json> parsed = ParseJson(text);
  if (!parsed) return Fail(NotUnderstood());
  const Json* form = FindMember(*parsed, "form");
  const Json* list = FindMember(*parsed, "checks");
  if (form == nullptr || *form != kForm || list == nullptr || !list->is_array()) {
    return Fail(NotUnderstood());
  }
  constexpr std::size_t kParts = 5;
  std::vector<AskedCheck> checks;
  for (const Json& each : *list) {
    if (!each.is_array() || each.size() != kParts) return Fail(NotUnderstood());
    std::vector<std::string> parts;
    for (const Json& part : each) {
      if (!part.is_string()) return Fail(NotUnderstood());
      parts.push_back(part.get<std::string>());
    }
    checks.push_back({parts[0], parts[1], parts[2], parts[3], Sha256Digest::FromHex(parts[4])});
  }
  return checks;
}

std::string TextOfAnswers(const std::vector<LentAnswer>& answers) {
  std::string text;
  for (const LentAnswer answer : answers) text += kLetters[static_cast<std::size_t>(answer)];
  return text;
}

Expected<std::vector<LentAnswer>> ParseAnswers(std::string_view text, std::size_t count) {
  if (text.size() != count) return Fail(NotUnderstood());
  std::vector<LentAnswer> answers;
  for (const char letter : text) {
    const std::size_t index = kLetters.find(letter);
    if (index == std::string_view::npos) return Fail(NotUnderstood());
    answers.push_back(static_cast<LentAnswer>(index));
  }
  return answers;
}

}  // namespace bindery::controller
