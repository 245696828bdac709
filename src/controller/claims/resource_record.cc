#include "controller/claims/resource_record.h"

#include <utility>

#include "controller/claims/options_text.h"

namespace bindery::controller {
namespace {

store::ResourceRecord RecordWith(const ResourceEntry& entry, std::string outputs) {
  const manifests::Manifest& manifest = *entry.manifest;
  store::ResourceRecord record;
  record.name = entry.name;
  if (manifest.token != nullptr) record.token = *manifest.token;
  if (!entry.place.target.empty()) record.target = *entry.place.target;
  record.provider = entry.place.provider.str();
  record.role = entry.place.role.str();
  record.accepted = entry.accepted;
  record.grants = entry.grants;
  record.spec = manifest.spec;
  if (manifest.token != nullptr) {
    record.options = OptionsText(manifest.options);
    record.labels = manifest.labels.empty() ? "{}" : manifest.labels.str();
    record.annotations = manifest.annotations.empty() ? "{}" : manifest.annotations.str();
    record.digest = manifest.digest.Hex();
  }
  record.source_file = manifest.source.file;
  record.source_line = manifest.source.line;
  record.generation = entry.progress.generation;
  record.observed_generation = entry.progress.observed_generation;
  record.status = *entry.standing.status;
  record.status_since = entry.standing.since;
  record.suspended = entry.suspended_by_operator;
  record.missing_scans = entry.evidence.missing_scans;
  record.untouched = entry.progress.untouched;
  record.gave_up = !entry.progress.given_up->empty();
  record.age = entry.evidence.age.Packed();
  record.outputs = std::move(outputs);
  return record;
}

class EntrySnapshot final : public store::ResourceSnapshot {
 public:
  EntrySnapshot(const ResourceEntry& entry, std::string outputs)
      : entry_(entry), outputs_(std::move(outputs)) {}

  [[nodiscard]] const std::string& Name() const override { return entry_.name; }
  [[nodiscard]] store::ResourceRecord Record() const override {
    return RecordWith(entry_, outputs_);
  }

 private:
  const ResourceEntry entry_;
  const std::string outputs_;
};

/// Empty when nothing is known yet.
std::string KnownOutputs(const Claims& claims, const ResourceEntry& entry) {
  const TargetEntry* target = entry.accepted ? claims.FindTarget(entry.place.target) : nullptr;
  return target == nullptr ? std::string() : target->Outputs();
}

}  // namespace

store::ResourceRecord MakeRecord(const Claims& claims, const ResourceEntry& entry) {
  return RecordWith(entry, KnownOutputs(claims, entry));
}

store::StandingRecord MakeStanding(const Claims& claims, const ResourceEntry& entry) {
  store::StandingRecord record;
  record.name = entry.name;
  if (!entry.place.target.empty()) record.target = *entry.place.target;
  record.role = entry.place.role.str();
  record.observed_generation = entry.progress.observed_generation;
  record.status = *entry.standing.status;
  record.status_since = entry.standing.since;
  record.outputs = KnownOutputs(claims, entry);
  record.untouched = entry.progress.untouched;
  record.gave_up = !entry.progress.given_up->empty();
  record.age = entry.evidence.age.Packed();
  return record;
}

std::shared_ptr<const store::ResourceSnapshot> MakeSnapshot(const Claims& claims,
                                                            const ResourceEntry& entry) {
  return std::make_shared<const EntrySnapshot>(entry, KnownOutputs(claims, entry));
}

}  // namespace bindery::controller
