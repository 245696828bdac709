#include "emulator/resource_name.h"

#include <algorithm>
#include <array>
#include <vector>

#include "emulator/seed.h"

namespace bindery::emulator {
namespace {

struct Pattern {
  std::string_view section;
  std::string_view service;
  std::vector<std::string_view> collections;  ///< The literal segments, alternating with ids.
};

const std::array<Pattern, 3>& Patterns() {
  static const std::array<Pattern, 3> kPatterns = {{
      {section::kAuthorizationPolicies,
       "networksecurity",
       {"projects", "locations", "authorizationPolicies"}},
      {section::kManagementServers, "backupdr", {"projects", "locations", "managementServers"}},
      {section::kImportDataFiles,
       "migrationcenter",
       {"projects", "locations", "importJobs", "importDataFiles"}},
  }};
  return kPatterns;
}

bool Matches(const Pattern& pattern, std::string_view name) {
  for (std::size_t i = 0; i < pattern.collections.size(); ++i) {
    const std::string_view collection = pattern.collections[i];
    if (name.substr(0, collection.size()) != collection) return false;
    name.remove_prefix(collection.size());
    if (name.empty() || name.front() != '/') return false;
    name.remove_prefix(1);
    const std::size_t end = std::min(name.find('/'), name.size());
    if (end == 0) return false;
    const bool last = i + 1 == pattern.collections.size();
    if (last != (end == name.size())) return false;
    name.remove_prefix(last ? end : end + 1);
  }
  return name.empty();
}

}  // namespace

std::optional<ResourceName> ParseResourceName(std::string_view name) {
  for (const Pattern& pattern : Patterns()) {
    if (!Matches(pattern, name)) continue;
    return ResourceName{
        pattern.section, pattern.service,
        std::string(pattern.service) + "." + std::string(pattern.collections.back())};
  }
  return std::nullopt;
}

std::string ExampleName(std::string_view section) {
  for (const Pattern& pattern : Patterns()) {
    if (pattern.section != section) continue;
    std::string name;
    for (const std::string_view collection : pattern.collections) {
      name += (name.empty() ? "" : "/") + std::string(collection) + "/" +
              (collection == "locations" ? "global" : "example");
    }
    return name;
  }
  return "?";
}

}  // namespace bindery::emulator
