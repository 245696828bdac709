#pragma once

#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fakes/fake_writer.h"
#include "store/ports/startup_reader.h"

namespace bindery::testing {

/// What the engine works with: a writer, and what a start finds of what it wrote.
class FakeStore final : public FakeWriter, public store::StartupReader {
 public:
  Expected<void> ReadCatalog(
      const std::function<void(store::TargetRecord&&)>& take_target,
      const std::function<void(store::ResourceRecord&&)>& take_resource) const override {
    for (store::TargetRecord& record : GetValues(state.targets)) take_target(std::move(record));
    for (store::ResourceRecord& record : GetValues(state.resources))
      take_resource(std::move(record));
    return {};
  }
  Expected<void> ReadFiles(const std::function<void(store::FileRecord&&)>& take) const override {
    for (store::FileRecord& record : GetValues(state.files)) take(std::move(record));
    return {};
  }
  [[nodiscard]] Expected<std::vector<store::HoldRecord>> Holds() const override {
    return GetValues(state.holds);
  }
  [[nodiscard]] Expected<std::vector<store::IntentRecord>> OpenIntents() const override {
    return GetValues(state.intents);
  }
  [[nodiscard]] Expected<std::vector<store::RemovalRecord>> Removals(
      WallTime since) const override {
    std::vector<store::RemovalRecord> found;
    WallTime last = WallTime::min() + std::chrono::hours(7 * 24);
    for (const auto& [id, record] : state.removals) last = std::max(last, record.started);
    for (const auto& [id, record] : state.removals) {
      if (record.started >= std::min(since, last - std::chrono::hours(7 * 24))) {
        found.push_back(record);
      }
    }
    return found;
  }
  [[nodiscard]] Expected<std::vector<store::RollbackRecord>> Rollbacks() const override {
    return GetValues(state.rollbacks);
  }
  [[nodiscard]] Expected<std::optional<store::GenerationRecord>> LastGeneration() const override {
    if (state.generations.empty()) return std::optional<store::GenerationRecord>();
    return std::optional<store::GenerationRecord>(state.generations.back());
  }
  [[nodiscard]] Expected<std::vector<store::GenerationRecord>> OlderGenerations() const override {
    if (state.generations.empty()) return std::vector<store::GenerationRecord>();
    return std::vector<store::GenerationRecord>(state.generations.begin(),
                                                std::prev(state.generations.end()));
  }
  [[nodiscard]] Expected<store::EvidenceRecord> Evidence() const override { return state.evidence; }
  [[nodiscard]] Expected<std::vector<store::DriftRecord>> Drift(
      const store::DriftFilter& filter) const override {
    std::vector<store::DriftRecord> found;
    for (const store::DriftRecord& record : state.drift) {
      if (!filter.unresolved_only || !record.resolved_at) found.push_back(record);
    }
    return found;
  }
  [[nodiscard]] Expected<store::RevisionRecord> Revision(std::int64_t id) const override {
    for (const store::RevisionRecord& revision : state.revisions) {
      if (revision.id == id) return revision;
    }
    return Fail(Code::kNotFound, "no such revision");
  }

  /// As HistoryReader::Policy().
  [[nodiscard]] Expected<std::string> Policy(const std::string& digest) const {
    const auto found = state.policies.find(digest);
    if (found == state.policies.end()) return Fail(Code::kNotFound, "no such policy");
    return found->second;
  }

 private:
  template <typename Key, typename Value>
  static std::vector<Value> GetValues(const std::map<Key, Value>& map) {
    std::vector<Value> values;
    for (const auto& [key, value] : map) values.push_back(value);
    return values;
  }
};

}  // namespace bindery::testing
