#include "notify/filter.h"

#include <algorithm>
#include <string_view>

#include "core/base/json.h"
#include "core/text/glob.h"

namespace bindery::notify {
namespace {

/// Without patterns everything matches. An excluding pattern has precedence; with excluding
/// patterns only, the rest matches.
bool Fits(const std::vector<std::string>& patterns, std::string_view text) {
  bool only_exclusions = true;
  bool fits = false;
  for (const std::string_view pattern : patterns) {
    if (pattern.starts_with('!')) {
      if (MatchesGlob(pattern.substr(1), text)) return false;
      continue;
    }
    only_exclusions = false;
    fits = fits || MatchesGlob(pattern, text);
  }
  return fits || only_exclusions;
}

bool HasLabels(const store::ResourceMention& resource,
               const std::map<std::string, std::string>& wanted) {
  if (wanted.empty()) return true;
  const auto labels = ParseJson(resource.labels);
  return labels && std::ranges::all_of(wanted, [&](const auto& label) {
           const Json* value = FindMember(*labels, label.first);
           return value != nullptr && *value == label.second;
         });
}

bool PassesType(const config::WebhookFilter& filter, EventType type) {
  return filter.types.empty() || std::ranges::find(filter.types, type) != filter.types.end();
}

bool PassesSeverity(config::LeastSeverity least, const std::optional<Severity>& severity) {
  if (least == config::LeastSeverity::kAny) return true;
  return severity && static_cast<int>(*severity) + 1 >= static_cast<int>(least);
}

bool PassesResource(const config::WebhookFilter& filter, const store::JournalEntry& entry) {
  if (filter.labels.empty() && filter.kinds.empty() && filter.resources.empty()) return true;
  return std::ranges::any_of(entry.resources, [&filter](const store::ResourceMention& resource) {
    return Fits(filter.kinds, resource.kind) && Fits(filter.resources, resource.name) &&
           HasLabels(resource, filter.labels);
  });
}

}  // namespace

bool Passes(const config::WebhookFilter& filter, const store::JournalEntry& entry) {
  const Event& event = entry.event;
  return PassesType(filter, event.type) && PassesSeverity(filter.least_severity, event.severity) &&
         Fits(filter.reasons, event.reason) && Fits(filter.targets, event.target) &&
         PassesResource(filter, entry);
}

}  // namespace bindery::notify
