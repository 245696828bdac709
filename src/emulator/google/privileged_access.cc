#include "emulator/google/privileged_access.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <utility>

#include "core/text/digest.h"
#include "core/text/time_text.h"
#include "emulator/google/iam_policy.h"

namespace bindery::emulator {
namespace {

using std::chrono::seconds;

constexpr const char* kTitle = "Created by: PAM";
constexpr const char* kActive = "ACTIVE";
constexpr const char* kAwaited = "APPROVAL_AWAITED";
constexpr std::size_t kMostOpenGrants = 5;  ///< Of one requester under one entitlement.
constexpr std::size_t kHexDigits = 32;      ///< In the names of grants, and in etags.
constexpr std::string_view kFinalStates[] = {"DENIED", "ACTIVATION_FAILED", "EXPIRED", "REVOKED",
                                             "ENDED",  "WITHDRAWN"};

bool IsOver(const Json& grant) {
  return std::ranges::find(kFinalStates, StringMember(grant, "state")) != std::end(kFinalStates);
}

seconds GetDuration(const Json& grant) {
  const std::string text = StringMember(grant, "requestedDuration");
  std::int64_t count = 0;
  std::from_chars(text.data(), text.data() + text.size(), count);
  return seconds(count);
}

const Json& ReadAccess(const Json& object) {
  static const Json kNone = Json::object();
  const Json* access = FindPath(object, {"privilegedAccess", "gcpIamAccess"});
  return access == nullptr ? kNone : *access;
}

WallTime GetStart(const Json& grant) {
  const Json* trail = FindMember(grant, "auditTrail");
  const auto start = ParseRfc3339(trail == nullptr ? "" : StringMember(*trail, "accessGrantTime"));
  return start ? *start : WallTime();
}

WallTime FindEnd(const Json& grant) { return GetStart(grant) + GetDuration(grant); }

/// The condition that a role of the grant is bound under.
Expr MakeCondition(const Json& grant, const Json& role_binding) {
  Expr condition;
  condition.title = kTitle;
  condition.expression = "request.time < timestamp(\"" + InWholeSeconds(FindEnd(grant)) + "\")";
  const std::string more = StringMember(role_binding, "conditionExpression");
  if (!more.empty()) condition.expression = "(" + more + ") && " + condition.expression;
  return condition;
}

std::vector<Json> GetRoles(const Json& grant) {
  const Json* roles = FindMember(ReadAccess(grant), "roleBindings");
  return roles == nullptr ? std::vector<Json>() : roles->get<std::vector<Json>>();
}

auto FindBinding(std::vector<Binding>& bindings, const std::string& role, const Expr& condition) {
  return std::find_if(bindings.begin(), bindings.end(), [&](const Binding& binding) {
    return binding.role == role && binding.condition == condition;
  });
}

void AddEvent(Json& grant, const char* event, WallTime at) {
  grant["timeline"]["events"].push_back(
      Json{{"eventTime", FormatRfc3339(at)}, {event, Json::object()}});
}

std::string GetParent(const std::string& name, std::string_view collection) {
  return name.substr(0, name.rfind(collection));
}

GoogleError Precondition(std::string message) {
  GoogleError error = InvalidArgument(std::move(message));
  error.status = "FAILED_PRECONDITION";
  return error;
}

tl::unexpected<GoogleError> Failed(const Error& error) {
  return tl::unexpected(StoreFailure(error));
}

std::string ShortDigest(const std::string& text) { return Sha256Hex(text).substr(0, kHexDigits); }

/// The entitlement of a grant seeded without an entitlement.
Json ImpliedEntitlement(const std::string& name, const Json& grant) {
  return Json{
      {"name", name},
      {"state", "AVAILABLE"},
      {"maxRequestDuration", "604800s"},
      {"eligibleUsers", Json::array({Json{{"principals", {StringMember(grant, "member")}}}})},
      {"privilegedAccess", grant.value("privilegedAccess", Json::object())},
      {"requesterJustificationConfig", Json{{"notMandatory", Json::object()}}},
      {"etag", "\"implied\""}};
}

}  // namespace

std::string InWholeSeconds(WallTime time) {
  return FormatRfc3339(time).substr(0, std::string_view("2026-11-29T10:05:32").size()) + "Z";
}

Json ShownGrant(Json grant) {
  grant.erase("member");
  return grant;
}

bool PrivilegedAccess::Keeps(std::string_view section) {
  return section == section::kEntitlements || section == section::kPrivilegedGrants;
}

void PrivilegedAccess::Put(const Entry& entry) {
  (entry.section == section::kEntitlements ? entitlements_ : grants_)
      .insert_or_assign(entry.key, entry.value);
}

bool PrivilegedAccess::Holds(const Entry& entry) const {
  return (entry.section == section::kEntitlements ? entitlements_ : grants_).contains(entry.key);
}

void PrivilegedAccess::Clear() {
  entitlements_.clear();
  grants_.clear();
}

std::vector<Entry> PrivilegedAccess::Entries() const {
  std::vector<Entry> entries;
  for (const auto& [name, value] : entitlements_) {
    entries.push_back({std::string(section::kEntitlements), name, value});
  }
  for (const auto& [name, value] : grants_) {
    entries.push_back({std::string(section::kPrivilegedGrants), name, value});
  }
  return entries;
}

void PrivilegedAccess::Complete(std::vector<Entry>& entries) const {
  std::map<std::string, Json> implied;
  for (Entry& entry : entries) {
    if (entry.section != section::kPrivilegedGrants) continue;
    Json& grant = entry.value;
    if (const auto end = ParseRfc3339(StringMember(grant, "endTime"))) {
      // The time of a binding has whole seconds.
      const auto now = std::chrono::floor<seconds>(clock_.Wall());
      const WallTime start = std::min<WallTime>(now, *end - seconds(1));
      grant["requestedDuration"] =
          std::to_string(std::chrono::ceil<seconds>(*end - start).count()) + "s";
      grant["auditTrail"] = Json{{"accessGrantTime", FormatRfc3339(start)}};
      grant["createTime"] = FormatRfc3339(start);
      AddEvent(grant, "requested", start);
      grant.erase("endTime");
    }
    const std::string entitlement = GetParent(entry.key, "/grants/");
    if (!entitlements_.contains(entitlement)) {
      implied.emplace(entitlement, ImpliedEntitlement(entitlement, grant));
    }
  }
  for (const Entry& entry : entries) implied.erase(entry.key);
  for (auto& [name, value] : implied) {
    entries.push_back({std::string(section::kEntitlements), name, std::move(value)});
  }
}

Expected<void> PrivilegedAccess::Activate(const std::vector<Entry>& added, Storage& storage) {
  for (const Entry& entry : added) {
    if (entry.section != section::kPrivilegedGrants) continue;
    const Json& grant = entry.value;
    const bool active = StringMember(grant, "state") == kActive;
    if (!active || grant.value("externallyModified", false)) continue;
    if (auto changed = ChangePolicy(grant, /*add=*/true, storage); !changed) return changed;
  }
  return {};
}

/// Adds the bindings of the grant to the policy of its resource, or removes the bindings.
Expected<void> PrivilegedAccess::ChangePolicy(const Json& grant, bool add, Storage& storage) {
  const std::string key = StringMember(ReadAccess(grant), "resource");
  const Policy* present = iam_.Find(key);
  if (present == nullptr) return {};
  const std::string member = StringMember(grant, "member");
  Policy policy = *present;
  bool changed = false;
  for (const Json& role_binding : GetRoles(grant)) {
    const std::string role = StringMember(role_binding, "role");
    const Expr condition = MakeCondition(grant, role_binding);
    auto binding = FindBinding(policy.bindings, role, condition);
    const bool bound = binding != policy.bindings.end();
    const bool held =
        bound && std::ranges::find(binding->members, member) != binding->members.end();
    if (held == add) continue;
    changed = true;
    if (add && bound) {
      binding->members.push_back(member);
    } else if (add) {
      policy.bindings.push_back({role, {member}, condition});
    } else {
      std::erase(binding->members, member);
      if (binding->members.empty()) policy.bindings.erase(binding);
    }
  }
  if (!changed) return {};
  policy.etag = iam_.NextEtag();
  if (auto stored = storage.Put(iam_.ToEntry(key, policy)); !stored) return stored;
  (void)iam_.SetPolicy(key, std::move(policy));
  return {};
}

bool PrivilegedAccess::HasBindings(const Json& grant) const {
  const Policy* present = iam_.Find(StringMember(ReadAccess(grant), "resource"));
  if (present == nullptr) return false;
  std::vector<Binding> bindings = present->bindings;
  const std::string member = StringMember(grant, "member");
  return std::ranges::all_of(GetRoles(grant), [&](const Json& role_binding) {
    const auto binding = FindBinding(bindings, StringMember(role_binding, "role"),
                                     MakeCondition(grant, role_binding));
    return binding != bindings.end() &&
           std::ranges::find(binding->members, member) != binding->members.end();
  });
}

Expected<void> PrivilegedAccess::Keep(const std::string& name, Json grant, Storage& storage) {
  grant["updateTime"] = FormatRfc3339(clock_.Wall());
  if (auto stored = storage.Put({std::string(section::kPrivilegedGrants), name, grant}); !stored) {
    return stored;
  }
  grants_.insert_or_assign(name, std::move(grant));
  return {};
}

Expected<void> PrivilegedAccess::Begin(const std::string& name, Storage& storage) {
  Json grant = grants_.at(name);
  grant["state"] = kActive;
  grant["auditTrail"] = Json{{"accessGrantTime", FormatRfc3339(clock_.Wall())}};
  AddEvent(grant, "activated", clock_.Wall());
  if (auto changed = ChangePolicy(grant, /*add=*/true, storage); !changed) return changed;
  return Keep(name, std::move(grant), storage);
}

Expected<void> PrivilegedAccess::End(const std::string& name, const char* state, const char* event,
                                     Storage& storage) {
  Json grant = grants_.at(name);
  if (StringMember(grant, "state") == kActive) {
    if (auto changed = ChangePolicy(grant, /*add=*/false, storage); !changed) return changed;
    grant["auditTrail"]["accessRemoveTime"] = FormatRfc3339(clock_.Wall());
  }
  grant["state"] = state;
  AddEvent(grant, event, clock_.Wall());
  return Keep(name, std::move(grant), storage);
}

Expected<void> PrivilegedAccess::EndOverdue(Storage& storage) {
  const WallTime now = clock_.Wall();
  std::vector<std::string> over;
  for (const auto& [name, grant] : grants_) {
    if (StringMember(grant, "state") == kActive && FindEnd(grant) <= now) over.push_back(name);
  }
  for (const std::string& name : over) {
    if (auto ended = End(name, "ENDED", "ended", storage); !ended) return ended;
  }
  return {};
}

Expected<void> PrivilegedAccess::NoteWritten(const std::string& key, Storage& storage) {
  std::vector<std::string> modified;
  for (const auto& [name, grant] : grants_) {
    const bool concerned = StringMember(grant, "state") == kActive &&
                           StringMember(ReadAccess(grant), "resource") == key &&
                           !grant.value("externallyModified", false);
    if (concerned && !HasBindings(grant)) modified.push_back(name);
  }
  for (const std::string& name : modified) {
    Json grant = grants_.at(name);
    grant["externallyModified"] = true;
    AddEvent(grant, "externallyModified", clock_.Wall());
    if (auto kept = Keep(name, std::move(grant), storage); !kept) return kept;
  }
  return {};
}

GoogleResult<Json> PrivilegedAccess::Entitlement(const std::string& name) const {
  const auto found = entitlements_.find(name);
  if (found == entitlements_.end()) return tl::unexpected(NotFound(name));
  return found->second;
}

std::vector<Json> PrivilegedAccess::EntitlementsIn(const std::string& parent) const {
  std::vector<Json> list;
  for (const auto& [name, value] : entitlements_) {
    if (GetParent(name, "/entitlements/") == parent) list.push_back(value);
  }
  return list;
}

GoogleResult<Json> PrivilegedAccess::CreateEntitlement(const std::string& name, Json entitlement,
                                                       Storage& storage) {
  if (entitlements_.contains(name)) {
    GoogleError error = InvalidArgument("Resource '" + name + "' already exists");
    error.http_status = 409;
    error.status = "ALREADY_EXISTS";
    return tl::unexpected(std::move(error));
  }
  const std::string now = FormatRfc3339(clock_.Wall());
  Json value = {{"name", name}, {"createTime", now}, {"updateTime", now}};
  for (const auto& [field, content] : entitlement.items()) {
    if (!value.contains(field)) value[field] = std::move(content);
  }
  value["state"] = "AVAILABLE";
  value["etag"] = "\"" + ShortDigest(name + now) + "\"";
  if (auto stored = storage.Put({std::string(section::kEntitlements), name, value}); !stored) {
    return Failed(stored.error());
  }
  entitlements_.insert_or_assign(name, value);
  return value;
}

GoogleResult<Json> PrivilegedAccess::Grant(const std::string& name) const {
  const auto found = grants_.find(name);
  if (found == grants_.end()) return tl::unexpected(NotFound(name));
  return ShownGrant(found->second);
}

GoogleResult<std::vector<Json>> PrivilegedAccess::ListGrants(const std::string& entitlement) const {
  if (!entitlements_.contains(entitlement)) return tl::unexpected(NotFound(entitlement));
  std::vector<Json> list;
  for (const auto& [name, grant] : grants_) {
    if (GetParent(name, "/grants/") == entitlement) list.push_back(ShownGrant(grant));
  }
  return list;
}

std::vector<Json> PrivilegedAccess::Grants() const {
  std::vector<Json> list;
  for (const auto& [name, grant] : grants_) list.push_back(ShownGrant(grant));
  return list;
}

GoogleResult<Json> PrivilegedAccess::CreateGrant(const GrantRequest& request, Storage& storage) {
  auto entitlement = Entitlement(request.entitlement);
  if (!entitlement) return entitlement;
  const std::string requester = ShowRequester(request.member);
  const std::vector<Json> others = *ListGrants(request.entitlement);
  const auto open = std::ranges::count_if(others, [&](const Json& grant) {
    return StringMember(grant, "requester") == requester && !IsOver(grant);
  });
  if (static_cast<std::size_t>(open) >= kMostOpenGrants) {
    return tl::unexpected(Precondition("The requester already has " +
                                       std::to_string(kMostOpenGrants) +
                                       " open grants of this entitlement."));
  }
  const WallTime now = clock_.Wall();
  const std::string name =
      request.entitlement + "/grants/" +
      ShortDigest(request.entitlement + FormatRfc3339(now) + std::to_string(++created_));
  Json grant = {{"name", name},
                {"createTime", FormatRfc3339(now)},
                {"requester", requester},
                {"requestedDuration", std::to_string(request.duration.count()) + "s"},
                {"state", kAwaited},
                {"privilegedAccess", entitlement->value("privilegedAccess", Json::object())},
                {"member", request.member}};
  if (!request.justification.is_null()) grant["justification"] = request.justification;
  AddEvent(grant, "requested", now);
  if (auto kept = Keep(name, std::move(grant), storage); !kept) return Failed(kept.error());
  if (!entitlement->contains("approvalWorkflow")) {
    if (auto begun = Begin(name, storage); !begun) return Failed(begun.error());
  }
  return Grant(name);
}

GoogleResult<Json> PrivilegedAccess::Decide(const std::string& name, bool approve,
                                            Storage& storage) {
  auto grant = Grant(name);
  if (!grant) return grant;
  if (StringMember(*grant, "state") != kAwaited) {
    return tl::unexpected(Precondition("Grant is not in state APPROVAL_AWAITED."));
  }
  const auto done = approve ? Begin(name, storage) : End(name, "DENIED", "denied", storage);
  if (!done) return Failed(done.error());
  return Grant(name);
}

GoogleResult<Json> PrivilegedAccess::Revoke(const std::string& name, Storage& storage) {
  auto grant = Grant(name);
  if (!grant) return grant;
  if (IsOver(*grant)) return tl::unexpected(Precondition("Grant is already in a final state."));
  if (auto ended = End(name, "REVOKED", "revoked", storage); !ended) return Failed(ended.error());
  return Grant(name);
}

}  // namespace bindery::emulator
