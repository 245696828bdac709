#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cloud/connection.h"
#include "core/base/expected.h"

namespace bindery::providers {

/// How much may still be asked for one question.
struct GroupBudget {
  std::size_t calls = 300;
  std::chrono::steady_clock::time_point ends = {};
  std::string stopped = {};  ///< Why nothing is asked any more; empty: the budget is spent.

  [[nodiscard]] bool IsSpent(std::chrono::steady_clock::time_point now) const {
    return calls == 0 || now >= ends;
  }
};

/// Who is in a group itself, without the members of the groups inside.
struct DirectMembers {
  /// As policies have them: "user:ana@example.com", "group:leads@example.com".
  std::vector<std::string> members = {};
  std::string gap = {};  ///< Why there may be further members; empty: these are all.
};

/// A service that knows the members of groups. One object, without state, for all threads.
class GroupDirectory {
 public:
  GroupDirectory() = default;
  virtual ~GroupDirectory() = default;
  GroupDirectory(const GroupDirectory&) = delete;
  GroupDirectory& operator=(const GroupDirectory&) = delete;

  /// For people: "Cloud Identity".
  [[nodiscard]] virtual std::string_view name() const = 0;

  /// What the account needs to be answered, for people.
  [[nodiscard]] virtual std::string_view needs() const = 0;

  /// Asks for the members of "eng@example.com", page by page, and counts the calls. Blocks, at most
  /// until the budget ends. A list that is cut off is answered with a gap. kPermissionDenied: the
  /// account may not ask, or there is no such group. Further errors as of any call.
  [[nodiscard]] virtual Expected<DirectMembers> Read(const cloud::Connection& connection,
                                                     const std::string& group,
                                                     GroupBudget& budget) const = 0;
};

/// What the configuration of a provider says of groups.
struct GroupPlan {
  const GroupDirectory* directory = nullptr;  ///< Null: no service is asked.
  std::chrono::milliseconds max_age{0};       ///< How long an answer is used again.
};

}  // namespace bindery::providers
