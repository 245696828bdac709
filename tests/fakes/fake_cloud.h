#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cloud/transport.h"
#include "core/base/json.h"
#include "fakes/stored_names.h"

namespace bindery::testing {

/// Both clouds in memory, behind the transport: policies with etags that move, restriction policies
/// with sorted principals, and failures on demand. Thread-safe.
class FakeCloud final : public cloud::Transport {
 public:
  /// What goes wrong with one call.
  struct Fault {
    std::string operation;          ///< "getIamPolicy", "setIamPolicy", "get", "post", "delete".
    std::string target = {};        ///< Part of the URL; empty: any.
    int status = 0;                 ///< Answers that instead of working.
    std::string code = "INTERNAL";  ///< Google's name of it.
    bool lost = false;              ///< Works, but no answer comes.
    bool unsent = false;            ///< Does not work, and whether it did cannot be told.
    int times = 1;
    int after = 0;                    ///< So many of its calls go well before.
    cloud::HttpHeaders headers = {};  ///< Of the answer with that status.
    std::string message = "as told";
    std::string body = {};         ///< Answers 200 with that instead of working.
    std::string overwritten = {};  ///< Works, and right after it another writer leaves that there.
  };

  void AddTarget(const std::string& name, const std::string& bindings = "[]") {
    const std::lock_guard lock(mutex_);
    Json policy = {{"version", 1}, {"bindings", *ParseJson(bindings)}};
    policy["etag"] = NextEtag();
    policies_[name] = std::move(policy);
  }
  /// Somebody else grants something.
  void Grant(const std::string& name, const std::string& role, const std::string& member) {
    const std::lock_guard lock(mutex_);
    Json& policy = policies_.at(name);
    policy["bindings"].push_back({{"role", role}, {"members", {member}}});
    policy["etag"] = NextEtag();
  }
  /// The same, and the etag does not move.
  void GrantUnderTheSameEtag(const std::string& name, const std::string& role,
                             const std::string& member) {
    const std::lock_guard lock(mutex_);
    policies_.at(name)["bindings"].push_back({{"role", role}, {"members", {member}}});
  }
  /// The etag of a policy is that one from now on, until it is written.
  void SetEtag(const std::string& name, const std::string& etag) {
    const std::lock_guard lock(mutex_);
    policies_.at(name)["etag"] = etag;
  }
  /// Another principal of the same grants, under the same etag.
  void Rename(const std::string& name, const std::string& from, const std::string& to) {
    const std::lock_guard lock(mutex_);
    for (Json& binding : policies_.at(name)["bindings"]) {
      for (Json& member : binding["members"]) {
        if (member == from) member = to;
      }
    }
  }
  /// From now on all etags are the same, whatever is written.
  void FreezeEtags() {
    const std::lock_guard lock(mutex_);
    etag_stands_still_ = true;
    for (auto& [name, policy] : policies_) policy["etag"] = NextEtag();
  }
  /// What requests for the etag alone are answered with, while it is set.
  void AnswerEtagsWith(std::optional<cloud::HttpResponse> answer) {
    const std::lock_guard lock(mutex_);
    etag_answer_ = std::move(answer);
  }
  /// How often the etag alone was asked for since the last ResetCounts.
  [[nodiscard]] int EtagReads() const {
    const std::lock_guard lock(mutex_);
    int count = 0;
    for (const auto& [url, calls] : calls_on_) {
      if (AsksForEtag(url)) count += calls;
    }
    return count;
  }
  /// A project that has that number too. Policies are asked for by either.
  void AddProject(const std::string& id, const std::string& number) {
    const std::lock_guard lock(mutex_);
    projects_[number] = id;
  }
  void RemoveTarget(const std::string& name) {
    const std::lock_guard lock(mutex_);
    policies_.erase(name);
  }
  void Fail(Fault fault) {
    const std::lock_guard lock(mutex_);
    faults_.push_back(std::move(fault));
  }

  /// Whether policies are stored without the conditions of their grants.
  void DropConditions(bool drop) {
    const std::lock_guard lock(mutex_);
    drops_conditions_ = drop;
  }

  /// Why a policy with these grants, "role member" as Grants() has them, is not stored; nothing: it
  /// is.
  struct ContentRefusal {
    std::string message;
    int status = 400;
    std::string code = "INVALID_ARGUMENT";
  };
  using ContentRule =
      std::function<std::optional<ContentRefusal>(const std::vector<std::string>& grants)>;
  /// Judges what is written from now on, before it is stored; null: all is taken.
  void JudgeContent(ContentRule rule) {
    const std::lock_guard lock(mutex_);
    content_rule_ = std::move(rule);
  }

  /// What is written as `member` is stored as `stored`; empty: the principal does not exist, and a
  /// policy that names it is refused.
  void StoreAs(const std::string& member, const std::string& stored) {
    const std::lock_guard lock(mutex_);
    stored_names_.Set(member, stored);
  }
  /// What is written as `member` is stored so.
  void StoreAsWritten(const std::string& member) {
    const std::lock_guard lock(mutex_);
    stored_names_.Forget(member);
  }

  /// From now on all goes well.
  void EndFaults() {
    const std::lock_guard lock(mutex_);
    faults_.clear();
  }

  /// "role member" of every grant, sorted; "role member if title" under a condition.
  [[nodiscard]] std::vector<std::string> Grants(const std::string& name) const {
    const std::lock_guard lock(mutex_);
    const auto policy = policies_.find(name);
    if (policy == policies_.end()) return {"no such target"};
    return GetTexts(policy->second["bindings"]);
  }
  /// What a lookup of that name finds.
  void SetDocument(const std::string& name, Json document) {
    const std::lock_guard lock(mutex_);
    documents_[name] = std::move(document);
  }
  [[nodiscard]] Json Policy(const std::string& name) const {
    const std::lock_guard lock(mutex_);
    return policies_.at(name);
  }
  [[nodiscard]] Json Restriction(const std::string& id) const {
    const std::lock_guard lock(mutex_);
    const auto found = restrictions_.find(id);
    return found == restrictions_.end() ? Json::array() : found->second;
  }
  void SetRestriction(const std::string& id, const std::string& bindings) {
    const std::lock_guard lock(mutex_);
    restrictions_[id] = *ParseJson(bindings);
  }

  /// How often an operation was called since the last ResetCounts.
  [[nodiscard]] int Calls(const std::string& operation) const {
    const std::lock_guard lock(mutex_);
    const auto found = calls_.find(operation);
    return found == calls_.end() ? 0 : found->second;
  }
  /// How often an operation was called on one Google resource.
  [[nodiscard]] int CallsOn(const std::string& operation, const std::string& name) const {
    const std::lock_guard lock(mutex_);
    const std::string part = "/" + name + ":" + operation;
    int count = 0;
    for (const auto& [url, calls] : calls_on_) {
      if (url.find(part) != std::string::npos) count += calls;
    }
    return count;
  }
  void ResetCounts() {
    const std::lock_guard lock(mutex_);
    calls_.clear();
    calls_on_.clear();
  }
  [[nodiscard]] cloud::HttpRequest LastWrite() const {
    const std::lock_guard lock(mutex_);
    return last_write_;
  }

  Expected<cloud::HttpResponse> Send(const cloud::HttpRequest& request) override {
    const std::lock_guard lock(mutex_);
    ++calls_[request.operation];
    ++calls_on_[request.url];
    if (request.method != "GET") last_write_ = request;
    const std::optional<Fault> fault = TakeFault(request);
    if (fault && fault->status != 0) {
      cloud::HttpResponse refusal = Refuse(fault->status, fault->code, fault->message);
      refusal.headers.insert(refusal.headers.end(), fault->headers.begin(), fault->headers.end());
      return refusal;
    }
    if (fault && fault->unsent) return NoAnswer();
    if (fault && !fault->body.empty()) return cloud::HttpResponse{200, {}, fault->body};
    cloud::HttpResponse response = Answer(request);
    if (fault && !fault->overwritten.empty()) Overwrite(request, *ParseJson(fault->overwritten));
    if (fault && fault->lost) return NoAnswer();
    return response;
  }

 private:
  static cloud::HttpResponse Refuse(int status, const std::string& code,
                                    const std::string& message) {
    const Json body = {{"error", {{"code", status}, {"message", message}, {"status", code}}}};
    return {status, {{"content-type", "application/json"}}, body.dump()};
  }
  static tl::unexpected<Error> NoAnswer() {
    Error error;
    error.code = Code::kUnavailable;
    error.message = "connection reset";
    error.outcome_unknown = true;
    return tl::unexpected<Error>(error);
  }
  static cloud::HttpResponse Ok(const Json& body) {
    return {200, {{"content-type", "application/json"}}, body.dump()};
  }

  static std::vector<std::string> GetTexts(const Json& bindings) {
    std::vector<std::string> texts;
    for (const Json& binding : bindings) {
      const Json* condition = FindMember(binding, "condition");
      for (const Json& member : binding["members"]) {
        texts.push_back(StringMember(binding, "role") + " " + member.get<std::string>() +
                        (condition == nullptr ? "" : " if " + StringMember(*condition, "title")));
      }
    }
    std::sort(texts.begin(), texts.end());
    return texts;
  }
  [[nodiscard]] std::optional<cloud::HttpResponse> RefuseContent(
      const std::vector<std::string>& grants) const {
    if (!content_rule_) return std::nullopt;
    const auto refusal = content_rule_(grants);
    if (!refusal) return std::nullopt;
    return Refuse(refusal->status, refusal->code, refusal->message);
  }

  std::string NextEtag() {
    return etag_stands_still_ ? "BwXsame=" : "BwX" + std::to_string(++etag_) + "=";
  }
  static bool AsksForEtag(const std::string& url) { return url.ends_with("&fields=etag"); }

  std::optional<Fault> TakeFault(const cloud::HttpRequest& request) {
    for (auto fault = faults_.begin(); fault != faults_.end(); ++fault) {
      if (fault->operation != request.operation) continue;
      if (request.url.find(fault->target) == std::string::npos) continue;
      if (fault->after > 0) {
        --fault->after;
        continue;
      }
      const Fault taken = *fault;
      if (--fault->times == 0) faults_.erase(fault);
      return taken;
    }
    return std::nullopt;
  }

  /// Somebody else writes these bindings.
  void Overwrite(const cloud::HttpRequest& request, Json bindings) {
    if (request.url.find("/restriction_policy/") != std::string::npos) {
      restrictions_[IdIn(request)] = std::move(bindings);
      return;
    }
    const auto begin = request.url.find("/v1/") + 4;
    Json& policy = policies_.at(request.url.substr(begin, request.url.rfind(':') - begin));
    policy["bindings"] = std::move(bindings);
    policy["etag"] = NextEtag();
  }

  static std::string IdIn(const cloud::HttpRequest& request) {
    std::string id = request.url.substr(request.url.rfind('/') + 1);
    if (const auto colon = id.find("%3A"); colon != std::string::npos) id.replace(colon, 3, ":");
    return id;
  }

  cloud::HttpResponse Answer(const cloud::HttpRequest& request) {
    if (request.url.find("/restriction_policy/") != std::string::npos) return Restrict(request);
    if (request.service == "cloudresourcemanager") return Describe(request);
    const auto begin = request.url.find("/v1/") + 4;
    if (request.operation == "get") {
      const auto document = documents_.find(request.url.substr(begin));
      if (document == documents_.end()) return Refuse(404, "NOT_FOUND", "Resource was not found.");
      return Ok(document->second);
    }
    const auto policy =
        policies_.find(WithId(request.url.substr(begin, request.url.rfind(':') - begin)));
    if (policy == policies_.end()) return Refuse(404, "NOT_FOUND", "Resource was not found.");
    if (AsksForEtag(request.url)) {
      return etag_answer_.value_or(Ok({{"etag", policy->second["etag"]}}));
    }
    if (request.operation == "getIamPolicy") return Ok(policy->second);
    const Json wanted = (*ParseJson(request.body))["policy"];
    const std::string etag = StringMember(wanted, "etag");
    if (!etag.empty() && etag != StringMember(policy->second, "etag")) {
      return Refuse(409, "ABORTED", "There were concurrent policy changes.");
    }
    if (auto refusal = RefuseContent(GetTexts(wanted["bindings"]))) return *std::move(refusal);
    Json bindings = wanted["bindings"];
    if (const std::string refusal = stored_names_.Store(bindings); !refusal.empty()) {
      return Refuse(400, "INVALID_ARGUMENT", refusal);
    }
    policy->second["bindings"] = std::move(bindings);
    if (drops_conditions_) {
      for (Json& binding : policy->second["bindings"]) binding.erase("condition");
    }
    policy->second["etag"] = NextEtag();
    return Ok(policy->second);
  }

  cloud::HttpResponse Describe(const cloud::HttpRequest& request) {
    const std::string number = request.url.substr(request.url.rfind('/') + 1);
    const auto project = projects_.find(number);
    if (project == projects_.end()) return Refuse(403, "PERMISSION_DENIED", "no such project");
    return Ok({{"name", "projects/" + number}, {"projectId", project->second}});
  }
  [[nodiscard]] std::string WithId(std::string name) const {
    for (const auto& [number, id] : projects_) {
      const std::string by_number = "projects/" + number + "/";
      if (name.starts_with(by_number))
        return "projects/" + id + "/" + name.substr(by_number.size());
    }
    return name;
  }

  cloud::HttpResponse Restrict(const cloud::HttpRequest& request) {
    const std::string id = IdIn(request);
    if (request.method == "DELETE") {
      restrictions_.erase(id);
      return {204, {}, ""};
    }
    if (request.method == "POST") {
      Json bindings = (*ParseJson(request.body))["data"]["attributes"]["bindings"];
      std::vector<std::string> grants;
      for (const Json& binding : bindings) {
        for (const Json& principal : binding["principals"]) {
          grants.push_back(StringMember(binding, "relation") + " " + principal.get<std::string>());
        }
      }
      if (auto refusal = RefuseContent(grants)) {
        const Json error = *ParseJson(refusal->body);
        refusal->body = Json{{"errors", {StringMember(error["error"], "message")}}}.dump();
        return *std::move(refusal);
      }
      for (Json& binding : bindings) {
        std::sort(binding["principals"].begin(), binding["principals"].end());
      }
      restrictions_[id] = std::move(bindings);
    }
    Json document = {{"data", {{"type", "restriction_policy"}, {"id", id}}}};
    const auto found = restrictions_.find(id);
    document["data"]["attributes"]["bindings"] =
        found == restrictions_.end() ? Json::array() : found->second;
    return Ok(document);
  }

  mutable std::mutex mutex_;
  std::map<std::string, Json> policies_;
  std::map<std::string, Json> restrictions_;
  std::map<std::string, Json> documents_;
  std::map<std::string, std::string> projects_;  ///< Ids by number.
  StoredNames stored_names_;
  std::map<std::string, int> calls_on_;  ///< By URL.
  std::map<std::string, int> calls_;
  std::deque<Fault> faults_;
  cloud::HttpRequest last_write_;
  int etag_ = 100;
  bool etag_stands_still_ = false;
  bool drops_conditions_ = false;
  ContentRule content_rule_;
  std::optional<cloud::HttpResponse> etag_answer_;
};

}  // namespace bindery::testing
