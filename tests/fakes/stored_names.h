#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/base/json.h"

namespace bindery::testing {

/// Names that a cloud stores for others, and what it refuses of deleted principals.
class StoredNames {
 public:
  /// `stored`: what `member` is stored as; empty: there is no such principal.
  void Set(const std::string& member, const std::string& stored) { stored_as_[member] = stored; }
  void Forget(const std::string& member) { stored_as_.erase(member); }

  /// Makes of the bindings what is stored, each member once in a binding. Why they are refused;
  /// empty: they are not.
  [[nodiscard]] std::string Store(Json& bindings) const {
    std::set<std::string> all;
    for (Json& binding : bindings) {
      Json kept = Json::array();
      for (const Json& member : binding["members"]) {
        const auto text = member.get<std::string>();
        all.insert(text);
        const auto known = stored_as_.find(text);
        if (known == stored_as_.end()) {
          kept.push_back(text);
        } else if (known->second.empty()) {
          return "Principal " + text + " does not exist.";
        } else if (!Lists(binding["members"], known->second) && !Lists(kept, known->second)) {
          kept.push_back(known->second);
        }
      }
      binding["members"] = std::move(kept);
    }
    return InconsistentIn(all);
  }

 private:
  static bool Lists(const Json& list, const std::string& text) {
    return std::find(list.begin(), list.end(), text) != list.end();
  }

  /// A policy shows a principal as deleted, or not: never both.
  static std::string InconsistentIn(const std::set<std::string>& members) {
    for (const std::string& member : members) {
      if (!member.starts_with("deleted:")) continue;
      const std::string plain = member.substr(8, member.find("?uid=") - 8);
      if (members.contains(plain)) {
        return "Inconsistent representation of deleted member: '" + member + "' and '" + plain +
               "'";
      }
    }
    return "";
  }

  std::map<std::string, std::string> stored_as_;
};

}  // namespace bindery::testing
