#include "report/access/known_policies.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

#include "core/access/inventory.h"
#include "providers/inventory_source.h"

namespace bindery::report {
namespace {

/// The index that the scan read; null: the configuration does not have the provider any more.
const providers::InventorySource* FindSource(const AccessRecords& records,
                                             const InventoryRecord& scan) {
  const auto type = records.provider_types.find(scan.provider);
  return type == records.provider_types.end() ? nullptr : providers::FindInventory(type->second);
}

/// The finished scans, the latest first.
Expected<std::vector<std::unique_ptr<InventoryFacts>>> FinishedScans(const AccessRecords& records) {
  std::vector<std::unique_ptr<InventoryFacts>> scans;
  if (records.inventory == nullptr) return scans;
  const auto known = records.inventory->Inventories();
  if (!known) return Fail(known.error());
  for (const InventoryRecord& scan : *known) {
    if (!scan.finished) continue;
    auto facts = records.inventory->Inventory(scan.id);
    if (!facts) return Fail(facts.error());
    scans.push_back(std::make_unique<InventoryFacts>(*std::move(facts)));
  }
  return scans;
}

/// Each container by the latest scan that shows it.
std::vector<InventoryContainer> ListContainers(
    const std::vector<std::unique_ptr<InventoryFacts>>& scans) {
  std::vector<InventoryContainer> containers;
  for (const auto& facts : scans) {
    containers.insert(containers.end(), facts->containers.begin(), facts->containers.end());
  }
  return containers;
}

/// A policy on a resource that no kind manages has the type of the index.
Target ToTarget(const InventoryPolicy& policy) {
  return policy.kind.empty() ? Target{policy.type, "", policy.resource}
                             : Target{policy.kind, "", policy.target};
}

}  // namespace

std::string KnownPolicies::MakeKey(const Target& target) const {
  std::string name = places_.ById(target.name);
  // A managed folder has two spellings.
  while (name.ends_with('/')) name.pop_back();
  return target.kind.str() + "|" + target.scope.str() + "|" + name;
}

void KnownPolicies::AddScan(const AccessRecords& records, const InventoryFacts& facts,
                            std::map<std::string, ObservedPolicy>& by_key) const {
  const providers::InventorySource* source = FindSource(records, facts.scan);
  if (source == nullptr) return;
  for (const InventoryPolicy& policy : facts.policies) {
    ObservedPolicy found;
    found.target = ToTarget(policy);
    if (policy.kind.empty()) found.judged_as = source->JudgedAs();
    found.observed_at = facts.scan.started;
    found.scanned = &policy.bindings;
    const auto [known, added] = by_key.try_emplace(MakeKey(found.target), found);
    if (added || known->second.scanned != nullptr) continue;
    if (known->second.observed_at + source->MayBeOld() < facts.scan.started) {
      found.target = known->second.target;
      known->second = std::move(found);
    }
  }
}

void KnownPolicies::Join(const AccessRecords& records, std::vector<ObservedPolicy> read,
                         std::optional<WallTime> at) {
  std::map<std::string, ObservedPolicy> by_key;
  for (ObservedPolicy& policy : read) {
    std::string key = MakeKey(policy.target);
    by_key.emplace(std::move(key), std::move(policy));
  }
  for (const auto& facts : scans_) {
    if (!at || facts->scan.started <= *at) AddScan(records, *facts, by_key);
    for (const InventoryPolicy& policy : facts->policies) {
      scanned_in_.try_emplace(MakeKey(ToTarget(policy)), policy.place);
    }
  }
  for (auto& [key, policy] : by_key) policies_.push_back(std::move(policy));
  std::ranges::sort(policies_, {}, &ObservedPolicy::target);
}

Expected<KnownPolicies> KnownPolicies::Read(const AccessRecords& records,
                                            std::optional<WallTime> at) {
  auto read = ObservedPolicies(records.store, at);
  if (!read) return Fail(read.error());
  return With(records, at, *std::move(read));
}

Expected<KnownPolicies> KnownPolicies::With(const AccessRecords& records,
                                            std::optional<WallTime> at,
                                            std::vector<ObservedPolicy> read) {
  KnownPolicies known;
  auto scans = FinishedScans(records);
  if (!scans) return Fail(scans.error());
  if (scans->empty()) {
    known.policies_ = std::move(read);
  } else {
    known.scans_ = *std::move(scans);
    known.places_ = access::Places(ListContainers(known.scans_));
    known.scanned_at_ = known.scans_.front()->scan.started;
    known.Join(records, std::move(read), at);
  }
  return known;
}

/// Of several policies with one key the first is found.
void KnownPolicies::IndexPolicies() const {
  if (!by_key_.empty()) return;
  by_key_.resize(policies_.size());
  std::iota(by_key_.begin(), by_key_.end(), 0U);
  std::ranges::stable_sort(by_key_, {},
                           [this](std::uint32_t i) { return MakeKey(policies_[i].target); });
}

const ObservedPolicy* KnownPolicies::Find(const Target& target) const {
  IndexPolicies();
  const std::string key = MakeKey(target);
  const auto found = std::ranges::lower_bound(
      by_key_, key, {}, [this](std::uint32_t i) { return MakeKey(policies_[i].target); });
  if (found == by_key_.end() || MakeKey(policies_[*found].target) != key) return nullptr;
  return &policies_[*found];
}

std::string KnownPolicies::GetScannedPlace(const Target& target) const {
  const auto found = scanned_in_.find(MakeKey(target));
  return found == scanned_in_.end() ? std::string() : found->second;
}

access::Ancestry KnownPolicies::FindAncestry(const Target& target) const {
  std::string place = GetScannedPlace(target);
  if (!place.empty()) return access::FindAncestry(target, place, places_);
  // An object is where its bucket is.
  access::Ancestry ancestry = access::FindAncestry(target, place, places_);
  for (const Target& above : ancestry.above) {
    place = GetScannedPlace(above);
    if (!place.empty()) return access::FindAncestry(target, place, places_);
  }
  return ancestry;
}

bool KnownPolicies::IsScanned(const Target& container) const {
  return places_.Holds(container.name);
}

}  // namespace bindery::report
