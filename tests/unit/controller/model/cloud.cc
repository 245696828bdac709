#include "model/cloud.h"

#include <algorithm>
#include <utility>

namespace bindery::model {
namespace {

cloud::HttpResponse Answered(int status, const std::string& body) {
  return {status, {{"content-type", "application/json"}}, body};
}

tl::unexpected<Error> NoAnswer() {
  Error error;
  error.code = Code::kUnavailable;
  error.message = "connection reset";
  error.outcome_unknown = true;
  return tl::unexpected<Error>(error);
}

cloud::HttpResponse GoogleRefusal(int status, const std::string& code) {
  return Answered(status, R"({"error":{"code":)" + std::to_string(status) +
                              R"(,"message":"so it is","status":")" + code + R"("}})");
}

bool IsShortened(Lie lie) {
  return lie == Lie::kEmptyObject || lie == Lie::kNoBindings || lie == Lie::kEmptyNoEtag ||
         lie == Lie::kEmptied;
}

}  // namespace

Cloud::Cloud(std::shared_ptr<testing::FakeCloud> inner, const MonoTime& now)
    : inner_(std::move(inner)), now_(now) {
  inner_->AddProject("acme", kProjectNumber);
  for (const char* target : kTargets) {
    if (!IsBoard(target)) inner_->AddTarget(NameOfTarget(target));
  }
}

std::set<GrantText> Cloud::Grants(const std::string& target) const {
  std::set<GrantText> grants;
  if (IsBoard(target)) {
    for (const Json& binding : inner_->Restriction(kBoardId)) {
      for (const Json& principal : binding["principals"]) {
        grants.insert(target + " " + StringMember(binding, "relation") + " " +
                      principal.get<std::string>());
      }
    }
    return grants;
  }
  for (const std::string& grant : inner_->Grants(NameOfTarget(target))) {
    grants.insert(target + " " + grant);
  }
  return grants;
}

std::set<GrantText> Cloud::All() const {
  std::set<GrantText> all;
  for (const char* target : kTargets) all.merge(Grants(target));
  return all;
}

void Cloud::Foreign(const std::string& target, int who) {
  const std::string whose = std::to_string(who % 8);
  const bool in_a_declared_role = who >= 8;
  if (IsBoard(target)) {
    Json bindings = inner_->Restriction(kBoardId);
    bindings.push_back({{"relation", in_a_declared_role ? "viewer" : "runner"},
                        {"principals", {"role:eve" + whose}}});
    inner_->SetRestriction(kBoardId, bindings.dump());
    return;
  }
  inner_->Grant(NameOfTarget(target), in_a_declared_role ? "roles/viewer" : "roles/eve",
                "user:eve" + whose + "@example.com");
}

void Cloud::Strip(const std::string& target, int which) {
  const auto strip = [which](Json bindings) {
    if (which % 4 == 0) return Json(Json::array());
    if (!bindings.empty()) bindings.erase(static_cast<std::size_t>(which) % bindings.size());
    return bindings;
  };
  if (IsBoard(target)) {
    inner_->SetRestriction(kBoardId, strip(inner_->Restriction(kBoardId)).dump());
  } else {
    const std::string name = NameOfTarget(target);
    inner_->AddTarget(name, strip(inner_->Policy(name)["bindings"]).dump());
  }
}

void Cloud::EndFaults() {
  lies_.clear();
  refusals_.clear();
  races_.clear();
  rivals_.clear();
}

std::optional<MonoTime> Cloud::EmptiedSince(const std::string& target) const {
  const auto found = emptied_since_.find(target);
  return found == emptied_since_.end() ? std::nullopt : std::optional(found->second);
}

std::size_t Cloud::LastRead(const std::string& target) const {
  const auto found = last_read_.find(target);
  return found == last_read_.end() ? 0 : found->second;
}

std::string Cloud::ToTarget(const cloud::HttpRequest& request) {
  for (const char* target : kTargets) {
    const std::string part =
        IsBoard(target) ? "/restriction_policy/" : "/authorizationPolicies/" + std::string(target);
    if (request.url.find(part) != std::string::npos) return target;
  }
  return "";
}

Expected<cloud::HttpResponse> Cloud::Send(const cloud::HttpRequest& request) {
  if (request.operation == "list") return LookUp();
  const std::string target = ToTarget(request);
  if (target.empty()) return inner_->Send(request);
  const bool reads = request.operation == "getIamPolicy" || request.operation == "get";
  return reads ? Read(request, target) : Write(request, target);
}

/// The one team that there is.
cloud::HttpResponse Cloud::LookUp() {
  const auto lie = lies_.find(kTargets[2]);
  const bool other =
      lie != lies_.end() && lie->second.how == Lie::kOtherId && now_ < lie->second.until;
  if (!other) {
    other_id_since_.reset();
  } else if (!other_id_since_) {
    other_id_since_ = now_;
    shortened_.insert(kTargets[2]);  // The known id is nobody's, and comes anew.
  }
  const Json team = {{"type", "team"},
                     {"id", other ? kOtherTeamId : kTeamId},
                     {"attributes", {{"name", kTeam}, {"handle", kTeam}}}};
  return Answered(200, Json{{"data", {team}}}.dump());
}

void Cloud::NoteReading(const std::string& target, std::size_t shown) {
  emptied_since_.erase(target);
  last_read_[target] = shown;
}

Expected<cloud::HttpResponse> Cloud::Read(const cloud::HttpRequest& request,
                                          const std::string& target) {
  Expected<cloud::HttpResponse> truth = inner_->Send(request);
  const auto lie = lies_.find(target);
  const bool lies =
      lie != lies_.end() && now_ < lie->second.until && lie->second.how != Lie::kOtherId;
  if (!lies) {
    NoteReading(target, Grants(target).size());
    return truth;
  }
  if (IsShortened(lie->second.how)) {
    emptied_since_.try_emplace(target, now_);
    shortened_.insert(target);
  }
  return Lied(lie->second.how, target, std::move(*truth));
}

cloud::HttpResponse Cloud::Lied(Lie lie, const std::string& target, cloud::HttpResponse truth) {
  const bool board = IsBoard(target);
  Json document = *ParseJson(truth.body);
  switch (lie) {
    case Lie::kUnavailable:
      return GoogleRefusal(503, "UNAVAILABLE");
    case Lie::kNotFound:
      return board ? Answered(404, R"({"errors":["Not Found"]})") : GoogleRefusal(404, "NOT_FOUND");
    case Lie::kForbidden:
      return board ? Answered(403, R"({"errors":["Forbidden"]})")
                   : GoogleRefusal(403, "PERMISSION_DENIED");
    case Lie::kWaitForDays: {
      cloud::HttpResponse later = GoogleRefusal(429, "RESOURCE_EXHAUSTED");
      later.headers.emplace_back("retry-after", "259200");
      return later;
    }
    case Lie::kEmptyObject:
      return Answered(200, "{}");
    case Lie::kNoBindings:
      return Answered(200, board ? R"({"data":{}})" : R"({"version":1})");
    case Lie::kEmptyNoEtag:
      return Answered(200, board ? R"({"data":{"attributes":{"bindings":[]}}})"
                                 : R"({"version":1,"bindings":[]})");
    case Lie::kEmptied:
      (board ? document["data"]["attributes"] : document)["bindings"] = Json::array();
      break;
    case Lie::kNoEtag:
      document.erase("etag");
      break;
    case Lie::kOther:
      if (!board) return GoogleRefusal(503, "UNAVAILABLE");
      document["data"]["id"] = "dashboard:other";
      document["data"]["attributes"]["bindings"] = Json::array();
      break;
    case Lie::kProxy:
      return Answered(404, R"({"error":"no route"})");
    case Lie::kOtherId:
      break;
  }
  truth.body = document.dump();
  return truth;
}

void Cloud::TakeBack(const std::string& target, const Json& bindings) {
  const auto rival = rivals_.find(target);
  if (rival == rivals_.end() || now_ >= rival->second || IsBoard(target)) return;
  raced_.insert(target);
  inner_->AddTarget(NameOfTarget(target), bindings.dump());
}

/// Who it is, is there already, stays.
bool Cloud::BringsUnknown(const cloud::HttpRequest& request, const std::string& target) const {
  const std::set<GrantText> there = Grants(target);
  for (int slot = 0; slot < kSlots; ++slot) {
    const std::string who = std::to_string(slot) + "1";
    const std::string member = IsBoard(target) ? "role:" + who : "user:u" + who + "@example.com";
    const bool known = std::any_of(there.begin(), there.end(), [&member](const GrantText& grant) {
      return grant.find(member) != GrantText::npos;
    });
    if (!known && request.body.find("\"" + member + "\"") != std::string::npos) return true;
  }
  return false;
}

Expected<cloud::HttpResponse> Cloud::Write(const cloud::HttpRequest& request,
                                           const std::string& target) {
  before_write();
  const auto refusal = refusals_.find(target);
  const bool refuses = refusal != refusals_.end() && now_ < refusal->second.until;
  if (refuses && refusal->second.how == Refusal::kUnavailable) {
    return GoogleRefusal(503, "UNAVAILABLE");
  }
  if (refuses && refusal->second.how == Refusal::kForbidden) {
    return GoogleRefusal(403, "PERMISSION_DENIED");
  }
  if (refuses && refusal->second.how == Refusal::kUnsent) return NoAnswer();
  if (refuses && refusal->second.how == Refusal::kContent && BringsUnknown(request, target)) {
    return IsBoard(target) ? Answered(400, R"({"errors":["some do not exist"]})")
                           : GoogleRefusal(400, "INVALID_ARGUMENT");
  }
  Racer racer;
  if (const auto race = races_.find(target); race != races_.end()) {
    racer = race->second;
    races_.erase(race);
    raced_.insert(target);
  }
  if (racer.before) Foreign(target, racer.who);
  const Json before = IsBoard(target) ? Json() : inner_->Policy(NameOfTarget(target))["bindings"];
  Change change{target, Grants(target), {}, true};
  Expected<cloud::HttpResponse> answer = inner_->Send(request);
  change.after = Grants(target);
  if (!IsBoard(target)) {
    const Expected<Json> body = ParseJson(request.body);
    change.has_etag = body && !StringMember((*body)["policy"], "etag").empty();
  }
  if (change.before != change.after) ++writes;
  if (racer.after) Foreign(target, racer.who);
  TakeBack(target, before);
  changed(change);
  if (refuses && refusal->second.how == Refusal::kLost) return NoAnswer();
  if (refuses && refusal->second.how == Refusal::kOddAnswer) return Answered(200, "{}");
  // Where there are no etags only a reading after it tells.
  if (!IsBoard(target) && answer && answer->status < 300) last_read_[target] = change.after.size();
  return answer;
}

}  // namespace bindery::model
