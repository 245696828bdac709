#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "access/group_asker.h"
#include "access/group_members.h"
#include "access/group_source.h"
#include "providers/group_directory.h"

namespace bindery::access {

/// Groups by the files of an administrator, and groups without a file by services.
///
/// A group inside a group is followed 10 levels deep, each group once. One question asks the
/// services for no more than GroupBudget allows, within 15 seconds; what is left is a gap.
class KnownGroups final : public GroupSource {
 public:
  /// Each may be null.
  KnownGroups(std::shared_ptr<const GroupMembers> files, std::shared_ptr<GroupAsker> asker)
      : files_(std::move(files)), asker_(std::move(asker)) {}

  [[nodiscard]] const KnownMembers* FindMembers(const std::string& principal) override;
  [[nodiscard]] std::string DescribeGap(const std::string& principal) const override;
  [[nodiscard]] std::vector<std::string> Gaps() const override;

 private:
  class Walk;

  [[nodiscard]] std::optional<KnownMembers> Expand(const std::string& group);
  [[nodiscard]] GroupAsker::Reading Ask(const std::string& group);

  const std::shared_ptr<const GroupMembers> files_;
  const std::shared_ptr<GroupAsker> asker_;
  std::optional<providers::GroupBudget> budget_;  ///< Begins with the first question to a service.
  std::map<std::string, std::optional<KnownMembers>> known_;  ///< By group in lower case.
  std::map<std::string, std::string> gaps_;                   ///< The same.
};

}  // namespace bindery::access
