#include "providers/google/clients/privileged_access.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cloud/http_errors.h"
#include "cloud/policy_call.h"
#include "providers/google/clients/error_dialect.h"
#include "providers/google/clients/iam_policy_client.h"
#include "providers/google/clients/identity_client.h"
#include "providers/google/clients/list_page.h"
#include "providers/google/clients/silent_providers.h"
#include "reconcilers/condition_order.h"

namespace bindery::google {
namespace {

using Verdict = JustInTimeAnswer::Verdict;

constexpr int kMostPages = 100;
constexpr int kMostLevels = 12;  ///< Of folders above a project; Google allows ten.
constexpr std::chrono::seconds kLongest{60};

/// Asks the services.
class Questions {
 public:
  Questions(const cloud::Connection& connection, std::chrono::milliseconds timeout)
      : connection_(connection),
        timeout_(timeout),
        ends_(std::chrono::steady_clock::now() + kLongest) {}

  /// All elements of the list `name`, on all pages; `query` begins with a '?' or is empty.
  Expected<std::vector<Json>> List(const char* service, const std::string& path,
                                   const std::string& query, const char* name) {
    std::vector<Json> all;
    std::string token;
    for (int page = 0; page < kMostPages; ++page) {
      const char* const sign = query.empty() ? "?" : "&";
      const auto answer = Get(
          service, path, query + (token.empty() ? "" : std::string(sign) + "pageToken=" + token));
      if (!answer) return Fail(answer.error());
      const auto part = AnswerPageIn(*answer, name);
      if (!part) return Fail(Code::kInternal, path + " answered with " + part.error().message);
      if (part->items != nullptr) all.insert(all.end(), part->items->begin(), part->items->end());
      // An unreachable region may hold the searched grant.
      if (const Json* lost = FindMember(*answer, "unreachable");
          lost != nullptr && !(lost->is_array() && lost->empty())) {
        return Fail(Code::kUnavailable, "the list of " + path + " is not complete");
      }
      if (part->next.empty()) return all;
      auto encoded = cloud::EncodePath(part->next);
      if (!encoded) return Fail(encoded.error());
      token = *encoded;
    }
    return Fail(Code::kResourceExhausted, "the list of " + path + " is too long");
  }

  Expected<Json> Get(const char* service, const std::string& path, const std::string& query) {
    const std::string& url = connection_.BaseUrl(service);
    if (url.empty()) {
      return Fail(Code::kUnimplemented, "the provider has no service " + std::string(service));
    }
    if (std::chrono::steady_clock::now() > ends_) {
      return Fail(Code::kDeadlineExceeded, "the question took too long");
    }
    cloud::PolicyCall call;
    call.request.url = url + path + query;
    call.request.headers.emplace_back("Accept", "application/json");
    call.request.timeout = timeout_;
    call.request.service = service;
    call.request.operation = "list";
    call.dialect = &GoogleErrors();
    const auto body = cloud::Send(call, *connection_.transport, *connection_.authorizer);
    if (!body) return Fail(body.error());
    return cloud::ParseObject(call.request, *body);
  }

 private:
  const cloud::Connection& connection_;
  std::chrono::milliseconds timeout_;
  std::chrono::steady_clock::time_point ends_;
};

/// The grants in question, with the explanations so far.
class Search {
 public:
  explicit Search(const reconcilers::JustInTimeQuestion& question)
      : now_(question.now), answers_(question.asked) {
    names_.insert(question.target);
    if (!question.project_number.empty()) names_.insert("projects/" + question.project_number);
  }

  [[nodiscard]] bool done() const {
    return std::ranges::all_of(answers_, [](const JustInTimeAnswer& answer) {
      return answer.verdict == Verdict::kActive;
    });
  }
  [[nodiscard]] bool Wants(const std::string& role) const {
    return std::ranges::any_of(answers_, [&](const JustInTimeAnswer& answer) {
      return answer.verdict != Verdict::kActive && answer.grant.role == role;
    });
  }

  void Weigh(PrivilegedGrant known) {
    if (!names_.contains(known.container)) {
      elsewhere_.push_back(std::move(known));
      return;
    }
    for (std::size_t i = 0; i < known.roles.size(); ++i) {
      // One list may repeat what another list showed.
      const std::pair<std::string, std::size_t> key(known.name, i);
      if (explained_.contains(key)) continue;
      if (Explain(known, known.roles[i])) explained_.insert(key);
    }
  }

  /// The container has this name, too.
  void AddName(const std::string& name) {
    if (name.empty() || !names_.insert(name).second) return;
    for (PrivilegedGrant& known : std::exchange(elsewhere_, {})) Weigh(std::move(known));
  }

  /// The grants without an explanation. `why`: a container did not answer.
  [[nodiscard]] JustInTimeAnswers Answers(const std::optional<Error>& why) && {
    for (JustInTimeAnswer& answer : answers_) {
      if (answer.verdict == Verdict::kActive) continue;
      if (!answer.detail.empty()) continue;
      answer.verdict = why ? Verdict::kNotTold : Verdict::kNone;
      if (why) answer.detail = "Privileged Access Manager cannot be asked: " + ToString(*why);
    }
    return std::move(answers_);
  }

 private:
  /// A binding that the grant certainly may be behind.
  struct Candidate {
    JustInTimeAnswer* answer;
    JustInTimeForm form;
    std::chrono::seconds distance;  ///< Between both ends.

    [[nodiscard]] std::pair<bool, std::chrono::seconds> rank() const {
      return {!form.marked, distance};
    }
  };

  /// Finds the binding of one role of the grant. False: there is none for certain.
  bool Explain(const PrivilegedGrant& known, const PrivilegedGrant::Role& role) {
    std::vector<Candidate> certain;
    std::vector<std::pair<JustInTimeAnswer*, std::string>> doubtful;
    for (JustInTimeAnswer& answer : answers_) {
      if (answer.verdict == Verdict::kActive || answer.grant.role != role.name) continue;
      const auto form = PrivilegedAccessForm(answer.grant);
      if (!form || !known.Fits(answer.grant, form->end, now_)) continue;
      std::string doubt = known.DescribeDoubt(answer.grant, role);
      if (!doubt.empty()) {
        doubtful.emplace_back(&answer, std::move(doubt));
      } else if (known.IsRequestedBy(answer.grant.principal)) {
        certain.push_back({&answer, *form, GetDistance(known.end(), form->end)});
      }
    }
    if (certain.empty()) {
      for (auto& [answer, doubt] : doubtful) answer->detail = std::move(doubt);
      return false;
    }
    for (const Candidate& nearest : FindNearest(std::move(certain))) {
      nearest.answer->verdict = Verdict::kActive;
      nearest.answer->detail = known.name;
      nearest.answer->end = known.end().value_or(nearest.form.end);
    }
    return true;
  }

  static std::chrono::seconds GetDistance(const std::optional<WallTime>& end, WallTime bound) {
    // The time of a binding has whole seconds.
    const auto whole = std::chrono::floor<std::chrono::seconds>(end.value_or(bound));
    return std::chrono::abs(whole - std::chrono::floor<std::chrono::seconds>(bound));
  }

  /// The candidate that the service wrote; several only where nothing tells them apart.
  static std::vector<Candidate> FindNearest(std::vector<Candidate> candidates) {
    const auto best = std::ranges::min(candidates, {}, &Candidate::rank).rank();
    std::erase_if(candidates, [&](const Candidate& one) { return one.rank() != best; });
    std::vector<Candidate> nearest;
    for (const Candidate& one : candidates) {
      const auto& condition = one.answer->grant.condition;
      const bool is_wider = std::ranges::any_of(candidates, [&](const Candidate& other) {
        const auto& narrow = other.answer->grant.condition;
        return reconcilers::IsContained(narrow, condition) &&
               !reconcilers::IsContained(condition, narrow);
      });
      if (!is_wider) nearest.push_back(one);
    }
    return nearest;
  }

  std::set<std::string> names_;  ///< Of the container: by its id, and by its number.
  std::vector<PrivilegedGrant> elsewhere_;
  std::set<std::pair<std::string, std::size_t>> explained_;  ///< Grants and the index of a role.
  WallTime now_;
  JustInTimeAnswers answers_;
};

/// Some role of the entitlement is looked for.
bool MayExplain(const Json& entitlement, const Search& search) {
  const Json* roles = FindPath(entitlement, {"privilegedAccess", "gcpIamAccess", "roleBindings"});
  return roles != nullptr && std::ranges::any_of(*roles, [&](const Json& binding) {
           return search.Wants(StringMember(binding, "role"));
         });
}

/// The requests under the entitlements of one container.
Expected<void> AskIn(const std::string& container, Questions& questions, Search& search) {
  const std::string path = "/v1/" + container + "/locations/global/entitlements";
  auto entitlements = questions.List(kPrivilegedAccess, path, "", "entitlements");
  if (!entitlements) return Fail(entitlements.error());
  // One may have been edited since the grant was requested: the rest is asked, too.
  std::stable_partition(entitlements->begin(), entitlements->end(),
                        [&](const Json& entitlement) { return MayExplain(entitlement, search); });
  for (const Json& entitlement : *entitlements) {
    if (search.done()) return {};
    const auto name = cloud::EncodePath(StringMember(entitlement, "name"));
    if (!name) return Fail(name.error());
    const auto grants = questions.List(kPrivilegedAccess, "/v1/" + *name + "/grants", "", "grants");
    if (!grants) return Fail(grants.error());
    for (const Json& grant : *grants) search.Weigh(PrivilegedGrant::Of(grant));
  }
  return {};
}

/// The parent of the container; empty: none. `search`, if given, learns the container's second
/// name.
Expected<std::string> GetParent(const std::string& container, Questions& questions,
                                Search* search) {
  if (container.starts_with("organizations/")) return std::string();
  const auto described = questions.Get(kResourceManager, "/v3/" + container, "");
  if (!described) return Fail(described.error());
  if (search != nullptr) {
    const std::string id = StringMember(*described, "projectId");
    search->AddName(StringMember(*described, "name"));
    search->AddName(id.empty() ? "" : "projects/" + id);
  }
  const Json* parent = FindMember(*described, "parent");
  if (parent == nullptr) return std::string();
  if (!parent->is_string())
    return Fail(Code::kInternal, container + " has a parent without a name");
  return parent->get<std::string>();
}

/// Asks the container and all its parents, until everything is explained.
Expected<void> AskUpwards(std::string container, Questions& questions, Search& search) {
  Expected<void> result;
  for (int level = 0; level < kMostLevels; ++level) {
    const auto asked = AskIn(container, questions, search);
    if (!asked && result) result = asked;
    if (search.done()) return {};
    Expected<std::string> parent = GetParent(container, questions, level == 0 ? &search : nullptr);
    if (!parent && result) return Fail(parent.error());
    if (!parent) return result;
    if (search.done()) return {};
    if (parent->empty()) return result;
    container = *std::move(parent);
  }
  return Fail(Code::kInternal, "folders without an end above " + container);
}

/// Cloud Asset's search, which may be older than the policy.
void AskAssets(const std::string& container, Questions& questions, Search& search) {
  const auto found = questions.List(
      kCloudAsset, "/v1/" + container + ":searchAllResources",
      "?assetTypes=privilegedaccessmanager.googleapis.com/Grant&readMask=*&pageSize=500",
      "results");
  if (!found) return;
  for (const Json& asset : *found) {
    const Json* versions = FindMember(asset, "versionedResources");
    if (versions == nullptr || !versions->is_array()) continue;
    for (const Json& version : *versions) {
      if (const Json* grant = FindMember(version, "resource"))
        search.Weigh(PrivilegedGrant::Of(*grant));
    }
  }
}

}  // namespace

JustInTimeAnswers AskForPrivilegedGrants(const cloud::Connection& connection,
                                         const reconcilers::JustInTimeQuestion& question) {
  Search search(question);
  if (SilentProviders().Has(connection)) {
    return std::move(search).Answers(
        Error{Code::kUnavailable, "it let a question wait within the last minute"});
  }
  Questions questions(connection, question.timeout);
  const Expected<void> asked = AskUpwards(question.target, questions, search);
  if (asked) return std::move(search).Answers(std::nullopt);
  if (asked.error().code == Code::kDeadlineExceeded) SilentProviders().Note(connection);
  if (!search.done()) AskAssets(question.target, questions, search);
  return std::move(search).Answers(asked.error());
}

namespace {

/// For the policies of one row.
class PrivilegedAccess final : public reconcilers::JustInTimeService {
 public:
  explicit PrivilegedAccess(const IamRow& row) : row_(row) {}

  [[nodiscard]] std::string_view row_id() const { return row_.id; }

  [[nodiscard]] std::optional<JustInTimeForm> FindForm(const Grant& grant) const override {
    return PrivilegedAccessForm(grant);
  }
  [[nodiscard]] JustInTimeAnswers Ask(
      const cloud::Connection& connection,
      const reconcilers::JustInTimeQuestion& question) const override {
    return AskForPrivilegedGrants(connection, question);
  }
  [[nodiscard]] Expected<std::vector<std::string>> MissingPermissions(
      const cloud::Connection& connection, const std::string& target,
      std::chrono::milliseconds timeout) const override {
    std::vector<std::string> needed = {"privilegedaccessmanager.entitlements.list",
                                       "privilegedaccessmanager.grants.list"};
    if (!target.starts_with("organizations/")) {
      needed.push_back(std::string(row_.permission) + ".get");
    }
    const IamPolicyClient client({row_, connection.BaseUrl(std::string(row_.service))},
                                 connection.transport, connection.authorizer);
    const auto held = client.TestPermissions(target, needed, timeout);
    if (!held) return Fail(held.error());
    std::vector<std::string> missing;
    for (const std::string& permission : needed) {
      if (std::ranges::find(*held, permission) == held->end()) missing.push_back(permission);
    }
    return missing;
  }

 private:
  const IamRow& row_;
};

}  // namespace

const reconcilers::JustInTimeService* PrivilegedAccessTo(const IamRow& row) {
  static const std::vector<PrivilegedAccess> kServices = [] {
    std::vector<PrivilegedAccess> services;
    for (const IamRow& each : BuiltInIamRows()) {
      if (each.container && each.service == kResourceManager) services.emplace_back(each);
    }
    return services;
  }();
  const auto found = std::ranges::find(kServices, row.id, &PrivilegedAccess::row_id);
  return found == kServices.end() ? nullptr : &*found;
}

}  // namespace bindery::google
