#pragma once

#include "providers/group_directory.h"

namespace bindery::google {

/// The service that knows the members of groups.
inline constexpr const char* kCloudIdentity = "cloudidentity";

/// Groups of Cloud Identity and Google Workspace (cloudidentity v1, discovery rev 20261019).
///
/// `groups:lookup` finds the group of an address, `groups.memberships.list` lists its direct
/// members, 500 at a time with view FULL, which tells the types of members. Both answer in every
/// edition; searchTransitiveMemberships and searchTransitiveGroups answer only in Enterprise
/// editions and Cloud Identity Premium. For a group that does not exist, lookup is refused
/// like for a group that the account may not see.
[[nodiscard]] const providers::GroupDirectory& CloudIdentity();

}  // namespace bindery::google
