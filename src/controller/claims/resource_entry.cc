#include "controller/claims/resource_entry.h"

#include <algorithm>
#include <utility>

#include "core/access/canonical_json.h"

namespace bindery::controller {
namespace {

bool NamedBefore(const ResourceEntry* entry, const std::string& name) { return entry->name < name; }

}  // namespace

SharedStatus::SharedStatus() : SharedStatus(Waiting()) {}

SharedStatus::SharedStatus(ResourceStatus status) {
  for (const SharedStatus* common : {&AsDeclared(), &Waiting()}) {
    if (**common == status) {
      status_ = common->status_;
      return;
    }
  }
  status_ = std::make_shared<const ResourceStatus>(std::move(status));
}

const SharedStatus& SharedStatus::AsDeclared() {
  static const SharedStatus kStatus(std::make_shared<const ResourceStatus>(ResourceStatus{
      ResourceState::kReady, std::string(reason::kReconciled), "the policy is as declared"}));
  return kStatus;
}

const SharedStatus& SharedStatus::Waiting() {
  static const SharedStatus kStatus(std::make_shared<const ResourceStatus>(
      ResourceStatus{ResourceState::kReconciling, std::string(reason::kProgressing),
                     "waiting for the next check of its target"}));
  return kStatus;
}

admission::Placement ResourceEntry::Place::placement() const {
  return {target.empty() ? Target{} : *target, provider.str(), role.str()};
}

bool ResourceEntry::Place::IsAt(const admission::Placement& placement) const {
  return !target.empty() && *target == placement.target && role.str() == placement.role &&
         provider.str() == placement.provider;
}

bool TargetEntry::AwaitsLook() const {
  return std::any_of(resources.begin(), resources.end(), [](const ResourceEntry* entry) {
    return entry->unreadable || (entry->evidence.age.absent && !entry->leaving());
  });
}

std::string TargetEntry::Outputs() const {
  if (!reading.outputs_known || kind == nullptr) return {};
  if (is_lookup()) return *reading.lookup_outputs;
  reconcilers::Observation known;
  known.etag = reading.etag;
  return kind->Outputs(target->name, known).dump();
}

bool TargetEntry::TakeOutputs(const reconcilers::Observation& seen) {
  if (is_lookup()) {
    std::string outputs = kind->Outputs(target->name, seen).dump();
    reading.outputs_moved = outputs != *reading.lookup_outputs;
    if (reading.outputs_moved) reading.lookup_outputs.Set(std::move(outputs));
  }
  const bool known = std::exchange(reading.outputs_known, true);
  return std::exchange(reading.outputs_moved, false) || !known;
}

void TargetEntry::Reading::SetEtag(const std::string& seen) {
  if (etag == seen) return;
  etag = seen;
  outputs_moved = true;
}

store::TargetRecord TargetEntry::Record() const {
  store::TargetRecord record;
  record.target = *target;
  record.provider = provider.str();
  record.observed = reading.observed;
  record.exists = reading.exists;
  record.ever_written = calls.ever_written;
  record.etag = reading.etag;
  record.policy_digest = reading.PolicyName();
  record.observed_at = reading.observed_at;
  record.grants = reading.grants;
  record.undeclared = reading.undeclared;
  return record;
}

std::string TargetEntry::Reading::PolicyName() const {
  return policy_digest.empty() ? std::string() : policy_digest.Hex();
}

std::vector<std::string> TargetEntry::Names() const {
  std::vector<std::string> names;
  names.reserve(resources.size());
  for (const ResourceEntry* entry : resources) names.push_back(entry->name);
  return names;
}

std::optional<std::chrono::milliseconds> TargetEntry::OwnInterval() const {
  std::optional<std::chrono::milliseconds> shortest;
  for (const ResourceEntry* entry : resources) {
    const auto& own = entry->options().interval;
    if (own && (!shortest || *own < *shortest)) shortest = own;
  }
  return shortest;
}

void TargetEntry::Insert(ResourceEntry& resource) {
  const auto at = std::lower_bound(resources.begin(), resources.end(), resource.name, NamedBefore);
  if (at != resources.end() && *at == &resource) return;
  resources.insert(at, &resource);
}

void TargetEntry::Erase(const std::string& name) {
  const auto at = std::lower_bound(resources.begin(), resources.end(), name, NamedBefore);
  if (at != resources.end() && (*at)->name == name) resources.erase(at);
}

std::string DriftKey(DriftClass drift_class, const std::string& resource, const Grant& grant) {
  return std::string(ToString(drift_class)) + "|" + resource + "|" + CanonicalGrant(grant);
}

std::string DriftKey(const DriftItem& item) {
  return DriftKey(item.drift_class, item.resource, item.grant);
}

}  // namespace bindery::controller
