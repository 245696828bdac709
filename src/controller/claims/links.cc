#include "controller/claims/links.h"

#include <algorithm>
#include <utility>

#include "controller/claims/claim_status.h"
#include "controller/claims/status_code.h"
#include "manifests/documents/spec.h"
#include "manifests/schema/expression.h"
#include "manifests/schema/given_values.h"

namespace bindery::controller {
namespace {

bool StaysBehind(const ResourceEntry& entry) { return entry.leaving() && entry.stays_when_gone(); }

/// The resource was held back, and no need blocks it any more.
bool GoesOn(const Links& links, const ResourceEntry& entry) {
  return entry.progress.held_back && !entry.leaving() && links.BlockedBy(entry) == nullptr;
}

/// Former claims that wait no more, now that `heir` is settled, or wait for something else.
std::vector<const ResourceEntry*> FormerWaitingFor(const ResourceEntry& heir, const Links& links,
                                                   const Claims& claims) {
  std::vector<const ResourceEntry*> waiting;
  if (!links.IsSettled(heir)) return waiting;
  for (const std::string& name : claims.former().Of(heir.name)) {
    const ResourceEntry& former = *claims.FindResource(name);
    const ResourceEntry* blocker = links.DeletionBlockedBy(former);
    const bool told = blocker != &heir && former.standing.status == KeptStatus(former, heir);
    const bool goes = former.progress.held_back && blocker == nullptr;
    if (told || goes) waiting.push_back(&former);
  }
  return waiting;
}

}  // namespace

void Links::CopyFrom(const Links& other, const std::set<std::string>& names) {
  for (const std::string& name : names) {
    dependencies_.Set(name, other.dependencies_.Needs(name));
    awaited_.Set(name, other.awaited_.Needs(name));
  }
}

bool Links::Knows(const std::string& name) const {
  return claims_.FindResource(name) != nullptr || templates_.contains(name);
}

bool Links::IsSettled(const ResourceEntry& entry) const {
  // All declared grants are present; only undeclared grants still have to go.
  const bool only_removes =
      !entry.leaving() && (GetCode(*entry.standing.status) == StatusCode::kRemovalPending ||
                           GetCode(*entry.standing.status) == StatusCode::kRemovalBlocked);
  const bool done = entry.standing.status->state == ResourceState::kReady || only_removes;
  if (!entry.accepted || !done) return false;
  if (entry.progress.observed_generation != entry.progress.generation) return false;
  const TargetEntry* target = claims_.FindTarget(entry.place.target);
  return target != nullptr && target->calls.checked;
}

std::vector<const ResourceEntry*> Links::NeedsInForce(const ResourceEntry& entry) const {
  std::vector<const ResourceEntry*> needs;
  if (dependencies_.empty()) return needs;
  for (const std::string& name : dependencies_.Needs(entry.name)) {
    const ResourceEntry* need = claims_.FindResource(name);
    // A leaving resource stays until no resource needs it any more.
    if (need != nullptr && !need->leaving()) needs.push_back(need);
  }
  return needs;
}

const ResourceEntry* Links::BlockedBy(const ResourceEntry& entry) const {
  for (const ResourceEntry* need : NeedsInForce(entry)) {
    if (!IsSettled(*need)) return need;
  }
  return nullptr;
}

const ResourceEntry* Links::DeletionBlockedBy(const ResourceEntry& entry) const {
  for (const std::string& name : dependencies_.Dependents(entry.name)) {
    const ResourceEntry* dependent = claims_.FindResource(name);
    if (dependent == nullptr || !dependent->accepted) continue;
    // A resource with a missing target needs nothing.
    const bool missing = GetCode(*dependent->standing.status) == StatusCode::kTargetNotFound;
    if (!StaysBehind(*dependent) && !missing) return dependent;
  }
  const std::string successor = GetSuccessor(entry.name);
  if (successor.empty()) return nullptr;
  const ResourceEntry* heir = claims_.FindResource(successor);
  if (heir == nullptr || !heir->accepted || heir->leaving()) return nullptr;
  // Nothing is written for an observed resource.
  if (settings_.GetMode(*heir) == Mode::kObserve) return heir;
  // On one target a single write takes away and grants.
  const bool by_one_write = *heir->place.target == *entry.place.target && !heir->suspended() &&
                            !heir->adopting() && BlockedBy(*heir) == nullptr;
  return by_one_write || IsSettled(*heir) ? nullptr : heir;
}

Expected<Json> Links::GetOutputs(const std::string& name) const {
  const ResourceEntry* found = claims_.FindResource(name);
  const auto waiting = [&](const std::string& why) {
    return Fail(Code::kUnavailable, "waits for \"" + name + "\": " + why);
  };
  if (found == nullptr) return waiting("nothing is known of it yet");
  const ResourceEntry& entry = *found;
  if (!entry.accepted || entry.leaving()) return waiting(entry.standing.status->message);
  const TargetEntry* target = claims_.FindTarget(entry.place.target);
  const bool known = entry.progress.observed_generation == entry.progress.generation &&
                     target != nullptr && target->reading.outputs_known;
  if (!known) return waiting(entry.standing.status->message);
  const Expected<Json> values = manifests::MakeSpec(*entry.manifest);
  Expected<Json> outputs = ParseJson(target->Outputs());
  if (!values) return Fail(values.error());
  if (!outputs) return outputs;
  return manifests::GivenValues(*values, std::move(*outputs));
}

std::set<std::string> Links::ListNeeds(const manifests::Manifest& manifest) const {
  // The state in force has resolved references; the document still names them.
  const auto written = templates_.find(manifest.name);
  const manifests::Manifest& document = written == templates_.end() ? manifest : *written->second;
  const std::vector<std::string> names = manifests::ListDependencies(
      document, [this](const std::string& name) { return Knows(name); });
  return {names.begin(), names.end()};
}

void Links::NoteTemplates(const ScanInput& scan) {
  const auto take = [this](const manifests::FileContent& file) {
    for (const auto& manifest : file.manifests) {
      if (manifest->references != nullptr) templates_.emplace(manifest->name, manifest);
    }
  };
  if (!scan.edit) {
    templates_.clear();
    for (const auto& file : scan.files) take(*file);
    return;
  }
  for (const auto& file : scan.edit->before) {
    for (const auto& manifest : file->manifests) {
      const auto [begin, end] = templates_.equal_range(manifest->name);
      // A copy of the file may use the name as well.
      for (auto at = begin; at != end;) {
        at =
            at->second->source.file == manifest->source.file ? templates_.erase(at) : std::next(at);
      }
    }
  }
  for (const auto& file : scan.edit->now) take(*file);
}

void Links::NoteManifest(const manifests::Manifest& manifest) {
  const bool linked =
      !manifest.options.extra_options().depends_on.empty() || templates_.contains(manifest.name) ||
      !dependencies_.Needs(manifest.name).empty() || !awaited_.Needs(manifest.name).empty();
  if (linked) noted_.insert(manifest.name);
}

void Links::NoteFreed(const std::string& name) {
  for (const std::string& need : dependencies_.Needs(name)) {
    const ResourceEntry* needed = claims_.FindResource(need);
    if (needed != nullptr && needed->leaving()) freed_.insert(needed->place.target);
  }
}

void Links::Relink() {
  for (const std::string& name : std::exchange(noted_, {})) {
    const ResourceEntry* entry = claims_.FindResource(name);
    if (entry == nullptr || entry->manifest == nullptr) continue;
    const bool kept_out = entry->accepted && entry->standing.rejected != nullptr;
    awaited_.Set(name, kept_out ? ListNeeds(*entry->manifest) : std::set<std::string>());
    if (kept_out) continue;
    NoteFreed(name);
    dependencies_.Set(name, ListNeeds(*entry->manifest));
  }
}

bool Links::TouchedBy(const ScanEdit& edit) const {
  const auto linked = [this](const std::shared_ptr<const manifests::FileContent>& file) {
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

bool Links::WaitsNoMore(const ResourceEntry& dependent, const ResourceEntry& need) const {
  const ResourceStatus& status = *dependent.standing.status;
  if (GetCode(status.reason) != StatusCode::kDependencyNotReady) return false;
  // The resource may still wait, but for a new reason to report.
  return IsSettled(need) || status != WaitingStatus(need);
}

Links::Unblocked Links::UnblockedBy(const TargetEntry& target) const {
  Unblocked unblocked;
  if (dependencies_.empty() && awaited_.empty() && !claims_.former().Any()) return unblocked;
  const auto wake = [&](const ResourceEntry& entry) {
    if (entry.accepted) unblocked.targets.insert(entry.place.target);
  };
  for (const ResourceEntry* entry : target.resources) {
    for (const std::string& name : dependencies_.Dependents(entry->name)) {
      const ResourceEntry* dependent = claims_.FindResource(name);
      if (dependent == nullptr) continue;
      const bool told = WaitsNoMore(*dependent, *entry);
      unblocked.resolve = unblocked.resolve || (told && templates_.contains(name));
      // A scan sets the status of a kept-out resource: a check does not change it.
      const bool waits = told && dependent->standing.rejected == nullptr;
      if (waits || GoesOn(*this, *dependent)) wake(*dependent);
    }
    const std::set<std::string>& waiting = awaited_.Dependents(entry->name);
    unblocked.resolve |= std::any_of(waiting.begin(), waiting.end(), [&](const std::string& name) {
      const ResourceEntry* kept_out = claims_.FindResource(name);
      return kept_out != nullptr && WaitsNoMore(*kept_out, *entry);
    });
    for (const ResourceEntry* former : FormerWaitingFor(*entry, *this, claims_)) wake(*former);
  }
  return unblocked;
}

bool Links::FeedsTemplates(const std::string& name) const {
  const std::set<std::string>& dependents = dependencies_.Dependents(name);
  return !awaited_.Dependents(name).empty() ||
         std::any_of(dependents.begin(), dependents.end(), [this](const std::string& dependent) {
           return templates_.contains(dependent);
         });
}

}  // namespace bindery::controller
