#pragma once

#include <optional>
#include <string>
#include <vector>

namespace bindery::access {

/// The members of a group, with those of the groups inside.
struct KnownMembers {
  /// A group whose members are not all known stands for itself beside the known ones, the asked
  /// group too.
  std::vector<std::string> members;
  /// The groups inside whose members are all among `members`: each of them is a member too.
  std::vector<std::string> groups;
  std::string origin;  ///< "a list of groups", "Cloud Identity at 2026-11-29T20:00:00Z".
};

/// Who is in a group, for one question. For one thread.
class GroupSource {
 public:
  GroupSource() = default;
  virtual ~GroupSource() = default;
  GroupSource(const GroupSource&) = delete;
  GroupSource& operator=(const GroupSource&) = delete;

  /// Of "group:eng@example.com". Null: the members are not known. May block on a service at the
  /// first question about a group; valid as long as the object.
  [[nodiscard]] virtual const KnownMembers* FindMembers(const std::string& principal) = 0;

  /// Why members of the group are not known, as far as it was asked about; empty: all are known, or
  /// nobody was asked.
  [[nodiscard]] virtual std::string DescribeGap(const std::string& principal) const = 0;

  /// What is not known after the questions so far, a line each.
  [[nodiscard]] virtual std::vector<std::string> Gaps() const = 0;
};

}  // namespace bindery::access
