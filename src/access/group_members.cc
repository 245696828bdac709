#include "access/group_members.h"

#include <set>
#include <string_view>
#include <utility>

#include "access/text_file.h"
#include "core/text/ascii.h"
#include "core/text/first_character.h"
#include "yaml/reader.h"

namespace bindery::access {
namespace {

constexpr std::string_view kGroup = "group:";
constexpr std::size_t kMostGroupMebibytes = 16;

/// A text that begins as JSON does is read as JSON, which is faster by far; other YAML may begin so
/// too.
yaml::ReadResult ReadGroups(std::string_view text) {
  yaml::Limits limits;
  limits.max_bytes = kMostGroupMebibytes << 20U;
  limits.max_nodes = 2'000'000;
  if (FirstCharacter(text) == '{') {
    yaml::ReadResult json = yaml::ReadJson(text, limits);
    if (json.faults.empty()) return json;
  }
  return yaml::ReadYaml(text, limits);
}

Error FaultIn(const std::filesystem::path& file, yaml::Position at, const std::string& message) {
  std::string place = file.string();
  if (at.line > 0) place += ":" + std::to_string(at.line);
  return {Code::kInvalidArgument, place + ": " + message};
}

std::string KeyOfGroup(const std::string& group) {
  const std::string lower = AsciiLower(group);
  return lower.starts_with(kGroup) ? lower : std::string(kGroup) + lower;
}

Expected<std::vector<std::string>> MembersIn(const std::filesystem::path& file,
                                             const yaml::Node& list) {
  if (list.kind != yaml::NodeKind::kList) {
    return Fail(FaultIn(file, list.at, "expected a list of members"));
  }
  std::vector<std::string> members;
  for (const yaml::Node& item : list.items) {
    const bool is_principal =
        item.kind == yaml::NodeKind::kString && item.text.find(':') != std::string::npos;
    if (!is_principal) {
      return Fail(FaultIn(file, item.at, "expected a principal such as user:ana@example.com"));
    }
    members.push_back(item.text);
  }
  return members;
}

}  // namespace

Expected<void> GroupMembers::Add(const std::filesystem::path& file) {
  const auto text = ReadTextFile(file, kMostGroupMebibytes);
  if (!text) return Fail(text.error());
  const yaml::ReadResult read = ReadGroups(*text);
  if (!read.faults.empty()) {
    return Fail(FaultIn(file, read.faults.front().at, read.faults.front().message));
  }
  if (read.documents.size() != 1) return Fail(FaultIn(file, {}, "expected one document"));
  const yaml::Node& root = read.documents.front().root;
  const yaml::Node* groups = root.Find("groups");
  if (groups == nullptr || groups->kind != yaml::NodeKind::kMap || root.fields.size() != 1) {
    return Fail(FaultIn(file, root.at, "expected one key, groups, with a map of groups"));
  }
  for (const yaml::Node::Entry& entry : groups->fields) {
    auto members = MembersIn(file, entry.value);
    if (!members) return Fail(members.error());
    if (!groups_.emplace(KeyOfGroup(entry.key), *std::move(members)).second) {
      return Fail(FaultIn(file, entry.key_at, "the group " + entry.key + " is listed twice"));
    }
  }
  return {};
}

Expected<GroupMembers> GroupMembers::Read(const std::vector<std::filesystem::path>& files) {
  GroupMembers members;
  for (const std::filesystem::path& file : files) {
    if (auto added = members.Add(file); !added) return Fail(added.error());
  }
  return members;
}

bool GroupMembers::Lists(const std::string& principal) const {
  return groups_.contains(AsciiLower(principal));
}

std::optional<ListedMembers> GroupMembers::FindMembers(const std::string& principal) const {
  if (!Lists(principal)) return std::nullopt;
  const std::string group = AsciiLower(principal);
  std::set<std::string> seen = {group};
  std::vector<std::string> open = {group};
  ListedMembers listed;
  while (!open.empty()) {
    const auto found = groups_.find(open.back());
    open.pop_back();
    for (const std::string& member : found->second) {
      const std::string lower = AsciiLower(member);
      if (!seen.insert(lower).second) continue;
      if (groups_.contains(lower)) {
        open.push_back(lower);
        listed.groups.push_back(member);
      } else {
        listed.members.push_back(member);
      }
    }
  }
  return listed;
}

}  // namespace bindery::access
