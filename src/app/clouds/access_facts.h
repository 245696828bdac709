#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "access/group_asker.h"
#include "cloud/connection.h"
#include "config/config.h"
#include "core/base/clock.h"
#include "core/base/expected.h"
#include "report/access/access_records.h"
#include "store/ports/store.h"

namespace bindery::app {

/// The files of the configuration with facts for answers about access, of all providers.
struct AccessFiles {
  std::vector<std::filesystem::path> groups = {};  ///< As GroupMembers::Read takes them.
  std::vector<std::filesystem::path> roles = {};   ///< As RolePermissions::Read takes them.

  [[nodiscard]] static AccessFiles Of(const config::Config& config);

  /// Puts the groups into `records`, and the roles with the permission if one is asked about.
  /// Errors as of the two Read().
  [[nodiscard]] Expected<void> ReadInto(const std::string& permission,
                                        report::AccessRecords& records) const;
};

/// Who is asked for the members of groups by the configuration; null: nobody. `connect` gives the
/// way to a provider by its name.
using ConnectProviderByName =
    std::function<Expected<std::shared_ptr<const cloud::Connection>>(const std::string& provider)>;
[[nodiscard]] std::shared_ptr<access::GroupAsker> MakeGroupAsker(
    const config::Config& config, const Clock& clock, const ConnectProviderByName& connect);

/// What a command answers questions about access from. Services that know groups are reached at
/// the first question about a group. Errors as AccessFiles::ReadInto.
[[nodiscard]] Expected<report::AccessRecords> ReadRecords(const store::Store& store,
                                                          const config::Config& config,
                                                          const std::string& permission);

}  // namespace bindery::app
