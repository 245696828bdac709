#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "core/text/first_character.h"
#include "emulator/datadog/current_user.h"
#include "emulator/google/etag.h"
#include "emulator/google/iam_policy.h"
#include "emulator/google/policy_reader.h"
#include "emulator/google/resource_name.h"
#include "emulator/seed.h"
#include "emulator/seed_nodes.h"
#include "yaml/node.h"
#include "yaml/reader.h"

namespace bindery::emulator {
namespace {

using yaml::Node;
using yaml::NodeKind;

Json WithoutFields(const Node& map, std::initializer_list<std::string_view> names) {
  Json document = Json::object();
  for (const Node::Entry& field : map.fields) {
    if (std::find(names.begin(), names.end(), field.key) != names.end()) continue;
    document[field.key] = ToJson(field.value);
  }
  return document;
}

/// A seeded policy is read as a write of version 3 with everything in it, but not judged: a seed
/// may hold what the service would refuse today.
Json ReadPolicy(const Node& node) {
  NeedKind(node, NodeKind::kMap, "policy");
  Json document = ToJson(node);
  EtagMicros etag = 0;
  if (const Json* text = FindMember(document, "etag"); text != nullptr && text->is_string()) {
    const auto bytes = DecodeBase64(text->get<std::string>());
    const auto micros = bytes ? EtagFromBytes(*bytes) : std::nullopt;
    if (!micros) FaultAt(*node.Find("etag"), "etag: not an etag of a policy");
    etag = *micros;
  }
  document.erase("etag");
  const auto write = ReadSeededPolicy(document);
  if (!write) FaultAt(node, write.error().message);
  Policy policy;
  policy.etag = etag;
  policy.audit_configs = write->audit_configs;
  for (const Binding& binding : write->bindings) {
    if (binding.role.empty()) FaultAt(node, "policy: a binding without a role");
    if (!binding.members.empty()) policy.bindings.push_back(binding);
  }
  return ToJson(policy);
}

Entry ReadTarget(const Node& item, std::string_view section) {
  const bool bare = item.kind != NodeKind::kMap;
  Entry entry{std::string(section), bare ? Text(item, "name") : Field(item, {"name"}, true),
              Json::object()};
  const auto name = ParseResourceName(entry.key);
  if (!name || name->section != section) {
    FaultAt(item, "name: \"" + entry.key + "\" is not a full name such as " + ExampleName(section));
  }
  entry.value["document"] = bare ? Json::object() : WithoutFields(item, {"name", "policy"});
  const Node* policy = bare ? nullptr : item.Find("policy");
  if (policy != nullptr && policy->kind != NodeKind::kNull) {
    entry.value["policy"] = ReadPolicy(*policy);
  }
  return entry;
}

/// One line of `iamPolicies`: a full resource name, and its policy or nothing.
Entry ReadFullTarget(const Node::Entry& item) {
  const auto name = ParseFullName(item.key);
  if (!name) {
    throw SeedFault{item.key_at, "iamPolicies: \"" + item.key +
                                     "\" is not a full resource name such as " +
                                     ExampleName(section::kIamPolicies)};
  }
  Entry entry{std::string(name->section), MakeKey(*name->row, name->name),
              Json{{"document", Json::object()}}};
  if (item.value.kind != NodeKind::kNull) entry.value["policy"] = ReadPolicy(item.value);
  return entry;
}

Json ReadRestrictionBindings(const Node& list) {
  Json bindings = Json::array();
  for (const Node& item : NeedKind(list, NodeKind::kList, "bindings").items) {
    NeedKind(item, NodeKind::kMap, "bindings");
    RefuseUnknown(item, {"relation", "principals"});
    std::set<std::string> principals;
    const Node* members = item.Find("principals");
    if (members == nullptr) FaultAt(item, "missing principals");
    for (const Node& member : NeedKind(*members, NodeKind::kList, "principals").items) {
      principals.insert(Text(member, "principals"));
    }
    bindings.push_back(
        Json{{"relation", Field(item, {"relation"}, true)}, {"principals", principals}});
  }
  return bindings;
}

Entry ReadRestriction(const Node& item) {
  NeedKind(item, NodeKind::kMap, "restrictionPolicies");
  RefuseUnknown(item, {"id", "resourceId", "bindings"});
  const std::string id = Field(item, {"id", "resourceId"}, true);
  if (id.find(':') == std::string::npos || id.find(':') + 1 == id.size()) {
    FaultAt(item, "id: \"" + id + "\" is not of the form <resource_type>:<resource_id>");
  }
  const Node* bindings = item.Find("bindings");
  return {
      std::string(section::kRestrictionPolicies), id,
      Json{{"bindings", bindings == nullptr ? Json::array() : ReadRestrictionBindings(*bindings)}}};
}

Json ReadTexts(const Node& list, const std::string& what) {
  Json texts = Json::array();
  for (const Node& item : NeedKind(list, NodeKind::kList, what).items) {
    texts.push_back(Text(item, what));
  }
  return texts;
}

void ReadTimes(const Node& item, Json& value) {
  for (const char* name : {"createdAt", "modifiedAt"}) {
    if (std::string time = Field(item, {name}, false); !time.empty()) {
      value[name] = std::move(time);
    }
  }
}

Entry ReadDatasetItem(const Node& item) {
  NeedKind(item, NodeKind::kMap, "datasets");
  RefuseUnknown(item, {"id", "name", "principals", "productFilters", "createdAt", "modifiedAt"});
  const std::string name = Field(item, {"name"}, true);
  const std::string id = Field(item, {"id"}, false);
  Json value = {{"name", name}, {"principals", Json::array()}, {"productFilters", Json::array()}};
  if (const Node* list = item.Find("principals"))
    value["principals"] = ReadTexts(*list, "principals");
  if (const Node* list = item.Find("productFilters")) {
    for (const Node& entry : NeedKind(*list, NodeKind::kList, "productFilters").items) {
      NeedKind(entry, NodeKind::kMap, "productFilters");
      RefuseUnknown(entry, {"product", "filters"});
      const Node* filters = entry.Find("filters");
      if (filters == nullptr) FaultAt(entry, "missing filters");
      value["productFilters"].push_back(Json{{"product", Field(entry, {"product"}, true)},
                                             {"filters", ReadTexts(*filters, "filters")}});
    }
  }
  ReadTimes(item, value);
  return {std::string(section::kDatasets), id.empty() ? MakeUuid("datasets " + name) : id,
          std::move(value)};
}

Entry ReadRestrictionQueryItem(const Node& item) {
  NeedKind(item, NodeKind::kMap, "restrictionQueries");
  RefuseUnknown(item, {"id", "query", "roles", "createdAt", "modifiedAt"});
  const std::string query = Field(item, {"query"}, true);
  const std::string id = Field(item, {"id"}, false);
  Json value = {{"query", query}, {"roles", Json::array()}};
  if (const Node* list = item.Find("roles")) value["roles"] = ReadTexts(*list, "roles");
  ReadTimes(item, value);
  return {std::string(section::kRestrictionQueries),
          id.empty() ? MakeUuid("restrictionQueries " + query) : id, std::move(value)};
}

Entry ReadUser(const Node& item) {
  NeedKind(item, NodeKind::kMap, "users");
  const Json document = ToJson(item);
  std::string id = Field(item, {"id", "uuid"}, false);
  if (id.empty() && item.Find("data") != nullptr) {
    id = StringMember(*FindMember(document, "data"), "id");
  }
  if (id.empty()) id = Field(item, {"handle", "email"}, false);
  if (id.empty()) FaultAt(item, "missing id");
  return {std::string(section::kUsers), id, document};
}

/// A role or a team: its name or handle alone, or a map.
Entry ReadNamed(const Node& item, std::string_view section) {
  const bool role = section == section::kRoles;
  const char* const key = role ? "name" : "handle";
  if (item.kind != NodeKind::kMap) {
    const std::string text = Text(item, key);
    return {std::string(section), text, Json{{key, text}}};
  }
  RefuseUnknown(item, {"id", key, role ? "permissions" : "name"});
  const std::string text = Field(item, {key}, true);
  const std::string id = Field(item, {"id"}, false);
  return {std::string(section), id.empty() ? text : id, ToJson(item)};
}

/// A second name for a name in policies.
Entry ReadAlias(const Node& item, const std::string& member, const std::string& stored_as) {
  if (item.Find("state") != nullptr || item.Find("uid") != nullptr) {
    FaultAt(item, "storedAs: a principal with another name has neither a state nor a uid");
  }
  if (stored_as.find(':') == std::string::npos) {
    FaultAt(item, "storedAs: \"" + stored_as + "\" is not of the form <type>:<value>");
  }
  const Json value = {{"member", member}, {"storedAs", stored_as}};
  return {std::string(section::kPrincipals), member, value};
}

Entry ReadPrincipal(const Node& item) {
  constexpr std::string_view kDeletedPrefix = "deleted:";
  constexpr std::string_view kUidMark = "?uid=";
  const bool bare = item.kind != NodeKind::kMap;
  if (!bare) RefuseUnknown(item, {"member", "state", "uid", "storedAs"});
  std::string member = bare ? Text(item, "member") : Field(item, {"member"}, true);
  std::string state = bare ? "" : Field(item, {"state"}, false);
  std::string uid = bare ? "" : Field(item, {"uid"}, false);
  if (member.rfind(kDeletedPrefix, 0) == 0) {
    const std::size_t mark = member.find(kUidMark);
    if (mark != std::string::npos) uid = member.substr(mark + kUidMark.size());
    member = member.substr(kDeletedPrefix.size(), mark - kDeletedPrefix.size());
    if (state.empty()) state = "deleted";
  }
  if (state.empty()) state = "deleted";
  if (state != "deleted" && state != "unknown") {
    FaultAt(*item.Find("state"), "state: \"" + state + "\" is neither deleted nor unknown");
  }
  if (member.find(':') == std::string::npos) {
    FaultAt(item, "member: \"" + member + "\" is not of the form <type>:<value>");
  }
  const std::string stored_as = bare ? "" : Field(item, {"storedAs"}, false);
  if (!stored_as.empty()) return ReadAlias(item, member, stored_as);
  Json value = {{"member", member}, {"state", state}};
  if (state == "deleted")
    value["uid"] = PrincipalFromJson(Json{{"member", member}, {"state", state}, {"uid", uid}}).uid;
  return {std::string(section::kPrincipals), member, std::move(value)};
}

Entry ReadItem(const Node& item, const std::string& name) {
  if (name == section::kRestrictionPolicies) return ReadRestriction(item);
  if (name == section::kDatasets) return ReadDatasetItem(item);
  if (name == section::kRestrictionQueries) return ReadRestrictionQueryItem(item);
  if (name == section::kRoles || name == section::kTeams) return ReadNamed(item, name);
  if (name == section::kUsers) return ReadUser(item);
  if (name == section::kProjects) return ReadProject(item);
  if (name == section::kFolders) return ReadFolder(item);
  if (name == section::kGroups) return ReadGroup(item);
  if (name == section::kPrincipals) return ReadPrincipal(item);
  if (name == section::kEntitlements) return ReadEntitlement(item);
  if (name == section::kPrivilegedGrants) return ReadPrivilegedGrant(item);
  if (name == section::kCredentials) return ReadCredential(item);
  if (name == section::kServiceAccounts) return ReadServiceAccount(item);
  if (name == section::kRefreshTokens) return ReadRefreshToken(item);
  if (name == section::kIdentityPools) return ReadIdentityPool(item);
  return ReadTarget(item, name);
}

/// The machine's account must be in the document.
void CheckMetadata(const Node& metadata, const std::vector<Entry>& entries) {
  const Node& account = *metadata.Find("serviceAccount");
  const bool found = std::any_of(entries.begin(), entries.end(), [&](const Entry& entry) {
    return entry.section == section::kServiceAccounts && entry.key == account.text;
  });
  if (!found) {
    FaultAt(account, "serviceAccount: \"" + account.text + "\" is not among the serviceAccounts");
  }
}

/// The read entries. Two entries with one key are a fault.
class Entries {
 public:
  void Add(Entry entry, yaml::Position at) {
    if (!keys_.emplace(entry.section, entry.key).second) {
      throw SeedFault{at, entry.section + ": \"" + entry.key + "\" is listed twice"};
    }
    entries_.push_back(std::move(entry));
  }

  /// Unless an entry has the key.
  void AddIfNew(Entry entry) {
    if (keys_.emplace(entry.section, entry.key).second) entries_.push_back(std::move(entry));
  }

  [[nodiscard]] const std::vector<Entry>& all() const { return entries_; }
  [[nodiscard]] std::vector<Entry> Take() { return std::move(entries_); }

 private:
  std::vector<Entry> entries_;
  std::set<std::pair<std::string, std::string>> keys_;
};

void ReadSection(const Node::Entry& field, Entries& entries) {
  const Node& value = field.value;
  if (field.key == section::kOptions) return entries.Add(ReadOptions(value), value.at);
  if (field.key == section::kMetadata) return entries.Add(ReadMetadata(value), value.at);
  if (field.key == section::kIamPolicies) {
    for (const Node::Entry& item : NeedKind(value, NodeKind::kMap, field.key).fields) {
      entries.Add(ReadFullTarget(item), item.key_at);
    }
    return;
  }
  for (const Node& item : NeedKind(value, NodeKind::kList, field.key).items) {
    entries.Add(ReadItem(item, field.key), item.at);
  }
}

std::vector<std::string> KnownSections() {
  std::vector<std::string> known;
  for (const std::string_view name : {section::kAuthorizationPolicies,
                                      section::kManagementServers,
                                      section::kIamPolicies,
                                      section::kImportDataFiles,
                                      section::kEntitlements,
                                      section::kPrivilegedGrants,
                                      section::kRestrictionPolicies,
                                      section::kDatasets,
                                      section::kRestrictionQueries,
                                      section::kRoles,
                                      section::kTeams,
                                      section::kUsers,
                                      section::kPrincipals,
                                      section::kCredentials,
                                      section::kServiceAccounts,
                                      section::kRefreshTokens,
                                      section::kIdentityPools,
                                      section::kProjects,
                                      section::kFolders,
                                      section::kGroups,
                                      section::kMetadata,
                                      section::kOptions}) {
    known.emplace_back(name);
  }
  return known;
}

std::vector<Entry> ReadSections(const Node& root) {
  Entries entries;
  if (root.kind == NodeKind::kNull) return {};
  NeedKind(root, NodeKind::kMap, "seed");
  RefuseUnknown(root, KnownSections());
  for (const Node::Entry& field : root.fields) {
    if (field.value.kind != NodeKind::kNull) ReadSection(field, entries);
  }
  // A grant needs an existing resource.
  const std::vector<Entry> named = entries.all();
  for (const Entry& entry : named) {
    if (entry.section != section::kPrivilegedGrants) continue;
    if (Entry resource = ResourceOfGrant(entry); !resource.section.empty()) {
      entries.AddIfNew(std::move(resource));
    }
  }
  const Node* metadata = root.Find("metadata");
  if (metadata != nullptr && metadata->kind == NodeKind::kMap) {
    CheckMetadata(*metadata, entries.all());
  }
  return entries.Take();
}

Error FaultError(const std::string& file, yaml::Position at, const std::string& message) {
  Error error;
  error.code = Code::kInvalidArgument;
  error.message =
      file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + message;
  return error;
}

}  // namespace

Expected<std::vector<Entry>> ReadSeed(std::string_view text, const std::string& file) {
  yaml::Limits limits;  // A seed is trusted: its author runs this cloud.
  limits.max_bytes = 1U << 30U;
  limits.max_nodes = 100'000'000;
  const bool json = FirstCharacter(text) == '{';
  yaml::ReadResult read = json ? yaml::ReadJson(text, limits) : yaml::ReadYaml(text, limits);
  if (json && !read.faults.empty()) {
    // A flow mapping of YAML begins like JSON.
    if (auto again = yaml::ReadYaml(text, limits); again.faults.empty()) read = std::move(again);
  }
  if (!read.faults.empty()) {
    return Fail(FaultError(file, read.faults.front().at, read.faults.front().message));
  }
  if (read.documents.empty()) return std::vector<Entry>();
  if (read.documents.size() > 1) {
    return Fail(FaultError(file, read.documents[1].at, "a seed is a single document"));
  }
  try {
    return ReadSections(read.documents.front().root);
  } catch (const SeedFault& fault) {
    return Fail(FaultError(file, fault.at, fault.message));
  }
}

}  // namespace bindery::emulator
