#include "controller/claims/claims.h"

#include <utility>

namespace bindery::controller {

void Claims::CopyFrom(const Claims& other) {
  resources_ = other.resources_;
  targets_ = other.targets_;
  times_ = other.times_;
  former_ = other.former_;
  declared_grants_ = other.declared_grants_;
  std::unordered_map<const ResourceEntry*, ResourceEntry*> own;
  own.reserve(resources_.size());
  auto theirs = other.resources_.begin();
  for (auto& [name, entry] : resources_) own.emplace(&(theirs++)->second, &entry);
  for (auto& [key, target] : targets_) {
    for (ResourceEntry*& entry : target.resources) entry = own.at(entry);
  }
}

void Claims::CopyFrom(const Claims& other, const ClaimsPart& part) {
  for (const std::string& name : part.resources) {
    if (const auto found = other.resources_.find(name); found != other.resources_.end()) {
      resources_.insert(*found);
    }
  }
  for (const TargetKey& key : part.targets) {
    const auto found = other.targets_.find(key);
    if (found == other.targets_.end()) continue;
    TargetEntry& target = targets_.insert(*found).first->second;
    for (ResourceEntry*& entry : target.resources) entry = &resources_.at(entry->name);
  }
  times_.CopyFrom(other.times_, part.resources);
  declared_grants_ = other.declared_grants_;
}

const ResourceEntry* Claims::FindResource(const std::string& name) const {
  const auto found = resources_.find(name);
  return found == resources_.end() ? nullptr : &found->second;
}

ResourceEntry* Claims::FindResource(const std::string& name) {
  const auto found = resources_.find(name);
  return found == resources_.end() ? nullptr : &found->second;
}

TargetKey Claims::MakeKey(const Target& target) const {
  const auto known = targets_.find(target);
  return known == targets_.end() ? TargetKey(target) : known->first;
}

Claims::Resources::iterator Claims::Obtain(const std::string& name, Resources::iterator hint) {
  const auto at = resources_.try_emplace(hint, name);
  if (at->second.name.empty()) at->second.name = name;
  former_.Note(name);
  return at;
}

TargetEntry& Claims::ObtainTarget(const TargetKey& key) {
  TargetEntry& entry = targets_[key];
  if (entry.target.empty()) entry.target = key;
  return entry;
}

void Claims::PutAt(ResourceEntry& entry, const admission::Placement& placement) const {
  if (entry.place.target.empty() || !(*entry.place.target == placement.target)) {
    entry.place.target = MakeKey(placement.target);
  }
  entry.place.provider = placement.provider;
  entry.place.role = placement.role;
  entry.grants = placement.grants;
}

void Claims::Enforce(ResourceEntry& entry, const admission::Placement& placement) {
  if (entry.accepted) declared_grants_ -= entry.grants;
  PutAt(entry, placement);
  Enforce(entry, ObtainTarget(entry.place.target), WallTime::min());
}

void Claims::Enforce(ResourceEntry& entry, TargetEntry& target, WallTime told) {
  entry.accepted = true;
  declared_grants_ += entry.grants;
  if (target.kind == nullptr) target.kind = entry.kind;
  entry.place.target = target.target;
  target.provider = entry.place.provider;
  target.last_synced_digest = {};
  target.Insert(entry);
  times_.Put(entry.name, entry.manifest->spec, told);
}

ResourceEntry& Claims::LeaveBehind(ResourceEntry& entry, ResourceEntry former) {
  TargetEntry& target = targets_.at(former.place.target);
  target.Erase(entry.name);
  entry.accepted = false;
  ResourceEntry& stored = resources_[former.name] = std::move(former);
  former_.Note(stored.name);
  target.last_synced_digest = {};
  target.Insert(stored);
  return stored;
}

ResourceEntry& Claims::Rename(const std::string& from, const std::string& to) {
  TargetEntry& target = targets_.at(resources_.at(from).place.target);
  target.Erase(from);
  auto node = resources_.extract(from);
  node.key() = to;
  ResourceEntry& entry = resources_.insert(std::move(node)).position->second;
  entry.name = to;
  target.Insert(entry);
  times_.Erase(from);
  return entry;
}

void Claims::Erase(const std::string& name, store::StoreChange& change) {
  const auto found = resources_.find(name);
  const ResourceEntry& entry = found->second;
  const TargetKey key = entry.place.target;
  if (entry.accepted) declared_grants_ -= entry.grants;
  if (TargetEntry* target = entry.accepted ? FindTarget(key) : nullptr; target != nullptr) {
    if (entry.evidence.age.look > 0 && !entry.evidence.age.urgent)
      target->forgotten_age = entry.evidence.age;
    target->Erase(name);
    target->last_synced_digest = {};
    if (target->resources.empty()) EraseTarget(key, change);
  }
  std::erase_if(change.upsert_resources,
                [&](const store::ResourceRecord& record) { return record.name == name; });
  std::erase_if(change.standings,
                [&](const store::StandingRecord& record) { return record.name == name; });
  std::erase_if(change.upsert_snapshots,
                [&](const auto& snapshot) { return snapshot->Name() == name; });
  change.forget_resources.push_back(name);
  former_.Erase(name);
  times_.Erase(name);
  resources_.erase(found);
}

/// The last resource of the target is gone.
void Claims::EraseTarget(const TargetKey& key, store::StoreChange& change) {
  const Target& gone = *key;
  std::erase_if(change.upsert_targets,
                [&](const store::TargetRecord& record) { return record.target == gone; });
  std::erase(change.touch_targets, key);
  change.forget_targets.push_back(gone);
  targets_.erase(key);
}

}  // namespace bindery::controller
