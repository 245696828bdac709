#include "controller/catalog.h"

#include <algorithm>
#include <utility>

#include "core/canonical_json.h"
#include "reconcilers/provider_choice.h"

namespace bindery {
namespace {

/// options.expired: remove, and nothing that forbids it.
bool GoesWhenExpired(const ResourceEntry& entry) {
  const Options& options = entry.options();
  return options.remove_expired && !options.protect && !entry.adopting();
}

bool StaysWhenGone(const ResourceEntry& entry) {
  return entry.options().protect || entry.options().retain_on_delete;
}

}  // namespace

std::string DriftKey(const DriftItem& item) {
  return std::string(ToString(item.drift_class)) + "|" + item.resource + "|" +
         CanonicalGrant(item.grant);
}

void Catalog::SetSettings(CatalogSettings settings) {
  const bool same = settings.projects == settings_.projects &&
                    settings.provider_types == settings_.provider_types;
  if (!same) placed_otherwise_ = true;
  if (!(settings == settings_)) ++rules_in_use_;
  // What nobody declares, or was only looked at, is taken away by another word of ours.
  const bool wider =
      settings_.keep_undeclared != settings.keep_undeclared || settings_.mode != settings.mode;
  settings_ = std::move(settings);
  for (auto& [name, entry] : resources_) entry.settled = entry.settled && !wider;
  // What is declared may be treated differently now.
  for (auto& [key, target] : targets_) target.confirmed_body = {};
}

/// The entry of that name, a new one where there is none.
ResourceEntry& Catalog::EntryOf(const std::string& name) {
  // A first scan brings them all, in their order.
  ResourceEntry& entry = resources_.try_emplace(resources_.end(), name)->second;
  if (entry.name.empty()) entry.name = name;
  return entry;
}

ResourceEntry* Catalog::FindResource(const std::string& name) {
  const auto found = resources_.find(name);
  return found == resources_.end() ? nullptr : &found->second;
}

TargetEntry* Catalog::FindTarget(const TargetKey& key) {
  const auto found = targets_.find(key);
  return found == targets_.end() ? nullptr : &found->second;
}

TargetEntry* Catalog::FindTarget(const Target& target) {
  const auto found = targets_.find(target);
  return found == targets_.end() ? nullptr : &found->second;
}

/// The entry of that target, a new one where there is none.
TargetEntry& Catalog::EntryAt(const TargetKey& key) {
  TargetEntry& entry = targets_[key];
  if (entry.target.empty()) entry.target = key;
  return entry;
}

TargetKey Catalog::KeyOf(const Target& target) const {
  const auto known = targets_.find(target);
  return known == targets_.end() ? TargetKey(target) : known->first;
}

std::vector<const Kind*> Catalog::AllKinds() const {
  std::vector<const Kind*> all;
  for (const auto& kind : kinds_.all()) all.push_back(kind.get());
  return all;
}

/// Puts a resource where its manifest places it.
void Catalog::PutAt(ResourceEntry& entry, const Placement& placement) const {
  if (entry.target.empty() || !(*entry.target == placement.target)) {
    entry.target = KeyOf(placement.target);
  }
  entry.provider = placement.provider;
  entry.role = placement.role;
  entry.grants = placement.grants;
}

void Catalog::Attach(ResourceEntry& entry) { AttachTo(EntryAt(entry.target), entry); }

void Catalog::AttachTo(TargetEntry& target, ResourceEntry& entry) {
  if (target.kind == nullptr) target.kind = entry.kind;
  entry.target = target.target;
  target.provider = entry.provider;
  target.confirmed_body = {};
  target.Insert(entry);
}

void Catalog::Detach(const ResourceEntry& entry, StoreChange& change) {
  const TargetKey key = entry.target;
  const auto target = targets_.find(key);
  if (target == targets_.end()) return;
  target->second.Erase(entry.name);
  target->second.confirmed_body = {};
  changed_.insert(key);
  if (!target->second.resources.empty()) return;
  const Target gone = *target->second.target;
  std::erase_if(change.upsert_targets,
                [&](const TargetRecord& record) { return record.target == gone; });
  std::erase(change.touch_targets, key);
  change.forget_targets.push_back(gone);
  targets_.erase(target);
  contested_on_.erase(key);
  changed_.erase(key);
}

void Catalog::Forget(const std::string& name, StoreChange& change) {
  const auto found = resources_.find(name);
  if (found == resources_.end()) return;
  const ResourceEntry& entry = found->second;
  const TargetKey key = entry.target;
  if (entry.accepted) {
    declared_grants_ -= entry.grants;
    if (entry.age.look > 0 && !entry.age.urgent) targets_.at(key).forgotten_age = entry.age;
    Detach(entry, change);
  }
  if (entry.dirty) {
    const auto last = std::find(dirty_.rbegin(), dirty_.rend(), &entry);
    dirty_.erase(std::next(last).base());
  }
  std::erase_if(change.upsert_resources,
                [&](const ResourceRecord& record) { return record.name == name; });
  std::erase_if(change.upsert_snapshots,
                [&](const auto& snapshot) { return snapshot->Name() == name; });
  change.forget_resources.push_back(name);
  NoteFreed(name);
  dependencies_.Erase(name);
  former_claims_.erase(name);
  unaccepted_.erase(name);
  missing_once_.erase(name);
  times_.Erase(name);
  resources_.erase(found);
  ForgetRetained(key, change);
}

/// Where only claims are left that are to stay in the cloud, there is nothing to watch over any
/// more. Beside others they have to be remembered, or they would be removed as undeclared.
void Catalog::ForgetRetained(const TargetKey& key, StoreChange& change) {
  const TargetEntry* target = FindTarget(key);
  if (target == nullptr || target->resources.empty()) return;
  const bool only_retained =
      std::all_of(target->resources.begin(), target->resources.end(), [](const auto* entry) {
        const Options& options = entry->options();
        return entry->leaving() && options.retain_on_delete && !options.protect;
      });
  if (only_retained) Forget(std::string(target->resources.front()->name), change);
}

std::vector<std::string> Catalog::FormerClaimsOf(const std::string& name) const {
  const std::string beginning = name + std::string(kFormerClaim);
  std::vector<std::string> names;
  for (auto it = former_claims_.lower_bound(beginning);
       it != former_claims_.end() && it->starts_with(beginning); ++it) {
    names.push_back(*it);
  }
  return names;
}

ResourceStatus Catalog::LeavingStatus(const ResourceEntry& entry) {
  const bool moved = entry.name.find(kFormerClaim) != std::string::npos;
  if (entry.is_lookup()) {
    return {ResourceState::kReconciling, std::string(reason::kDeleting),
            "its manifest is gone: it is looked up no more"};
  }
  const std::string why =
      moved ? "its manifest now names another target or role" : "its manifest is gone";
  if (entry.options().protect) {
    return {ResourceState::kStalled, std::string(reason::kProtected),
            why + ", but it is protected (options.protect): nothing is removed"};
  }
  if (entry.options().retain_on_delete) {
    return {ResourceState::kReady, "Retained",
            why + "; what it granted stays (options.retainOnDelete)"};
  }
  if (entry.untouched) {
    return {ResourceState::kReconciling, std::string(reason::kDeleting),
            why + "; nothing was done in its name, so nothing is removed"};
  }
  return {ResourceState::kReconciling, std::string(reason::kDeleting),
          why + ": what it granted is to be removed"};
}

bool Catalog::SetStatus(ResourceEntry& entry, SharedStatus status, const Now& now,
                        StoreChange& change, bool acted) const {
  const bool ready = status->state == ResourceState::kReady;
  const bool untouched = entry.untouched && !acted && !ready;
  if (ready && !entry.leaving() && !entry.suspended()) entry.settled = entry.came_true = true;
  // What is to be adopted is not taken over before it was found as declared.
  const bool taken_over = !entry.adopting() || ready;
  const std::int32_t observed = taken_over ? entry.generation : entry.observed_generation;
  if (entry.status == status && entry.observed_generation == observed &&
      entry.untouched == untouched) {
    return false;
  }
  const bool moved = entry.status->state != status->state || entry.status->reason != status->reason;
  if (moved) entry.status_since = now.wall;
  entry.status = std::move(status);
  entry.observed_generation = observed;
  entry.untouched = untouched;
  change.upsert_resources.push_back(RecordOf(entry));
  return moved;
}

bool Catalog::LeavesNothing(const ResourceEntry& entry) const {
  // Before the first scan its manifest may have come back while nobody looked.
  return scanned_ && entry.leaving() && entry.untouched && !StaysWhenGone(entry);
}

Mode Catalog::ModeOf(const ResourceEntry& entry) const {
  return entry.options().mode.value_or(settings_.mode);
}

const ResourceEntry* Catalog::RemoverOf(const ResourceEntry& entry,
                                        const std::set<std::string>& gone) const {
  if (settings_.keep_undeclared || entry.is_lookup()) return nullptr;
  const auto& others = targets_.at(entry.target).resources;
  const auto remover = std::find_if(others.begin(), others.end(), [&](const ResourceEntry* other) {
    return !gone.contains(other->name) && !other->leaving() && ModeOf(*other) == Mode::kEnforce;
  });
  return remover == others.end() ? nullptr : *remover;
}

Treatment Catalog::TreatmentOf(const ResourceEntry& entry, bool in_order) const {
  const Mode mode = ModeOf(entry);
  if (entry.suspended() || entry.unreadable) return Treatment::kFreeze;
  // Its manifest was there a scan before. Until the next one tells whether it is gone, nothing is
  // given in its name, nor taken from it.
  if (entry.missing_scans == 1) return Treatment::kFreeze;
  if (entry.leaving()) {
    // Before the first scan: its manifest may have come back while nobody looked.
    if (!scanned_ || StaysWhenGone(entry) || entry.untouched) return Treatment::kFreeze;
    if (in_order && KeptFor(entry) != nullptr) return Treatment::kFreeze;
    return mode == Mode::kObserve ? Treatment::kObserveRemoved : Treatment::kRemove;
  }
  if (const ResourceEntry* need = in_order ? BlockedBy(entry) : nullptr; need != nullptr) {
    // What it needs will be there in a moment, or something is wrong and drift is still reported.
    const bool failed = need->status->state == ResourceState::kStalled ||
                        need->status->state == ResourceState::kSuspended;
    return failed ? Treatment::kObserve : Treatment::kFreeze;
  }
  return mode == Mode::kObserve ? Treatment::kObserve : Treatment::kEnforce;
}

bool Catalog::IsTakenOut(const ResourceEntry& entry) const {
  return GoesWhenExpired(entry) && !times_.doubted() && times_.HasExpired(entry.name);
}

bool Catalog::AwaitsTime(const ResourceEntry& entry) const {
  if (!times_.doubted() || !GoesWhenExpired(entry)) return false;
  return times_.MayHaveExpired(entry.name) || entry.status->reason == reason::kExpired;
}

bool Catalog::IsFrozen(const TargetKey& key) const {
  const auto& resources = targets_.at(key).resources;
  return std::all_of(resources.begin(), resources.end(), [this](const ResourceEntry* entry) {
    return TreatmentOf(*entry) == Treatment::kFreeze;
  });
}

CheckJob Catalog::JobOf(const TargetEntry& target, bool in_order) const {
  CheckJob job;
  job.target = *target.target;
  job.kind = target.kind;
  job.provider = target.provider.str();
  const bool in_doubt = unknown_content_ || project_names_.IsInDoubt(target.target->name);
  job.keep_undeclared = settings_.keep_undeclared || in_doubt;
  job.undeclared_in_doubt = in_doubt && !settings_.keep_undeclared;
  job.severities = settings_.severities;
  const auto project = settings_.projects.find(target.provider.str());
  if (project != settings_.projects.end()) job.project = project->second;
  job.declared.reserve(target.resources.size() + target.contested->size());
  for (const ResourceEntry* entry : target.resources) {
    // What stays behind is declared by nobody any more: its role is left alone, as a contested one.
    const bool left_behind = scanned_ && entry->leaving() && StaysWhenGone(*entry);
    Treatment treatment = TreatmentOf(*entry, in_order);
    const bool declares = treatment == Treatment::kEnforce || treatment == Treatment::kObserve;
    if (declares && AwaitsTime(*entry)) treatment = Treatment::kFreeze;
    job.declared.push_back({left_behind ? nullptr : entry->manifest, entry->role.str(), treatment,
                            entry->adopting(), IsTakenOut(*entry), entry->settled,
                            entry->came_true});
    if (!entry->is_lookup()) job.declared_grants += entry->grants;
  }
  for (const std::string& role : *target.contested) {
    job.declared.push_back({nullptr, role, Treatment::kFreeze});
  }
  return job;
}

std::optional<std::chrono::milliseconds> Catalog::OwnInterval(const TargetEntry& target) {
  std::optional<std::chrono::milliseconds> shortest;
  for (const ResourceEntry* entry : target.resources) {
    const auto& own = entry->options().interval;
    if (own && (!shortest || *own < *shortest)) shortest = own;
  }
  return shortest;
}

Expected<Declaration> Catalog::Declare(const Kind& kind, const Manifest& manifest,
                                       const std::string& provider) const {
  const Expected<Json> spec = ParseJson(manifest.spec);
  if (!spec) return Fail(spec.error());
  const auto project = settings_.projects.find(provider);
  return kind.Declare(*spec, project == settings_.projects.end() ? std::string() : project->second);
}

/// What is to be adopted must be what is declared.
Expected<void> Catalog::CheckImport(const Kind& kind, const Manifest& manifest,
                                    const Placement& placement) const {
  const std::string& id = manifest.options.uncommon().import_id;
  if (id.empty()) return {};
  const auto project = settings_.projects.find(placement.provider);
  const Expected<ResourceId> adopted =
      kind.ParseId(id, project == settings_.projects.end() ? std::string() : project->second);
  if (!adopted) return Fail(adopted.error().Wrap("options.import"));
  const Expected<std::string> target =
      kind.traits().names_are_global ? project_names_.Canonical(placement.provider, adopted->target)
                                     : Expected<std::string>(adopted->target);
  const bool same = target && *target == placement.target.name &&
                    (adopted->role.empty() || adopted->role == placement.role);
  if (same) return {};
  return Fail(Code::kInvalidArgument, "options.import names \"" + id +
                                          "\", but the manifest declares role \"" + placement.role +
                                          "\" on \"" + placement.target.name + "\"");
}

Expected<Placement> Catalog::Place(const Manifest& manifest) const {
  if (manifest.references != nullptr) {
    return Fail(Code::kUnavailable, "waits for what it refers to");
  }
  return PlaceAsWritten(manifest);
}

std::optional<Placement> Catalog::PlaceOf(const Manifest& manifest) const {
  Expected<Placement> placement = PlaceAsWritten(manifest);
  const bool told = placement && placement->target.name.find("${") == std::string::npos &&
                    placement->role.find("${") == std::string::npos;
  if (!told) return std::nullopt;
  return std::move(*placement);
}

Expected<Placement> Catalog::PlaceAsWritten(const Manifest& manifest) const {
  const Kind* kind = kinds_.Find(*manifest.token);
  if (kind == nullptr) {
    return Fail(Code::kInvalidArgument, "no kind \"" + manifest.token->Text() + "\"");
  }
  const KindTraits& traits = kind->traits();
  Placement placement;
  placement.provider = ProviderOf(manifest, *kind);
  if (auto fault = ProviderFault(manifest, *kind, settings_.provider_types)) {
    return Fail(Error(std::move(*fault)));
  }
  Expected<Declaration> declared = Declare(*kind, manifest, placement.provider);
  if (!declared) return Fail(std::move(declared.error()));
  placement.target.kind = kind->schema().token.kind;
  if (!traits.names_are_global) placement.target.scope = placement.provider;
  placement.target.name = std::move(declared->target);
  if (traits.names_are_global) {
    Expected<std::string> name =
        project_names_.Canonical(placement.provider, placement.target.name);
    if (!name) return Fail(std::move(name.error()));
    placement.target.name = std::move(*name);
  }
  // Any number of manifests may look up the same.
  placement.role = kind->schema().read_only ? manifest.name : declared->role;
  if (auto same = CheckImport(*kind, manifest, placement); !same) return Fail(same.error());
  placement.grants = static_cast<std::int32_t>(declared->grants.size());
  return placement;
}

}  // namespace bindery
