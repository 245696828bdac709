#pragma once

#include <map>
#include <memory>
#include <string>

#include "access/group_asker.h"
#include "access/group_members.h"
#include "access/role_permissions.h"
#include "store/ports/inventory_store.h"
#include "store/ports/report_reader.h"

namespace bindery::report {

/// What answers about access are made from. All outlive the answer.
struct AccessRecords {
  const store::ReportReader& store;
  /// Scans of clouds; null: none are known.
  const store::InventoryStore* inventory = nullptr;
  /// The type of each provider, by name: for the policies of scans.
  std::map<std::string, std::string> provider_types = {};
  /// Null: no files list members of groups.
  std::shared_ptr<const access::GroupMembers> groups = nullptr;
  /// Which roles have the asked permission; null: not known.
  std::shared_ptr<const access::RolePermissions> roles = nullptr;
  /// Null: no service is asked for members of groups.
  std::shared_ptr<access::GroupAsker> group_asker = nullptr;
};

}  // namespace bindery::report
