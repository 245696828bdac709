#include "emulator/cloud.h"

#include <set>
#include <string>
#include <utility>

#include "core/text/time_text.h"
#include "emulator/datadog/current_user.h"
#include "emulator/google/resource_name.h"

namespace bindery::emulator {
namespace {

constexpr std::chrono::seconds kTokenLifetime{3600};

std::set<std::string> TextsIn(const Json& options, const char* name) {
  std::set<std::string> texts;
  const Json* list = FindMember(options, name);
  if (list == nullptr) return texts;
  for (const Json& item : *list) {
    if (item.is_string()) texts.insert(item.get<std::string>());
  }
  return texts;
}

IamRules RulesFrom(const Json& options) {
  IamRules rules;
  rules.preserve_member_case = options.value("preserveMemberCase", rules.preserve_member_case);
  rules.accept_conditions = options.value("acceptConditions", rules.accept_conditions);
  rules.conditions_on_basic_roles =
      options.value("conditionsOnBasicRoles", rules.conditions_on_basic_roles);
  rules.unsupported_roles = TextsIn(options, "unsupportedRoles");
  rules.allowed_member_domains = TextsIn(options, "allowedMemberDomains");
  return rules;
}

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

void Cloud::TakeOptions(const Json& options) {
  iam_.SetRules(RulesFrom(options));
  datadog_principals_.SetChecked(options.value("checkPrincipals", false));
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
  if (IamResources::Keeps(entry.section)) {
    iam_.Put(entry);
    order_.emplace_back(entry.section, entry.key);
  } else if (PrivilegedAccess::Keeps(entry.section)) {
    privileged_.Put(entry);
  } else if (entry.section == section::kRestrictionPolicies) {
    restrictions_.insert_or_assign(
        entry.key, Versioned<Json>(entry.value.value("bindings", Json::array()), now));
    order_.emplace_back(entry.section, entry.key);
  } else if (ListedEntries::Keeps(entry.section)) {
    listed_.Put(entry, now);
  } else if (DatadogPrincipals::Keeps(entry.section)) {
    datadog_principals_.Add(entry);
  } else if (SeededEntries::Keeps(entry.section)) {
    TakeSeeded(entry);
  }
}

void Cloud::TakeSeeded(const Entry& entry) {
  seeded_.Put(entry);
  if (entry.section == section::kPrincipals) {
    iam_.AddPrincipal(PrincipalFromJson(entry.value));
  } else if (entry.section == section::kProjects) {
    const std::string number = StringMember(entry.value, "number");
    if (!number.empty()) iam_.projects().Seed(entry.key, number);
    iam_.projects().NoteResource("projects/" + entry.key);
    iam_.containers().Seed("projects/" + entry.key, StringMember(entry.value, "parent"));
  } else if (entry.section == section::kFolders) {
    iam_.containers().Seed(entry.key, StringMember(entry.value, "parent"));
  } else if (entry.section == section::kGroups) {
    iam_.groups().Put(entry);
  } else if (entry.section == section::kOptions) {
    TakeOptions(entry.value);
  } else {
    identities_.Add(entry);
  }
}

bool Cloud::Holds(const Entry& entry) const {
  if (IamResources::Keeps(entry.section)) return iam_.Holds(entry.key);
  if (PrivilegedAccess::Keeps(entry.section)) return privileged_.Holds(entry);
  if (entry.section == section::kRestrictionPolicies) return restrictions_.count(entry.key) > 0;
  if (ListedEntries::Keeps(entry.section)) return listed_.Holds(entry.section, entry.key);
  if (DatadogPrincipals::Keeps(entry.section)) return datadog_principals_.Holds(entry);
  return seeded_.Holds(entry);
}

Expected<void> Cloud::Add(std::vector<Entry> entries) {
  const MutexLock lock(mutex_);
  std::erase_if(entries, [this](const Entry& entry) REQUIRES(mutex_) { return Holds(entry); });
  privileged_.Complete(entries);
  iam_.GiveEtags(entries);
  if (auto stored = storage_->Insert(entries); !stored) return stored;
  for (const Entry& entry : entries) Take(entry);
  return privileged_.Activate(entries, *storage_);
}

Expected<void> Cloud::Replace(std::vector<Entry> entries) {
  const MutexLock lock(mutex_);
  privileged_.Clear();
  privileged_.Complete(entries);
  iam_.GiveEtags(entries);
  if (auto stored = storage_->Replace(entries); !stored) return stored;
  iam_.Clear();
  restrictions_.clear();
  listed_.Clear();
  datadog_principals_.Clear();
  identities_.Clear();
  seeded_.Clear();
  TakeOptions(Json::object());
  order_.clear();
  for (const Entry& entry : entries) Take(entry);
  return privileged_.Activate(entries, *storage_);
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
    entries.push_back(iam_.ToEntry(key));
  }
  for (Entry& entry : privileged_.Entries()) entries.push_back(std::move(entry));
  for (Entry& entry : listed_.Living()) entries.push_back(std::move(entry));
  for (const auto* kept : {&datadog_principals_.entries(), &seeded_.entries()}) {
    entries.insert(entries.end(), kept->begin(), kept->end());
  }
  return entries;
}

std::optional<GoogleError> Cloud::EndOverdueGrants() {
  const auto ended = privileged_.EndOverdue(*storage_);
  if (ended) return std::nullopt;
  return StoreFailure(ended.error());
}

GoogleResult<Json> Cloud::ReadPolicy(const std::string& key, int requested_version,
                                     Staleness staleness) {
  const MutexLock lock(mutex_);
  if (auto failed = EndOverdueGrants()) return tl::unexpected(std::move(*failed));
  return iam_.ReadPolicy(key, requested_version, staleness);
}

GoogleResult<Json> Cloud::WritePolicy(const std::string& key, const PolicyWrite& write) {
  const MutexLock lock(mutex_);
  if (auto failed = EndOverdueGrants()) return tl::unexpected(std::move(*failed));
  auto next = iam_.Changed(key, write);
  if (!next) return tl::unexpected(next.error());
  if (auto stored = storage_->Put(iam_.ToEntry(key, *next)); !stored) {
    return tl::unexpected(StoreFailure(stored.error()));
  }
  Json written = iam_.SetPolicy(key, std::move(*next));
  if (auto noted = privileged_.NoteWritten(key, *storage_); !noted) {
    return tl::unexpected(StoreFailure(noted.error()));
  }
  return written;
}

GoogleResult<Json> Cloud::WithPrivilegedAccess(const PrivilegedCall& act) {
  const MutexLock lock(mutex_);
  if (auto failed = EndOverdueGrants()) return tl::unexpected(std::move(*failed));
  return act(privileged_, *storage_);
}

GoogleResult<Json> Cloud::ReadAssets(const AssetRead& read) {
  const MutexLock lock(mutex_);
  if (auto failed = EndOverdueGrants()) return tl::unexpected(std::move(*failed));
  return read(iam_, privileged_);
}

GoogleResult<Json> Cloud::ReadDocument(const std::string& key) {
  const MutexLock lock(mutex_);
  return iam_.ReadDocument(key);
}

bool Cloud::Holds(const std::string& key) {
  const MutexLock lock(mutex_);
  return iam_.Holds(key);
}

std::string Cloud::Canonical(const std::string& name) {
  const MutexLock lock(mutex_);
  return iam_.projects().WithId(name);
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
  // A deleted policy stays as an empty policy, else the next start would seed it again.
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
  std::string id = MakeUuid(made_of);
  for (int i = 2; listed_.Holds(section, id); ++i) id = MakeUuid(made_of + " " + std::to_string(i));
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

}  // namespace bindery::emulator
