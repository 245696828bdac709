#include "emulator/google/iam_resources.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "emulator/google/resource_name.h"

namespace bindery::emulator {
namespace {

constexpr const char* kPolicy = "policy";
constexpr const char* kDocument = "document";

tl::unexpected<GoogleError> NoResource(const std::string& key) {
  return tl::unexpected(NotFound(std::string(NameInKey(key))));
}

}  // namespace

bool IamResources::Keeps(std::string_view section) {
  return section == section::kAuthorizationPolicies || section == section::kManagementServers ||
         section == section::kIamPolicies || section == section::kImportDataFiles;
}

EtagMicros IamResources::NextEtag() {
  const auto now =
      std::chrono::duration_cast<std::chrono::microseconds>(clock_.Wall().time_since_epoch());
  last_etag_ = std::max<EtagMicros>(now.count(), last_etag_ + 1);
  return last_etag_;
}

void IamResources::GiveEtags(std::vector<Entry>& entries) {
  for (Entry& entry : entries) {
    const auto policy = entry.value.find(kPolicy);
    if (policy == entry.value.end()) continue;
    const bool has_etag = policy->value("etag", EtagMicros{0}) != 0;
    if (!has_etag) (*policy)["etag"] = NextEtag();
  }
}

void IamResources::Put(const Entry& entry) {
  projects_.NoteResource(NameInKey(entry.key));
  containers_.NoteResource(projects_.WithId(std::string(NameInKey(entry.key))));
  const Json* policy = FindMember(entry.value, kPolicy);
  Policy kept = policy == nullptr ? Policy() : PolicyFromJson(*policy);
  last_etag_ = std::max(last_etag_, kept.etag);
  const Json* document = FindMember(entry.value, kDocument);
  resources_.insert_or_assign(
      entry.key, Resource{entry.section, document == nullptr ? Json::object() : *document,
                          Versioned<Policy>(std::move(kept), clock_.Mono())});
}

void IamResources::Clear() {
  resources_.clear();
  principals_.Clear();
  projects_.Clear();
  containers_.Clear();
  groups_.Clear();
}

std::optional<Json> IamResources::Describe(const std::string& name) const {
  const std::string known = projects_.WithId(name);
  if (!containers_.Holds(known)) return std::nullopt;
  Json described = {{"name", name}, {"displayName", name}, {"state", "ACTIVE"}};
  if (auto project = projects_.Describe(known)) described = *std::move(project);
  if (std::string parent = containers_.GetParent(known); !parent.empty()) {
    described["parent"] = std::move(parent);
  }
  return described;
}

std::string IamResources::GetContainer(std::string_view name) const {
  if (const std::string_view container = ContainerIn(name); !container.empty()) {
    return std::string(container);
  }
  std::string only;
  for (const std::string& container : containers_.All()) {
    if (!container.starts_with("projects/")) continue;
    if (!only.empty()) return "";
    only = container;
  }
  return only;
}

std::vector<std::string> IamResources::Keys() const {
  std::vector<std::string> keys;
  keys.reserve(resources_.size());
  for (const auto& [key, resource] : resources_) keys.push_back(key);
  std::sort(keys.begin(), keys.end());
  return keys;
}

const Policy* IamResources::Find(const std::string& key) const {
  const auto found = resources_.find(key);
  return found == resources_.end() ? nullptr : &found->second.policy.Now();
}

Entry IamResources::ToEntry(const std::string& key) const {
  return ToEntry(key, resources_.at(key).policy.Now());
}

Entry IamResources::ToEntry(const std::string& key, const Policy& policy) const {
  const Resource& resource = resources_.at(key);
  Entry entry{resource.section, key, Json{{kDocument, resource.document}}};
  if (policy.etag != 0) entry.value[kPolicy] = ToJson(policy);
  return entry;
}

GoogleResult<Json> IamResources::ReadDocument(const std::string& key) const {
  const auto found = resources_.find(key);
  if (found == resources_.end()) return NoResource(key);
  return found->second.document;
}

GoogleResult<Json> IamResources::ReadPolicy(const std::string& key, int requested_version,
                                            Staleness staleness) const {
  const auto found = resources_.find(key);
  if (found == resources_.end()) return NoResource(key);
  const Versioned<Policy>& policy = found->second.policy;
  const Policy& read = staleness.count() == 0 ? policy.Now() : policy.At(clock_.Mono() - staleness);
  return ShownPolicy(read, requested_version, principals_);
}

GoogleResult<Policy> IamResources::Changed(const std::string& key, const PolicyWrite& write) {
  const auto found = resources_.find(key);
  if (found == resources_.end()) return NoResource(key);
  return ApplyWrite(found->second.policy.Now(), write, principals_, rules_, NextEtag());
}

Json IamResources::SetPolicy(const std::string& key, Policy policy) {
  Versioned<Policy>& versions = resources_.at(key).policy;
  versions.Set(std::move(policy), clock_.Mono());
  return ShownPolicy(versions.Now(), 3, principals_);
}

}  // namespace bindery::emulator
