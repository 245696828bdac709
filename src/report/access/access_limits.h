#pragma once

#include <string>
#include <vector>

#include "report/access/access_records.h"

namespace bindery::report {

/// The source of the members of groups. kService: each group that the service does not tell has a
/// line.
enum class GroupsBy { kNobody, kFiles, kService };

[[nodiscard]] GroupsBy SourceOfGroups(const AccessRecords& records);

/// The parts of access that answers leave out, in words: a principal may hold more, or less, for
/// these reasons. Texts, JSON and pages show this list. `unknown`: the unknown parts of inherited
/// policies and of groups, which come first.
[[nodiscard]] std::vector<std::string> NotConsidered(std::vector<std::string> unknown,
                                                     GroupsBy groups);

/// The unknown part of inherited policies where no scan was made.
inline constexpr const char* kNothingScanned =
    "inherited policies that were not read: no scan tells the folders and organizations of targets";

}  // namespace bindery::report
