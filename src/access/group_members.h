#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"

namespace bindery::access {

/// Who is in a group by files, with the groups inside.
struct ListedMembers {
  /// Each once. A group inside that no file lists stands for itself.
  std::vector<std::string> members;
  std::vector<std::string> groups;  ///< Groups inside that files list: their members are above.
};

/// The members of groups, as files of an administrator list them.
///
/// A file is one YAML or JSON document of at most 16 MiB: {groups: {GROUP: [MEMBER, …]}}. GROUP is
/// an address, with or without "group:"; MEMBER is a principal as policies have it,
/// "user:ana@example.com", or a further group. Capitals do not count.
class GroupMembers {
 public:
  GroupMembers() = default;

  /// kInvalidArgument: a file that cannot be read or has another form, or a group that is listed
  /// twice; the message names the file and the line.
  [[nodiscard]] static Expected<GroupMembers> Read(const std::vector<std::filesystem::path>& files);

  /// Whether a file lists the group.
  [[nodiscard]] bool Lists(const std::string& principal) const;

  /// All members of "group:eng@example.com". Nothing: no file lists the group.
  [[nodiscard]] std::optional<ListedMembers> FindMembers(const std::string& principal) const;

 private:
  [[nodiscard]] Expected<void> Add(const std::filesystem::path& file);

  /// By principal in lower case, "group:eng@example.com".
  std::map<std::string, std::vector<std::string>> groups_;
};

}  // namespace bindery::access
