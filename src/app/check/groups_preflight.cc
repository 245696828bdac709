#include "app/check/groups_preflight.h"

#include <chrono>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/json.h"
#include "providers/group_directory.h"
#include "providers/inventory_source.h"

namespace bindery::app {
namespace {

constexpr const char* kGroupsCheck = "groups";

/// The groups of the declarations, in their order.
std::vector<std::string> GroupsIn(const std::vector<controller::CheckJob>& jobs) {
  std::set<std::string> groups;
  for (const controller::CheckJob& job : jobs) {
    for (const controller::DeclaredClaim& claim : job.declared) {
      const reconcilers::Kind* kind = claim.kind == nullptr ? job.kind : claim.kind;
      if (claim.manifest == nullptr || claim.manifest->references != nullptr) continue;
      const auto spec = ParseJson(claim.manifest->spec);
      if (!spec) continue;
      for (const Grant& grant : kind->GrantsIn(*spec)) {
        if (grant.principal.starts_with("group:")) groups.insert(grant.principal);
      }
    }
  }
  return {groups.begin(), groups.end()};
}

report::PreflightCheck CheckGroup(const providers::GroupDirectory& directory,
                                  const cloud::Connection& connection, const std::string& group) {
  constexpr std::string_view kPrefix = "group:";
  constexpr std::chrono::seconds kLongest{20};
  // The lookup and one page tell all that a longer list could.
  providers::GroupBudget budget{2, std::chrono::steady_clock::now() + kLongest};
  const auto read = directory.Read(connection, group.substr(kPrefix.size()), budget);
  const std::string name(directory.name());
  if (read) {
    return {kGroupsCheck, connection.provider, report::CheckState::kOk,
            name + " tells the members of " + group, ""};
  }
  return {kGroupsCheck, connection.provider, report::CheckState::kWarning,
          name + " does not tell the members of " + group + ": " + ToString(read.error()),
          "needed: " + std::string(directory.needs())};
}

}  // namespace

std::vector<report::PreflightCheck> PreflightOfGroups(
    const config::Config& config, const Clouds& clouds,
    const std::vector<controller::CheckJob>& jobs) {
  const std::vector<std::string> groups = GroupsIn(jobs);
  std::vector<report::PreflightCheck> checks;
  for (const auto& [name, provider] : config.providers) {
    const providers::InventorySource* source = providers::FindInventory(provider.type);
    const providers::GroupPlan plan =
        source == nullptr ? providers::GroupPlan() : source->GetGroups(provider);
    const auto connection = clouds.providers.connections.find(name);
    if (plan.directory == nullptr || connection == clouds.providers.connections.end()) continue;
    if (groups.empty()) {
      checks.push_back({kGroupsCheck, name, report::CheckState::kOk,
                        std::string(plan.directory->name()) +
                            " was not asked: no manifest names a group; needed: " +
                            std::string(plan.directory->needs()),
                        ""});
      continue;
    }
    checks.push_back(CheckGroup(*plan.directory, *connection->second, groups.front()));
  }
  return checks;
}

}  // namespace bindery::app
