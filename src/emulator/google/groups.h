#pragma once

#include <map>
#include <string>
#include <vector>

#include "emulator/seed.h"

namespace bindery::emulator {

/// The groups of Cloud Identity, as they are seeded. Not thread-safe.
class Groups {
 public:
  void Put(const Entry& entry);
  void Clear() { groups_.clear(); }

  /// "groups/0f4c…" of the group with the address; empty: there is none.
  [[nodiscard]] std::string GetName(const std::string& email) const;
  /// The address of the group with the name; empty: there is none.
  [[nodiscard]] std::string GetEmail(const std::string& name) const;
  /// Members of policies, of an existing group.
  [[nodiscard]] const std::vector<std::string>& FindMembers(const std::string& email) const {
    return groups_.at(email);
  }

 private:
  std::map<std::string, std::vector<std::string>> groups_;  ///< By address, in lower case.
};

}  // namespace bindery::emulator
