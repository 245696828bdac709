#include "controller/catalog.h"

#include <algorithm>
#include <utility>

#include "controller/options_text.h"

namespace bindery {
namespace {

/// Says that a newer manifest of the resource was kept out.
bool KeptOut(const ResourceStatus& status) {
  return status.state == ResourceState::kStalled &&
         (status.reason == reason::kRoleConflict || status.reason == reason::kProviderConflict ||
          status.reason == reason::kDuplicateName || status.reason == reason::kManifestInvalid);
}

}  // namespace

std::string DriftKey(const DriftItem& item) {
  return std::string(ToString(item.drift_class)) + "|" + item.resource + "|" +
         CanonicalJson(ToJson(item.grant, kIamWords));
}

void Catalog::Load(const StoredState& stored) {
  for (const TargetRecord& record : stored.targets) {
    TargetEntry entry;
    entry.kind = kinds_.FindByName(record.target.kind);
    entry.record = record;
    if (entry.kind != nullptr) targets_[record.target.Key()] = std::move(entry);
  }
  for (const ResourceRecord& record : stored.resources) Restore(record);
  std::erase_if(targets_, [](const auto& item) { return item.second.resources.empty(); });
  for (const DriftRecord& drift : stored.open_drift) {
    if (TargetEntry* target = FindTarget(drift.target.Key()); target != nullptr) {
      target->open_drift[DriftKey(drift.item)] = {drift.item.drift_class, drift.item.severity};
    }
  }
  for (const IntentRecord& intent : stored.intents) {
    if (TargetEntry* target = FindTarget(intent.target.Key()); target != nullptr) {
      target->unresolved = intent;
    }
  }
}

void Catalog::Restore(const ResourceRecord& record) {
  ResourceEntry& entry = resources_[record.name];
  entry.record = record;
  entry.kind = kinds_.Find(record.token);
  entry.options = OptionsFromText(record.options);
  if (entry.kind == nullptr || !record.accepted) return;
  const Expected<Json> spec = ParseJson(record.spec);
  const auto project = settings_.projects.find(record.provider);
  const Expected<Declaration> declared =
      spec ? entry.kind->Declare(
                 *spec, project == settings_.projects.end() ? std::string() : project->second)
           : Expected<Declaration>(Fail(spec.error()));
  if (declared) {
    entry.declaration = *declared;
  } else {
    // An empty declaration would take everything away.
    entry.unreadable = true;
    entry.rejected = ResourceStatus{ResourceState::kStalled, std::string(reason::kManifestInvalid),
                                    "its stored manifest is unusable: " + declared.error().message};
  }
  if (!entry.rejected && KeptOut(record.status)) entry.rejected = record.status;
  // What was placed stays where it was placed, whatever the default project is today.
  entry.declaration.target = record.target.name;
  entry.declaration.role = record.role;
  Attach(entry);
}

ResourceEntry* Catalog::FindResource(const std::string& name) {
  const auto found = resources_.find(name);
  return found == resources_.end() ? nullptr : &found->second;
}

TargetEntry* Catalog::FindTarget(const std::string& key) {
  const auto found = targets_.find(key);
  return found == targets_.end() ? nullptr : &found->second;
}

std::int64_t Catalog::DeclaredGrants() const {
  std::int64_t count = 0;
  for (const auto& [name, entry] : resources_) {
    if (entry.record.accepted) {
      count += static_cast<std::int64_t>(entry.declaration.grants.size());
    }
  }
  return count;
}

std::vector<const Kind*> Catalog::AllKinds() const {
  std::vector<const Kind*> all;
  for (const auto& kind : kinds_.all()) all.push_back(kind.get());
  return all;
}

void Catalog::Attach(ResourceEntry& entry) {
  TargetEntry& target = targets_[entry.record.target.Key()];
  if (target.kind == nullptr) {
    target.kind = entry.kind;
    target.record.target = entry.record.target;
  }
  target.record.provider = entry.record.provider;
  target.resources.insert(entry.record.name);
}

void Catalog::Detach(const ResourceEntry& entry, StoreChange& change) {
  const std::string key = entry.record.target.Key();
  const auto target = targets_.find(key);
  if (target == targets_.end()) return;
  target->second.resources.erase(entry.record.name);
  changed_.insert(key);
  if (!target->second.resources.empty()) return;
  const Target gone = target->second.record.target;
  std::erase_if(change.upsert_targets,
                [&](const TargetRecord& record) { return record.target == gone; });
  std::erase(change.touch_targets, gone);
  change.forget_targets.push_back(gone);
  targets_.erase(target);
  changed_.erase(key);
}

void Catalog::Forget(const std::string& name, StoreChange& change) {
  const auto found = resources_.find(name);
  if (found == resources_.end()) return;
  const std::string key = found->second.record.target.Key();
  if (found->second.record.accepted) Detach(found->second, change);
  std::erase_if(change.upsert_resources,
                [&](const ResourceRecord& record) { return record.name == name; });
  change.forget_resources.push_back(name);
  resources_.erase(found);
  ForgetRetained(key, change);
}

/// Where only claims are left that are to stay in the cloud, there is nothing to watch over any
/// more. Beside others they have to be remembered, or they would be removed as undeclared.
void Catalog::ForgetRetained(const std::string& key, StoreChange& change) {
  const TargetEntry* target = FindTarget(key);
  if (target == nullptr) return;
  const std::set<std::string> names = target->resources;
  const bool only_retained = std::all_of(names.begin(), names.end(), [&](const auto& name) {
    const ResourceEntry& entry = resources_.at(name);
    return entry.leaving() && entry.options.retain_on_delete && !entry.options.protect;
  });
  if (!only_retained || names.empty()) return;
  Forget(*names.begin(), change);
}

std::vector<std::string> Catalog::FormerClaimsOf(const std::string& name) const {
  const std::string beginning = name + std::string(kFormerClaim);
  std::vector<std::string> names;
  for (auto it = resources_.lower_bound(beginning);
       it != resources_.end() && it->first.starts_with(beginning); ++it) {
    names.push_back(it->first);
  }
  return names;
}

ResourceStatus Catalog::LeavingStatus(const ResourceEntry& entry) {
  const bool moved = entry.record.name.find(kFormerClaim) != std::string::npos;
  const std::string why =
      moved ? "its manifest now names another target or role" : "its manifest is gone";
  if (entry.options.protect) {
    return {ResourceState::kStalled, std::string(reason::kProtected),
            why + ", but it is protected (options.protect): nothing is removed"};
  }
  if (entry.options.retain_on_delete) {
    return {ResourceState::kReady, "Retained",
            why + "; what it granted stays (options.retainOnDelete)"};
  }
  return {ResourceState::kReconciling, std::string(reason::kDeleting),
          why + ": what it granted is being removed"};
}

bool Catalog::SetStatus(ResourceEntry& entry, ResourceStatus status, const Now& now,
                        StoreChange& change) {
  if (entry.record.status == status &&
      entry.record.observed_generation == entry.record.generation) {
    return false;
  }
  const bool moved =
      entry.record.status.state != status.state || entry.record.status.reason != status.reason;
  if (moved) entry.record.status_since = now.wall;
  entry.record.status = std::move(status);
  entry.record.observed_generation = entry.record.generation;
  change.upsert_resources.push_back(entry.record);
  return moved;
}

Treatment Catalog::TreatmentOf(const ResourceEntry& entry) const {
  const Mode mode = entry.options.mode.value_or(settings_.mode);
  if (entry.suspended() || entry.unreadable) return Treatment::kFreeze;
  if (entry.leaving()) {
    // Its manifest may have come back while nobody looked.
    if (!scanned_) return Treatment::kFreeze;
    if (entry.options.protect || entry.options.retain_on_delete) return Treatment::kFreeze;
    return mode == Mode::kObserve ? Treatment::kObserveRemoved : Treatment::kRemove;
  }
  return mode == Mode::kObserve ? Treatment::kObserve : Treatment::kEnforce;
}

bool Catalog::IsFrozen(const std::string& key) const {
  const std::set<std::string>& names = targets_.at(key).resources;
  return std::all_of(names.begin(), names.end(), [this](const std::string& name) {
    return TreatmentOf(resources_.at(name)) == Treatment::kFreeze;
  });
}

Desired Catalog::DesiredOf(const std::string& key) const {
  Desired desired;
  desired.keep_undeclared = settings_.keep_undeclared || unknown_content_;
  const TargetEntry& target = targets_.at(key);
  for (const std::string& name : target.resources) {
    const ResourceEntry& entry = resources_.at(name);
    desired.claims.push_back({name, entry.declaration, TreatmentOf(entry)});
  }
  for (const std::string& role : target.contested) {
    desired.claims.push_back(
        {"", Declaration{target.record.target.name, role, {}}, Treatment::kFreeze});
  }
  return desired;
}

std::chrono::milliseconds Catalog::IntervalOf(const std::string& key) const {
  std::optional<std::chrono::milliseconds> shortest;
  for (const std::string& name : targets_.at(key).resources) {
    const auto& own = resources_.at(name).options.interval;
    if (own && (!shortest || *own < *shortest)) shortest = own;
  }
  return shortest.value_or(settings_.interval);
}

Expected<Placement> Catalog::Place(const Manifest& manifest) const {
  const Kind* kind = kinds_.Find(manifest.token);
  if (kind == nullptr) {
    return Fail(Code::kInvalidArgument, "no kind \"" + manifest.token.Text() + "\"");
  }
  const KindTraits& traits = kind->traits();
  Placement placement;
  placement.provider =
      manifest.options.provider.empty() ? traits.provider_type : manifest.options.provider;
  const auto type = settings_.provider_types.find(placement.provider);
  if (type == settings_.provider_types.end()) {
    return Fail(Code::kInvalidArgument, "the configuration has no provider \"" +
                                            placement.provider + "\" (providers." +
                                            placement.provider + ")");
  }
  if (type->second != traits.provider_type) {
    return Fail(Code::kInvalidArgument, "provider \"" + placement.provider + "\" is of type " +
                                            type->second + "; " + kind->schema().token.kind +
                                            " needs one of type " + traits.provider_type);
  }
  const Expected<Json> spec = ParseJson(manifest.spec);
  if (!spec) return Fail(spec.error());
  const auto project = settings_.projects.find(placement.provider);
  const Expected<Declaration> declared =
      kind->Declare(*spec, project == settings_.projects.end() ? std::string() : project->second);
  if (!declared) return Fail(declared.error());
  placement.target.kind = kind->schema().token.kind;
  if (!traits.names_are_global) placement.target.scope = placement.provider;
  placement.target.name = declared->target;
  placement.role = declared->role;
  return placement;
}

}  // namespace bindery
