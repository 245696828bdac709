#include "report/access/target_match.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "core/text/glob.h"
#include "core/text/nearest.h"
#include "providers/registry/kinds.h"

namespace bindery::report {
namespace {

/// "…/payments" for "payments" or "policies/payments", "dashboard:abc" for "abc".
bool EndsInPart(const std::string& name, const std::string& word) {
  if (name.size() <= word.size() || !name.ends_with(word)) return false;
  const char before = name[name.size() - word.size() - 1];
  return before == '/' || before == ':';
}

std::vector<Target> FittingTargets(const std::set<Target>& targets,
                                   const std::function<bool(const Target&)>& fit) {
  std::vector<Target> found;
  std::copy_if(targets.begin(), targets.end(), std::back_inserter(found), fit);
  return found;
}

bool HaveOneName(const std::vector<Target>& targets) {
  return std::all_of(targets.begin(), targets.end(),
                     [&](const Target& target) { return target.name == targets.front().name; });
}

Error Ambiguous(const std::string& word, const std::vector<Target>& targets) {
  constexpr std::size_t kShown = 10;
  std::string message =
      std::to_string(targets.size()) + " targets end in \"" + word + "\"; name more of it:";
  for (std::size_t i = 0; i < std::min(targets.size(), kShown); ++i) {
    message += "\n  " + targets[i].name;
  }
  if (targets.size() > kShown) message += "\n  …";
  return {Code::kInvalidArgument, std::move(message)};
}

Error Missing(const std::string& word, const std::set<Target>& targets,
              const std::vector<ResourceRecord>& resources) {
  std::vector<std::string> names;
  for (const Target& target : targets) {
    names.push_back(target.name);
    names.push_back(target.name.substr(target.name.find_last_of("/:") + 1));
  }
  for (const ResourceRecord& resource : resources) names.push_back(resource.name);
  std::string message = "there is no target \"" + word + "\"";
  if (const auto nearest = NearestSpelling(word, names)) {
    message += "; did you mean \"" + *nearest + "\"?";
  } else if (!targets.empty()) {
    message += "; there is for example \"" + targets.begin()->name + "\"";
  }
  return {Code::kNotFound, std::move(message)};
}

/// "*" for all, "*/managementServers/*".
Expected<std::vector<Target>> Matching(const std::set<Target>& targets, const std::string& pattern,
                                       const std::vector<ResourceRecord>& resources) {
  auto found = FittingTargets(
      targets, [&](const Target& target) { return MatchesGlob(pattern, target.name); });
  if (found.empty()) return Fail(Missing(pattern, targets, resources));
  return found;
}

}  // namespace

Expected<std::vector<Target>> FindTargets(const ReportReader& store,
                                          const std::vector<Target>& observed,
                                          const std::string& word,
                                          const std::string& default_project) {
  const auto resources = store.Resources();
  if (!resources) return Fail(resources.error());
  std::set<Target> targets(observed.begin(), observed.end());
  const auto named = [&](const std::string& name) {
    return FittingTargets(targets, [&](const Target& target) { return target.name == name; });
  };
  for (const ResourceRecord& resource : *resources) {
    if (!resource.target.name.empty() && !IsLookup(resource.token)) targets.insert(resource.target);
  }
  if (auto found = named(word); !found.empty()) return found;
  if (word.find('*') != std::string::npos) return Matching(targets, word, *resources);
  auto spelled = FittingTargets(targets, [&](const Target& target) {
    const Kind* kind = KnownKinds().FindByTargets(target.kind.str());
    return kind != nullptr && kind->CanonicalName(word, default_project) == target.name;
  });
  if (!spelled.empty()) return spelled;
  for (const ResourceRecord& resource : *resources) {
    if (resource.name == word && targets.contains(resource.target))
      return std::vector{resource.target};
  }
  auto found =
      FittingTargets(targets, [&](const Target& target) { return EndsInPart(target.name, word); });
  if (found.empty()) return Fail(Missing(word, targets, *resources));
  if (!HaveOneName(found)) return Fail(Ambiguous(word, found));
  return found;
}

}  // namespace bindery::report
