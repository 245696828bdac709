#include "emulator/google/groups.h"

#include <algorithm>

#include "core/text/ascii.h"
#include "core/text/digest.h"
#include "emulator/seed_nodes.h"

namespace bindery::emulator {
namespace {

constexpr std::size_t kIdDigits = 15;

std::string GroupName(const std::string& email) {
  return "groups/" + Sha256Hex(email).substr(0, kIdDigits);
}

}  // namespace

void Groups::Put(const Entry& entry) {
  std::vector<std::string>& members = groups_[entry.key];
  members.clear();
  for (const Json& member : entry.value.at("members")) {
    members.push_back(member.get<std::string>());
  }
}

std::string Groups::GetName(const std::string& email) const {
  const std::string key = AsciiLower(email);
  return groups_.contains(key) ? GroupName(key) : std::string();
}

std::string Groups::GetEmail(const std::string& name) const {
  const auto found = std::ranges::find_if(
      groups_, [&](const auto& group) { return GroupName(group.first) == name; });
  return found == groups_.end() ? std::string() : found->first;
}

Entry ReadGroup(const yaml::Node& item) {
  NeedKind(item, yaml::NodeKind::kMap, "groups");
  RefuseUnknown(item, {"email", "members"});
  const std::string email = AsciiLower(Field(item, {"email"}, true));
  if (email.find('@') == std::string::npos || email.find(':') != std::string::npos) {
    FaultAt(item, "email: \"" + email + "\" is no address such as eng@example.com");
  }
  Json members = Json::array();
  if (const yaml::Node* list = item.Find("members")) {
    for (const yaml::Node& member : NeedKind(*list, yaml::NodeKind::kList, "members").items) {
      const std::string text = Text(member, "members");
      if (text.find(':') == std::string::npos) {
        FaultAt(member, "members: \"" + text + "\" is not of the form <type>:<value>");
      }
      members.push_back(text);
    }
  }
  return {std::string(section::kGroups), email, Json{{"email", email}, {"members", members}}};
}

}  // namespace bindery::emulator
