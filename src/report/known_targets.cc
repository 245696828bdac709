#include "report/known_targets.h"

#include <map>
#include <utility>

#include "providers/bindery/own_kinds.h"

namespace bindery {

bool CountsAsTarget(const Target& target) {
  // The scope of a kind whose names mean something within a provider is the provider.
  return target.scope.str() != kOwnProvider;
}

Expected<std::vector<TargetRecord>> KnownTargets(const ReportReader& store,
                                                 const std::vector<ResourceRecord>& resources) {
  auto recorded = store.Targets();
  if (!recorded) return Fail(recorded.error());
  std::map<Target, TargetRecord> known;
  for (TargetRecord& record : *recorded) {
    const Target target = record.target;
    known.emplace(target, std::move(record));
  }
  for (const ResourceRecord& resource : resources) {
    const Target& target = resource.target;
    if (!resource.accepted || target.name.empty()) continue;
    const auto [entry, is_new] = known.try_emplace(target);
    if (!is_new) continue;
    entry->second.target = target;
    entry->second.provider = resource.provider;
  }
  std::vector<TargetRecord> all;
  all.reserve(known.size());
  for (auto& [target, record] : known) all.push_back(std::move(record));
  return all;
}

}  // namespace bindery
