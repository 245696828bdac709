// Who waits for whom: dependsOn and references, replacements that come before what they replace,
// and names that a manifest had before.

#include <algorithm>
#include <utility>

#include "controller/catalog.h"
#include "manifests/expression.h"
#include "manifests/given_values.h"

namespace bindery {
namespace {

/// The manifest that a former claim belonged to; empty for any other resource.
std::string SuccessorOf(const std::string& name) {
  const auto end = name.find(kFormerClaim);
  return end == std::string::npos ? std::string() : name.substr(0, end);
}

std::string Named(const ResourceEntry& entry) {
  return "\"" + entry.name + "\" (" + entry.source().Text() + ")";
}

bool StaysBehind(const ResourceEntry& entry) {
  return entry.leaving() && (entry.options().protect || entry.options().retain_on_delete);
}

}  // namespace

bool Catalog::KnowsName(const std::string& name) const {
  return resources_.contains(name) || templates_.contains(name);
}

bool Catalog::IsSettled(const ResourceEntry& entry) const {
  // What it declares is there; only what it does not declare is still to go.
  const bool only_removes = !entry.leaving() && (entry.status->reason == reason::kRemovalPending ||
                                                 entry.status->reason == reason::kRemovalBlocked);
  const bool done = entry.status->state == ResourceState::kReady || only_removes;
  if (!entry.accepted || !done) return false;
  if (entry.observed_generation != entry.generation) return false;
  const auto target = targets_.find(entry.target);
  return target != targets_.end() && target->second.checked;
}

std::vector<const ResourceEntry*> Catalog::NeedsInForce(const ResourceEntry& entry) const {
  std::vector<const ResourceEntry*> needs;
  if (dependencies_.empty()) return needs;
  for (const std::string& name : dependencies_.Needs(entry.name)) {
    const auto found = resources_.find(name);
    // What is on its way out stays until nobody needs it any more.
    if (found != resources_.end() && !found->second.leaving()) needs.push_back(&found->second);
  }
  return needs;
}

const ResourceEntry* Catalog::BlockedBy(const ResourceEntry& entry) const {
  for (const ResourceEntry* need : NeedsInForce(entry)) {
    if (!IsSettled(*need)) return need;
  }
  return nullptr;
}

const ResourceEntry* Catalog::KeptFor(const ResourceEntry& entry) const {
  for (const std::string& name : dependencies_.Dependents(entry.name)) {
    const auto found = resources_.find(name);
    if (found == resources_.end() || !found->second.accepted) continue;
    // What is looked for in vain needs nothing.
    const bool missing = found->second.status->reason == reason::kTargetNotFound;
    if (!StaysBehind(found->second) && !missing) return &found->second;
  }
  const std::string successor = SuccessorOf(entry.name);
  if (successor.empty()) return nullptr;
  const auto found = resources_.find(successor);
  if (found == resources_.end() || !found->second.accepted || found->second.leaving()) {
    return nullptr;
  }
  const ResourceEntry& heir = found->second;
  // Nothing is written for one that is only observed.
  if (ModeOf(heir) == Mode::kObserve) return &heir;
  // On one target a single write takes away and grants.
  const bool at_once = *heir.target == *entry.target && !heir.suspended() && !heir.adopting() &&
                       BlockedBy(heir) == nullptr;
  return at_once || IsSettled(heir) ? nullptr : &heir;
}

ResourceStatus Catalog::WaitingStatus(const ResourceEntry& need) {
  std::string why = need.status->message;
  if (need.status->state == ResourceState::kReady) why = "its last change is still to be checked";
  return {ResourceState::kReconciling, std::string(reason::kDependencyNotReady),
          "waits for " + Named(need) + ": " + why};
}

ResourceStatus Catalog::KeptStatus(const ResourceEntry& entry, const ResourceEntry& keeper) {
  const bool replaced = SuccessorOf(entry.name) == keeper.name;
  return {ResourceState::kReconciling, std::string(reason::kDeleting),
          "what it granted is removed once " + Named(keeper) +
              (replaced ? " grants in its place" : ", which depends on it, is gone")};
}

Expected<Json> Catalog::OutputsOf(const std::string& name) const {
  const auto found = resources_.find(name);
  const auto waiting = [&](const std::string& why) {
    return Fail(Code::kUnavailable, "waits for \"" + name + "\": " + why);
  };
  if (found == resources_.end()) return waiting("nothing is known of it yet");
  const ResourceEntry& entry = found->second;
  if (!entry.accepted || entry.leaving()) return waiting(entry.status->message);
  const auto target = targets_.find(entry.target);
  const bool known = entry.observed_generation == entry.generation && target != targets_.end() &&
                     target->second.outputs_known;
  if (!known) return waiting(entry.status->message);
  const Expected<Json> values = ParseJson(entry.manifest->spec);
  Expected<Json> outputs = ParseJson(target->second.Outputs());
  if (!values) return Fail(values.error());
  if (!outputs) return outputs;
  return GivenValues(*values, std::move(*outputs));
}

std::set<std::string> Catalog::NeedsOf(const Manifest& manifest) const {
  // What is in force has its references resolved; the document still names them.
  const auto written = templates_.find(manifest.name);
  const Manifest& document = written == templates_.end() ? manifest : *written->second;
  const std::vector<std::string> names =
      DependenciesOf(document, [this](const std::string& name) { return KnowsName(name); });
  return {names.begin(), names.end()};
}

void Catalog::NoteTemplates(const ScanInput& scan) {
  const auto take = [this](const FileContent& file) {
    for (const auto& manifest : file.manifests) {
      if (manifest->references != nullptr) templates_[manifest->name] = manifest;
    }
  };
  if (!scan.edit) {
    templates_.clear();
    for (const auto& file : scan.files) take(*file);
    return;
  }
  for (const auto& file : scan.edit->before) {
    for (const auto& manifest : file->manifests) templates_.erase(manifest->name);
  }
  for (const auto& file : scan.edit->now) take(*file);
}

/// Whom it needs is made out when all of the scan have names: most need nobody.
void Catalog::NoteLinked(const Manifest& manifest) {
  const bool linked = !manifest.options.uncommon().depends_on.empty() ||
                      templates_.contains(manifest.name) ||
                      !dependencies_.Needs(manifest.name).empty();
  if (linked) relink_.insert(manifest.name);
}

void Catalog::NoteFreed(const std::string& name) {
  for (const std::string& need : dependencies_.Needs(name)) {
    const auto needed = resources_.find(need);
    if (needed == resources_.end() || !needed->second.leaving()) continue;
    freed_.insert(needed->second.target);
  }
}

void Catalog::NoteNeeds() {
  for (const std::string& name : std::exchange(relink_, {})) {
    const auto found = resources_.find(name);
    if (found == resources_.end() || found->second.manifest == nullptr) continue;
    NoteFreed(name);
    dependencies_.Set(name, NeedsOf(*found->second.manifest));
  }
}

bool Catalog::TouchesLinks(const ScanEdit& edit) const {
  const auto linked = [this](const std::shared_ptr<const FileContent>& file) {
    return std::any_of(
        file->manifests.begin(), file->manifests.end(), [this](const auto& manifest) {
          return manifest->references != nullptr || manifest->options.rare != nullptr ||
                 !dependencies_.Needs(manifest->name).empty() ||
                 !dependencies_.Dependents(manifest->name).empty();
        });
  };
  return std::any_of(edit.now.begin(), edit.now.end(), linked) ||
         std::any_of(edit.before.begin(), edit.before.end(), linked);
}

/// What changes makes what others were given of it outdated: nothing that was decided on for them
/// may still be carried out.
void Catalog::HoldBackDependents() {
  if (dependencies_.empty()) return;
  std::vector<std::string> unsettled;
  for (const ResourceEntry* entry : dirty_) {
    if (!IsSettled(*entry)) unsettled.push_back(entry->name);
  }
  for (const std::string& name : unsettled) {
    for (const std::string& dependent : dependencies_.Dependents(name)) {
      const auto found = resources_.find(dependent);
      if (found != resources_.end() && found->second.accepted) {
        changed_.insert(found->second.target);
      }
    }
  }
}

bool Catalog::WaitsNoMore(const ResourceEntry& dependent, const ResourceEntry& need) const {
  const ResourceStatus& status = *dependent.status;
  if (status.reason != reason::kDependencyNotReady) return false;
  // It may wait on, but for another reason, which is worth telling.
  return IsSettled(need) || status != WaitingStatus(need);
}

Catalog::Awakened Catalog::Awaken(const TargetEntry& target) const {
  Awakened awakened;
  if (dependencies_.empty() && former_claims_.empty()) return awakened;
  const auto wake = [&](const ResourceEntry& entry) {
    if (entry.accepted) awakened.targets.insert(entry.target);
  };
  for (const ResourceEntry* entry : target.resources) {
    for (const std::string& dependent : dependencies_.Dependents(entry->name)) {
      const auto found = resources_.find(dependent);
      if (found == resources_.end() || !WaitsNoMore(found->second, *entry)) continue;
      awakened.resolve = awakened.resolve || templates_.contains(dependent);
      wake(found->second);
    }
    if (!IsSettled(*entry)) continue;
    for (const std::string& name : FormerClaimsOf(entry->name)) {
      const ResourceEntry& former = resources_.at(name);
      const bool waits_no_more = KeptFor(former) != entry;
      if (waits_no_more && former.status == KeptStatus(former, *entry)) wake(former);
    }
  }
  return awakened;
}

bool Catalog::FeedsTemplates(const std::string& name) const {
  const std::set<std::string>& dependents = dependencies_.Dependents(name);
  return std::any_of(dependents.begin(), dependents.end(), [this](const std::string& dependent) {
    return templates_.contains(dependent);
  });
}

}  // namespace bindery
