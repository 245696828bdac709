// Resources as the store keeps them.

#include <utility>

#include "controller/catalog.h"
#include "controller/options_text.h"

namespace bindery {
namespace {

ResourceRecord RecordWith(const ResourceEntry& entry, std::string outputs) {
  const Manifest& manifest = *entry.manifest;
  ResourceRecord record;
  record.name = entry.name;
  if (manifest.token != nullptr) record.token = *manifest.token;
  if (!entry.target.empty()) record.target = *entry.target;
  record.provider = entry.provider.str();
  record.role = entry.role.str();
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
  record.generation = entry.generation;
  record.observed_generation = entry.observed_generation;
  record.status = *entry.status;
  record.status_since = entry.status_since;
  record.suspended = entry.suspended_by_operator;
  record.missing_scans = entry.missing_scans;
  record.untouched = entry.untouched;
  record.age = entry.age.Packed();
  record.outputs = std::move(outputs);
  return record;
}

class EntrySnapshot final : public ResourceSnapshot {
 public:
  EntrySnapshot(const ResourceEntry& entry, std::string outputs)
      : entry_(entry), outputs_(std::move(outputs)) {}

  [[nodiscard]] const std::string& Name() const override { return entry_.name; }
  [[nodiscard]] ResourceRecord Record() const override { return RecordWith(entry_, outputs_); }

 private:
  const ResourceEntry entry_;
  const std::string outputs_;
};

}  // namespace

std::string Catalog::KnownOutputs(const ResourceEntry& entry) const {
  if (!entry.accepted) return {};
  const auto target = targets_.find(entry.target);
  return target == targets_.end() ? std::string() : target->second.Outputs();
}

ResourceRecord Catalog::RecordOf(const ResourceEntry& entry) const {
  return RecordWith(entry, KnownOutputs(entry));
}

std::shared_ptr<const ResourceSnapshot> Catalog::SnapshotOf(const ResourceEntry& entry) const {
  return std::make_shared<const EntrySnapshot>(entry, KnownOutputs(entry));
}

}  // namespace bindery
