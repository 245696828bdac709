#pragma once

#include <string>
#include <vector>

#include "report/access/access_records.h"

namespace bindery::report {

/// Who tells the members of groups. kService: groups that the service does not tell have a line of
/// their own.
enum class GroupsBy { kNobody, kFiles, kService };

[[nodiscard]] GroupsBy SourceOfGroups(const AccessRecords& records);

/// What answers about access leave out, in words: a principal may hold more, or less, for these
/// reasons. The only list: texts, JSON and pages show it. `unknown`: what is not known of inherited
/// policies and of groups, which comes first.
[[nodiscard]] std::vector<std::string> NotConsidered(std::vector<std::string> unknown,
                                                     GroupsBy groups);

/// What is not known of inherited policies where nothing was scanned.
inline constexpr const char* kNothingScanned =
    "inherited policies that were not read: no scan tells the folders and organizations of targets";

}  // namespace bindery::report
