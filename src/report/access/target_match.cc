#include "report/access/target_match.h"

#include <algorithm>
#include <functional>
#include <span>
#include <string_view>
#include <utility>

#include "core/access/target_table.h"
#include "core/text/glob.h"
#include "core/text/nearest.h"
#include "providers/registry/kinds.h"
#include "providers/resource_place.h"

namespace bindery::report {
namespace {

/// "…/payments" for "payments" or "policies/payments", "dashboard:abc" for "abc".
bool EndsInPart(std::string_view name, std::string_view word) {
  if (name.size() <= word.size() || !name.ends_with(word)) return false;
  const char before = name[name.size() - word.size() - 1];
  return before == '/' || before == ':';
}

using Targets = TargetTable<char>;

/// In their order.
std::vector<Target> FittingTargets(const Targets& targets,
                                   const std::function<bool(const Targets::Row&)>& fit) {
  std::vector<Target> found;
  for (const Targets::Row& row : targets.rows()) {
    if (fit(row)) found.push_back(row.MakeTarget());
  }
  std::ranges::sort(found);
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

/// Names the nearest target or resource, else the first target: an example for those who do not
/// write full names.
Expected<Error> Missing(const store::ReportReader& store, const std::string& word,
                        const Targets& targets) {
  std::vector<std::string> near;
  const auto consider = [&](std::string name) {
    if (NearestSpelling(word, std::span(&name, 1))) near.push_back(std::move(name));
  };
  const Targets::Row* first = nullptr;
  for (const Targets::Row& row : targets.rows()) {
    if (first == nullptr || IsTargetBefore(row, *first)) first = &row;
    consider(std::string(row.name));
    consider(std::string(row.name.substr(row.name.find_last_of("/:") + 1)));
  }
  const auto read = store.ReadResources(
      [&](store::ResourceRecord&& resource) { consider(std::move(resource.name)); });
  if (!read) return Fail(read.error());
  std::ranges::sort(near);  // Of those that are equally near, the first.
  std::string message = "there is no target \"" + word + "\"";
  if (const auto nearest = NearestSpelling(word, near)) {
    message += "; did you mean \"" + *nearest + "\"?";
  } else if (first != nullptr && !providers::TargetNamed(word)) {
    message += "; there is for example \"" + std::string(first->name) + "\"";
  }
  return Error{Code::kNotFound, std::move(message)};
}

Expected<std::vector<Target>> FailMissing(const store::ReportReader& store, const std::string& word,
                                          const Targets& targets) {
  auto missing = Missing(store, word, targets);
  return Fail(missing ? *std::move(missing) : missing.error());
}

/// What was observed, and what manifests name.
Expected<Targets> AllTargets(const store::ReportReader& store,
                             const std::vector<const Target*>& observed) {
  Targets targets;
  for (const Target* target : observed) targets.Obtain(*target);
  const auto read = store.ReadResources([&](store::ResourceRecord&& resource) {
    if (!resource.target.name.empty() && !providers::IsLookup(resource.token))
      targets.Obtain(resource.target);
  });
  if (!read) return Fail(read.error());
  return targets;
}

}  // namespace

Expected<std::vector<Target>> FindTargets(const store::ReportReader& store,
                                          const std::vector<const Target*>& observed,
                                          const std::string& word,
                                          const std::string& default_project) {
  const auto targets = AllTargets(store, observed);
  if (!targets) return Fail(targets.error());
  const auto fitting = [&](const auto& fit) { return FittingTargets(*targets, fit); };
  if (auto found = fitting([&](const Targets::Row& row) { return row.name == word; });
      !found.empty()) {
    return found;
  }
  if (word.find('*') != std::string::npos) {
    // "*" for all, "*/managementServers/*".
    auto found = fitting([&](const Targets::Row& row) { return MatchesGlob(word, row.name); });
    return found.empty() ? FailMissing(store, word, *targets) : found;
  }
  auto spelled = fitting([&](const Targets::Row& row) {
    const reconcilers::Kind* kind = providers::KnownKinds().FindByTargets(row.kind.str());
    return kind != nullptr && kind->CanonicalName(word, default_project) == row.name;
  });
  if (!spelled.empty()) return spelled;
  const auto resource = store.Resource(word);
  if (!resource) return Fail(resource.error());
  if (*resource && targets->Find((*resource)->target) != nullptr) {
    return std::vector{(*resource)->target};
  }
  auto found = fitting([&](const Targets::Row& row) { return EndsInPart(row.name, word); });
  if (found.empty()) return FailMissing(store, word, *targets);
  if (!HaveOneName(found)) return Fail(Ambiguous(word, found));
  return found;
}

}  // namespace bindery::report
