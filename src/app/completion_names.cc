#include "app/completion_names.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <map>
#include <memory>
#include <set>
#include <string_view>

#include "app/command_line.h"
#include "app/shell/common.h"
#include "providers/registry/kinds.h"
#include "report/access/observed_access.h"

namespace bindery::app {
namespace {

constexpr unsigned kPatienceSeconds = 2;

using NameList = std::vector<std::string>;
using WordList = std::vector<std::string>;

NameList Sorted(std::set<std::string> names) {
  names.erase("");
  return {names.begin(), names.end()};
}

/// For each resource, the requested texts.
NameList OfResources(
    const store::ReportReader& store,
    const std::function<void(const store::ResourceRecord&, std::set<std::string>&)>& take) {
  std::set<std::string> names;
  const Expected<void> read = store.ReadResources([&](store::ResourceRecord&& record) {
    // A former claim, "name (before generation 2)", has no name of its own.
    if (record.name.find(' ') == std::string::npos) take(record, names);
  });
  return read ? Sorted(std::move(names)) : NameList();
}

NameList Resources(const store::ReportReader& store, const WordList& /*words*/) {
  return OfResources(store, [](const store::ResourceRecord& record, std::set<std::string>& names) {
    names.insert(record.name);
  });
}

NameList ResourcesAndKinds(const store::ReportReader& store, const WordList& /*words*/) {
  return OfResources(store, [](const store::ResourceRecord& record, std::set<std::string>& names) {
    names.insert(record.name);
    const std::string token = record.token.Text();
    names.insert(token.substr(token.rfind(':') + 1));
  });
}

NameList Targets(const store::ReportReader& store, const WordList& /*words*/) {
  return OfResources(store, [](const store::ResourceRecord& record, std::set<std::string>& names) {
    names.insert(record.target.name);
  });
}

NameList Roles(const store::ReportReader& store, const WordList& /*words*/) {
  return OfResources(store, [](const store::ResourceRecord& record, std::set<std::string>& names) {
    for (const Grant& grant : report::DeclaredGrants(record)) names.insert(grant.role);
  });
}

NameList Principals(const store::ReportReader& store, const WordList& /*words*/) {
  return OfResources(store, [](const store::ResourceRecord& record, std::set<std::string>& names) {
    for (const Grant& grant : report::DeclaredGrants(record)) names.insert(grant.principal);
  });
}

/// Held and denied removals: both may still be approved.
NameList Digests(const store::ReportReader& store, const WordList& /*words*/) {
  std::set<std::string> names;
  const auto holds = store.Holds();
  if (!holds) return {};
  for (const store::HoldRecord& hold : *holds) names.insert(hold.digest);
  return Sorted(std::move(names));
}

NameList Items(const store::ReportReader& store, const WordList& /*words*/) {
  store::DriftFilter filter;
  filter.unresolved_only = true;
  const auto records = store.Drift(filter);
  NameList names;
  if (!records) return names;
  for (const store::DriftRecord& record : *records) names.push_back(std::to_string(record.id));
  return names;
}

/// Of the last resource named before.
NameList Revisions(const store::ReportReader& store, const WordList& words) {
  NameList names;
  for (auto word = words.rbegin(); word != words.rend(); ++word) {
    const auto resource = store.Resource(*word);
    if (!resource || !*resource) continue;
    const auto revisions = store.Revisions((*resource)->target, /*with_policy=*/false);
    if (!revisions) return names;
    for (const store::RevisionRecord& revision : *revisions) {
      names.push_back(std::to_string(revision.id));
    }
    return names;
  }
  return names;
}

using Lister = NameList (*)(const store::ReportReader& store, const WordList& words);

const std::map<std::string_view, Lister>& Listers() {
  static const std::map<std::string_view, Lister> kListers = {
      {kResourceType, Resources},   {kResourceOrKindType, ResourcesAndKinds},
      {kTargetType, Targets},       {kRoleType, Roles},
      {kPrincipalType, Principals}, {kDigestType, Digests},
      {kItemType, Items},           {kRevisionType, Revisions}};
  return kListers;
}

NameList Tokens() {
  NameList tokens;
  for (const TypeToken& token : providers::KnownKinds().Tokens()) tokens.push_back(token.Text());
  return tokens;
}

}  // namespace

void BoundCompletion() {
  // _exit is one of the few functions allowed in a handler.
  static_cast<void>(std::signal(SIGALRM, [](int) { ::_exit(0); }));
  ::alarm(kPatienceSeconds);
}

std::vector<std::string> NamesOfType(const std::string& type, const std::string& config_file,
                                     const std::vector<std::string>& words) {
  if (type == kTokenType) return Tokens();
  const auto lister = Listers().find(type);
  if (lister == Listers().end()) return {};
  const config::ConfigResult config = config::LoadConfig(config_file);
  if (!config) return {};
  const Expected<std::unique_ptr<store::Store>> store = OpenForReading(*config);
  return store ? lister->second(**store, words) : NameList();
}

}  // namespace bindery::app
