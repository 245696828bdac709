#pragma once

#include <filesystem>
#include <vector>

#include "config/config.h"
#include "core/base/expected.h"
#include "report/access/access_records.h"
#include "store/ports/store.h"

namespace bindery {

/// The files of the configuration with facts for answers about access, of all providers.
struct AccessFiles {
  std::vector<std::filesystem::path> groups = {};  ///< As GroupMembers::Read takes them.
  std::vector<std::filesystem::path> roles = {};   ///< As RolePermissions::Read takes them.

  [[nodiscard]] static AccessFiles Of(const Config& config);

  /// Puts the content of the files into `records`. Errors as of the two Read().
  [[nodiscard]] Expected<void> ReadInto(AccessRecords& records) const;
};

/// What a command answers questions about access from. Errors as AccessFiles::ReadInto.
[[nodiscard]] Expected<AccessRecords> RecordsOf(const Store& store, const Config& config);

}  // namespace bindery
