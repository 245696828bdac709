#include "emulator/cloud.h"

#include <algorithm>

#include "core/time_text.h"
#include "emulator/current_user.h"
#include "emulator/resource_name.h"

namespace bindery::emulator {
namespace {

GoogleError StoreFailure(const Error& error) {
  GoogleError failure = Injected(500);
  failure.message += " " + error.message;
  return failure;
}

bool IsTarget(const std::string& section) {
  return section == section::kAuthorizationPolicies || section == section::kManagementServers ||
         section == section::kIamPolicies || section == section::kImportDataFiles;
}

constexpr std::chrono::seconds kTokenLifetime{3600};
constexpr const char* kPolicy = "policy";
constexpr const char* kDocument = "document";

}  // namespace

Expected<std::unique_ptr<Cloud>> Cloud::Open(const std::string& path, const Clock& clock) {
  auto storage = Storage::Open(path);
  if (!storage) return Fail(storage.error());
  auto entries = (*storage)->Load();
  if (!entries) return Fail(entries.error());
  std::unique_ptr<Cloud> cloud(new Cloud(std::move(*storage), clock));
  {
    const MutexLock lock(cloud->mutex_);
    for (const Entry& entry : *entries) cloud->Take(entry);
  }
  return cloud;
}

EtagMicros Cloud::NextEtag() {
  const auto now =
      std::chrono::duration_cast<std::chrono::microseconds>(clock_.Wall().time_since_epoch());
  last_etag_ = std::max<EtagMicros>(now.count(), last_etag_ + 1);
  return last_etag_;
}

void Cloud::GiveEtags(std::vector<Entry>& entries) {
  for (Entry& entry : entries) {
    const auto policy = entry.value.find(kPolicy);
    if (policy == entry.value.end()) continue;
    const bool has_etag = policy->value("etag", EtagMicros{0}) != 0;
    if (!has_etag) (*policy)["etag"] = NextEtag();
  }
}

void Cloud::TakeOptions(const Json& options) {
  rules_ = IamRules();
  rules_.preserve_member_case = options.value("preserveMemberCase", rules_.preserve_member_case);
  rules_.accept_conditions = options.value("acceptConditions", rules_.accept_conditions);
  rules_.conditions_on_basic_roles =
      options.value("conditionsOnBasicRoles", rules_.conditions_on_basic_roles);
  if (const Json* roles = FindMember(options, "unsupportedRoles")) {
    for (const Json& role : *roles) {
      if (role.is_string()) rules_.unsupported_roles.insert(role.get<std::string>());
    }
  }
  const auto lifetime = ParseDuration(StringMember(options, "tokenLifetime"));
  identities_.SetTokenLifetime(
      lifetime ? std::chrono::duration_cast<std::chrono::seconds>(*lifetime) : kTokenLifetime);
  std::vector<StandingLimit> limits;
  if (const Json* list = FindMember(options, "rateLimits")) {
    for (const Json& item : *list) {
      if (auto limit = StandingLimitFromJson(item)) limits.push_back(std::move(*limit));
    }
  }
  limits_.Set(std::move(limits));
}

void Cloud::Take(const Entry& entry) {
  const MonoTime now = clock_.Mono();
  if (IsTarget(entry.section)) {
    projects_.NoteResource(NameInKey(entry.key));
    const Json* policy = FindMember(entry.value, kPolicy);
    Policy kept = policy == nullptr ? Policy() : PolicyFromJson(*policy);
    last_etag_ = std::max(last_etag_, kept.etag);
    const Json* document = FindMember(entry.value, kDocument);
    resources_.insert_or_assign(
        entry.key, Resource{entry.section, document == nullptr ? Json::object() : *document,
                            Versioned<Policy>(std::move(kept), now)});
  } else if (entry.section == section::kRestrictionPolicies) {
    restrictions_.insert_or_assign(
        entry.key, Versioned<Json>(entry.value.value("bindings", Json::array()), now));
  } else if (ListedEntries::Keeps(entry.section)) {
    listed_.Put(entry, now);
  } else if (DatadogPrincipals::Keeps(entry.section)) {
    datadog_principals_.Add(entry);
  } else if (entry.section == section::kPrincipals) {
    principals_.Add(PrincipalFromJson(entry.value));
    principal_entries_.push_back(entry);
  } else if (entry.section == section::kProjects) {
    projects_.Seed(entry.key, StringMember(entry.value, "number"));
    project_entries_.push_back(entry);
  } else if (Identities::Keeps(entry.section)) {
    identities_.Add(entry);
    identity_entries_.push_back(entry);
  } else if (entry.section == section::kOptions) {
    TakeOptions(entry.value);
    options_ = entry;
  }
  if (IsTarget(entry.section) || entry.section == section::kRestrictionPolicies) {
    order_.emplace_back(entry.section, entry.key);
  }
}

bool Cloud::Holds(const Entry& entry) const {
  const auto same = [&](const Entry& other) {
    return other.section == entry.section && other.key == entry.key;
  };
  if (IsTarget(entry.section)) return resources_.count(entry.key) > 0;
  if (entry.section == section::kRestrictionPolicies) return restrictions_.count(entry.key) > 0;
  if (ListedEntries::Keeps(entry.section)) return listed_.Holds(entry.section, entry.key);
  if (DatadogPrincipals::Keeps(entry.section)) return datadog_principals_.Holds(entry);
  if (entry.section == section::kProjects) {
    return std::any_of(project_entries_.begin(), project_entries_.end(), same);
  }
  if (entry.section == section::kPrincipals) {
    return std::any_of(principal_entries_.begin(), principal_entries_.end(), same);
  }
  if (Identities::Keeps(entry.section)) {
    return std::any_of(identity_entries_.begin(), identity_entries_.end(), same);
  }
  return options_.has_value();
}

Expected<void> Cloud::Add(std::vector<Entry> entries) {
  const MutexLock lock(mutex_);
  std::erase_if(entries, [this](const Entry& entry) REQUIRES(mutex_) { return Holds(entry); });
  GiveEtags(entries);
  if (auto stored = storage_->Insert(entries); !stored) return stored;
  for (const Entry& entry : entries) Take(entry);
  return {};
}

Expected<void> Cloud::Replace(std::vector<Entry> entries) {
  const MutexLock lock(mutex_);
  GiveEtags(entries);
  if (auto stored = storage_->Replace(entries); !stored) return stored;
  resources_.clear();
  restrictions_.clear();
  listed_.Clear();
  datadog_principals_.Clear();
  principal_entries_.clear();
  principals_.Clear();
  project_entries_.clear();
  projects_.Clear();
  identity_entries_.clear();
  identities_.Clear();
  options_.reset();
  TakeOptions(Json::object());
  order_.clear();
  for (const Entry& entry : entries) Take(entry);
  return {};
}

Entry Cloud::ToEntry(const std::string& name, const Resource& resource, const Policy& policy) {
  Entry entry{resource.section, name, Json{{kDocument, resource.document}}};
  if (policy.etag != 0) entry.value[kPolicy] = ToJson(policy);
  return entry;
}

std::vector<Entry> Cloud::Entries() {
  const MutexLock lock(mutex_);
  std::vector<Entry> entries;
  for (const auto& [section, key] : order_) {
    if (section == section::kRestrictionPolicies) {
      const Json& bindings = restrictions_.at(key).Now();
      if (!bindings.empty()) entries.push_back({section, key, Json{{"bindings", bindings}}});
      continue;
    }
    const Resource& resource = resources_.at(key);
    entries.push_back(ToEntry(key, resource, resource.policy.Now()));
  }
  for (Entry& entry : listed_.Living()) entries.push_back(std::move(entry));
  const std::vector<Entry>& principals = datadog_principals_.entries();
  entries.insert(entries.end(), principals.begin(), principals.end());
  entries.insert(entries.end(), principal_entries_.begin(), principal_entries_.end());
  entries.insert(entries.end(), project_entries_.begin(), project_entries_.end());
  entries.insert(entries.end(), identity_entries_.begin(), identity_entries_.end());
  if (options_) entries.push_back(*options_);
  return entries;
}

GoogleResult<Json> Cloud::ReadPolicy(const std::string& key, int requested_version,
                                     Staleness staleness) {
  const MutexLock lock(mutex_);
  const auto found = resources_.find(key);
  if (found == resources_.end()) return tl::unexpected(NotFound(std::string(NameInKey(key))));
  const Versioned<Policy>& policy = found->second.policy;
  const Policy& read = staleness.count() == 0 ? policy.Now() : policy.At(clock_.Mono() - staleness);
  return ShownPolicy(read, requested_version, principals_);
}

GoogleResult<Json> Cloud::WritePolicy(const std::string& key, const PolicyWrite& write) {
  const MutexLock lock(mutex_);
  const auto found = resources_.find(key);
  if (found == resources_.end()) return tl::unexpected(NotFound(std::string(NameInKey(key))));
  Resource& resource = found->second;
  auto next = ApplyWrite(resource.policy.Now(), write, principals_, rules_, NextEtag());
  if (!next) return tl::unexpected(next.error());
  if (auto stored = storage_->Put(ToEntry(key, resource, *next)); !stored) {
    return tl::unexpected(StoreFailure(stored.error()));
  }
  resource.policy.Set(std::move(*next), clock_.Mono());
  return ShownPolicy(resource.policy.Now(), 3, principals_);
}

GoogleResult<Json> Cloud::ReadDocument(const std::string& key) {
  const MutexLock lock(mutex_);
  const auto found = resources_.find(key);
  if (found == resources_.end()) return tl::unexpected(NotFound(std::string(NameInKey(key))));
  return found->second.document;
}

bool Cloud::Holds(const std::string& key) {
  const MutexLock lock(mutex_);
  return resources_.contains(key);
}

std::string Cloud::Canonical(const std::string& name) {
  const MutexLock lock(mutex_);
  return projects_.WithId(name);
}

GoogleResult<Json> Cloud::ReadProject(const std::string& name) {
  const MutexLock lock(mutex_);
  auto project = projects_.Describe(name);
  if (!project) return tl::unexpected(PermissionDenied("resourcemanager.projects.get", name));
  return std::move(*project);
}

Json Cloud::ReadRestriction(const std::string& id, Staleness staleness) {
  const MutexLock lock(mutex_);
  const auto found = restrictions_.find(id);
  if (found == restrictions_.end()) return Json::array();
  return staleness.count() == 0 ? found->second.Now() : found->second.At(clock_.Mono() - staleness);
}

Expected<std::optional<std::string>> Cloud::WriteRestriction(const std::string& id, Json bindings,
                                                             const Veto& refuse) {
  const MutexLock lock(mutex_);
  auto found = restrictions_.find(id);
  if (refuse) {
    if (auto text = refuse(found == restrictions_.end() ? Json::array() : found->second.Now())) {
      return text;
    }
  }
  const bool new_and_empty = found == restrictions_.end() && bindings.empty();
  if (new_and_empty) return std::optional<std::string>();
  const std::string section(section::kRestrictionPolicies);
  // A deleted policy stays as an empty one, else the next start would seed it again.
  if (auto stored = storage_->Put({section, id, Json{{"bindings", bindings}}}); !stored) {
    return Fail(stored.error());
  }
  const MonoTime now = clock_.Mono();
  if (found == restrictions_.end()) {
    found = restrictions_.emplace(id, Versioned<Json>(Json::array(), MonoTime::min())).first;
    order_.emplace_back(section, id);
  }
  found->second.Set(std::move(bindings), now);
  return std::optional<std::string>();
}

Json Cloud::ReadListed(std::string_view section, Staleness staleness) {
  const MutexLock lock(mutex_);
  return staleness.count() == 0 ? listed_.Now(section)
                                : listed_.At(section, clock_.Mono() - staleness);
}

std::string Cloud::NewListedId(std::string_view section, const std::string& name) {
  const MutexLock lock(mutex_);
  const std::string made_of = std::string(section) + " " + name;
  std::string id = UuidOf(made_of);
  for (int i = 2; listed_.Holds(section, id); ++i) id = UuidOf(made_of + " " + std::to_string(i));
  return id;
}

Expected<Json> Cloud::WriteListed(std::string_view section, const std::string& id,
                                  const Decision& decide) {
  const MutexLock lock(mutex_);
  const Json* present = listed_.Find(section, id);
  std::optional<Json> value = decide(listed_.Now(section), present);
  if (!value) return Json();
  if (!value->contains("deleted")) {
    const std::string now = FormatRfc3339(clock_.Wall());
    (*value)["createdAt"] = present == nullptr ? now : present->value("createdAt", now);
    (*value)["modifiedAt"] = now;
  }
  const Entry entry{std::string(section), id, *std::move(value)};
  if (auto stored = storage_->Put(entry); !stored) return Fail(stored.error());
  listed_.Put(entry, clock_.Mono());
  const Json* data = FindListed(listed_.Now(section), id);
  return data == nullptr ? Json() : *data;
}

Json Cloud::FindUser(const std::string& user) {
  const MutexLock lock(mutex_);
  return datadog_principals_.FindUser(user);
}

std::vector<Json> Cloud::ListPrincipals(std::string_view section) {
  const MutexLock lock(mutex_);
  return datadog_principals_.List(section);
}

}  // namespace bindery::emulator
