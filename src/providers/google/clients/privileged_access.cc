#include "providers/google/clients/privileged_access.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "cel/expiry/condition_end.h"
#include "cloud/http_errors.h"
#include "cloud/policy_call.h"
#include "core/text/ascii.h"
#include "core/text/time_text.h"
#include "providers/google/clients/error_dialect.h"
#include "providers/google/clients/iam_policy_client.h"
#include "providers/google/clients/identity_client.h"
#include "providers/google/clients/silent_providers.h"

namespace bindery {
namespace {

using std::chrono::seconds;
using Verdict = JustInTimeAnswer::Verdict;

constexpr std::string_view kTitle = "Created by: PAM";
constexpr std::string_view kContainers = "//cloudresourcemanager.googleapis.com/";
/// Between the end in a binding and the end of the grant behind it.
constexpr seconds kTolerance{60};
constexpr int kMostPages = 100;
constexpr int kMostLevels = 12;  ///< Of folders above a project; Google allows ten.
constexpr std::chrono::seconds kLongest{60};

/// States in which the binding may be in the policy.
constexpr std::string_view kLive[] = {"ACTIVATING", "ACTIVE", "REVOKING", "WITHDRAWING"};

/// "3600s", perhaps with a fraction. Nothing for a duration beyond every grant: it proves nothing,
/// and the time cannot be represented.
seconds DurationIn(const std::string& text) {
  constexpr std::int64_t kLongestGrant = 100L * 366 * 24 * 3600;
  std::int64_t count = 0;
  std::from_chars(text.data(), text.data() + text.size(), count);
  return seconds(count < 0 || count > kLongestGrant ? 0 : count);
}

/// What follows the type of a member, in lower case: "ana@example.com"; of an identity of a pool
/// its subject.
std::string IdentityOf(std::string_view principal) {
  constexpr std::string_view kSubject = "/subject/";
  const auto subject = principal.find(kSubject);
  if (subject != std::string_view::npos) {
    return AsciiLower(principal.substr(subject + kSubject.size()));
  }
  return AsciiLower(principal.substr(principal.find(':') + 1));
}

std::string WithoutSpace(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; });
  return text;
}

/// Asks the services.
class Questions {
 public:
  Questions(const Connection& connection, std::chrono::milliseconds timeout)
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
      if (const Json* list = FindMember(*answer, name); list != nullptr && list->is_array()) {
        all.insert(all.end(), list->begin(), list->end());
      }
      // An unreachable region may hold the searched grant.
      if (const Json* lost = FindMember(*answer, "unreachable");
          lost != nullptr && lost->is_array() && !lost->empty()) {
        return Fail(Code::kUnavailable, "the list of " + path + " is not complete");
      }
      token = StringMember(*answer, "nextPageToken");
      if (token.empty()) return all;
      auto encoded = cloud_internal::EncodePath(token);
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
    PolicyCall call;
    call.request.url = url + path + query;
    call.request.headers.emplace_back("Accept", "application/json");
    call.request.timeout = timeout_;
    call.request.service = service;
    call.request.operation = "list";
    call.dialect = &GoogleErrors();
    const auto body = Send(call, *connection_.transport, *connection_.authorizer);
    if (!body) return Fail(body.error());
    return cloud_internal::ParseObject(call.request, *body);
  }

 private:
  const Connection& connection_;
  std::chrono::milliseconds timeout_;
  std::chrono::steady_clock::time_point ends_;
};

/// The grants in question, with the explanations so far.
class Search {
 public:
  explicit Search(const JustInTimeQuestion& question)
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
    for (JustInTimeAnswer& answer : answers_) {
      const auto form = PrivilegedAccessForm(answer.grant);
      if (answer.verdict == Verdict::kActive || !form) continue;
      if (!known.Fits(answer.grant, form->end, now_)) continue;
      const std::string doubt = known.DoubtOf(answer.grant);
      if (!doubt.empty()) {
        answer.detail = doubt;
      } else if (known.IsRequestedBy(answer.grant.principal)) {
        answer.verdict = Verdict::kActive;
        answer.detail = known.name;
        answer.end = known.end().value_or(form->end);
      }
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
  std::set<std::string> names_;  ///< Of the container: by its id, and by its number.
  std::vector<PrivilegedGrant> elsewhere_;
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
    const auto name = cloud_internal::EncodePath(StringMember(entitlement, "name"));
    if (!name) return Fail(name.error());
    const auto grants = questions.List(kPrivilegedAccess, "/v1/" + *name + "/grants", "", "grants");
    if (!grants) return Fail(grants.error());
    for (const Json& grant : *grants) search.Weigh(PrivilegedGrant::Of(grant));
  }
  return {};
}

/// The parent of the container; empty: none. `search`, if given, learns the container's second
/// name.
Expected<std::string> ParentOf(const std::string& container, Questions& questions, Search* search) {
  if (container.starts_with("organizations/")) return std::string();
  const auto described = questions.Get(kResourceManager, "/v3/" + container, "");
  if (!described) return Fail(described.error());
  if (search != nullptr) {
    const std::string id = StringMember(*described, "projectId");
    search->AddName(StringMember(*described, "name"));
    search->AddName(id.empty() ? "" : "projects/" + id);
  }
  return StringMember(*described, "parent");
}

/// Asks the container and all its parents, until everything is explained.
Expected<void> AskUpwards(std::string container, Questions& questions, Search& search) {
  Expected<void> result;
  for (int level = 0; level < kMostLevels; ++level) {
    const auto asked = AskIn(container, questions, search);
    if (!asked && result) result = asked;
    if (search.done()) return {};
    Expected<std::string> parent = ParentOf(container, questions, level == 0 ? &search : nullptr);
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

std::optional<JustInTimeForm> PrivilegedAccessForm(const Grant& grant) {
  if (!grant.condition) return std::nullopt;
  const std::optional<WallTime> end = cel::EndOf(*grant.condition);
  if (!end) return std::nullopt;
  return JustInTimeForm{*end, grant.condition->title == kTitle, "Privileged Access Manager"};
}

PrivilegedGrant PrivilegedGrant::Of(const Json& value) {
  PrivilegedGrant grant;
  grant.name = StringMember(value, "name");
  grant.requester = StringMember(value, "requester");
  grant.state = StringMember(value, "state");
  grant.duration = DurationIn(StringMember(value, "requestedDuration"));
  // The part of the entitlement's access that the requester asked for.
  const Json* access = FindPath(value, {"requestedPrivilegedAccess", "gcpIamAccess"});
  if (access == nullptr) access = FindPath(value, {"privilegedAccess", "gcpIamAccess"});
  if (access != nullptr) {
    const std::string resource = StringMember(*access, "resource");
    if (resource.starts_with(kContainers)) grant.container = resource.substr(kContainers.size());
    if (const Json* roles = FindMember(*access, "roleBindings"); roles != nullptr) {
      for (const Json& binding : *roles) {
        grant.roles.push_back(StringMember(binding, "role"));
        std::string condition = StringMember(binding, "conditionExpression");
        if (!condition.empty()) grant.conditions[grant.roles.back()] = std::move(condition);
      }
    }
  }
  if (const Json* trail = FindMember(value, "auditTrail")) {
    if (const auto began = ParseRfc3339(StringMember(*trail, "accessGrantTime"))) {
      grant.began = *began;
    }
  }
  return grant;
}

std::optional<WallTime> PrivilegedGrant::end() const {
  return began ? std::optional<WallTime>(*began + duration) : std::nullopt;
}

bool PrivilegedGrant::IsRequestedBy(const std::string& principal) const {
  const std::string wanted = AsciiLower(requester);
  return !wanted.empty() && (wanted == IdentityOf(principal) || wanted == AsciiLower(principal));
}

std::string PrivilegedGrant::DoubtOf(const Grant& grant) const {
  if (!IsRequestedBy(grant.principal)) {
    const bool federated = grant.principal.starts_with("principal:");
    return federated ? "how the requester of " + name + " is written is not known" : "";
  }
  const auto condition = conditions.find(grant.role);
  const bool lacks =
      condition != conditions.end() &&
      WithoutSpace(grant.condition->expression).find(WithoutSpace(condition->second)) ==
          std::string::npos;
  return lacks ? "the condition of " + name + " is not in its condition" : "";
}

bool PrivilegedGrant::Fits(const Grant& grant, WallTime end_of_binding, WallTime now) const {
  if (std::ranges::find(roles, grant.role) == roles.end()) return false;
  const bool live = std::ranges::find(kLive, state) != std::end(kLive);
  const std::optional<WallTime> ends = end();
  if (!ends) {
    // The grant is being activated: it will end this long from now.
    return live && end_of_binding <= now + duration + kTolerance;
  }
  const bool just_over = state == "ENDED" && now < *ends + kJustInTimeGrace;
  const auto apart = end_of_binding > *ends ? end_of_binding - *ends : *ends - end_of_binding;
  return (live || just_over) && apart <= kTolerance;
}

JustInTimeAnswers AskForPrivilegedGrants(const Connection& connection,
                                         const JustInTimeQuestion& question) {
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
class PrivilegedAccess final : public JustInTimeService {
 public:
  explicit PrivilegedAccess(const IamRow& row) : row_(row) {}

  [[nodiscard]] std::string_view row_id() const { return row_.id; }

  [[nodiscard]] std::optional<JustInTimeForm> FormOf(const Grant& grant) const override {
    return PrivilegedAccessForm(grant);
  }
  [[nodiscard]] JustInTimeAnswers Ask(const Connection& connection,
                                      const JustInTimeQuestion& question) const override {
    return AskForPrivilegedGrants(connection, question);
  }
  [[nodiscard]] Expected<std::vector<std::string>> MissingPermissions(
      const Connection& connection, const std::string& target,
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

const JustInTimeService* PrivilegedAccessTo(const IamRow& row) {
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

}  // namespace bindery
