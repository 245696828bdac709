#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "core/base/json.h"

namespace bindery::emulator {

/// A principal that the seed calls deleted, or that never existed, or that policies keep under a
/// second name.
struct Principal {
  std::string member;  ///< Plain: "user:ana@example.com".
  bool deleted = false;
  std::string uid;        ///< Of a deleted one: digits.
  std::string stored_as;  ///< What policies keep for it; empty: nothing, it does not exist.
};

[[nodiscard]] Principal PrincipalFromJson(const Json& value);

/// Principals that cannot be granted anything, and principals with a second name; all further
/// principals exist.
class Principals {
 public:
  void Add(Principal principal);
  void Clear() { by_member_.clear(); }
  /// Whatever the case of its e-mail; nullptr: the principal exists under the name.
  [[nodiscard]] const Principal* Find(std::string_view member) const;
  /// The principal does not exist, and is no alias of one.
  [[nodiscard]] bool DoesNotExist(std::string_view member) const {
    const Principal* known = Find(member);
    return known != nullptr && known->stored_as.empty();
  }

 private:
  std::map<std::string, Principal, std::less<>> by_member_;
};

/// For comparison: the e-mail or domain of the four common types in lower case.
[[nodiscard]] std::string NormalMember(std::string_view member);

/// How a policy shows the member: "deleted:user:…?uid=…" once its principal is deleted.
[[nodiscard]] std::string ShownMember(const std::string& member, const Principals& principals);

/// The stored form in a policy: the plain form, so that a restored principal shows as before; the
/// primary name of an alias.
[[nodiscard]] std::string KeptMember(const std::string& member, const Principals& principals,
                                     bool preserve_case);

/// The service's text against writing the member, if any. `shown` are the members in the former
/// policy: only these may be written as "deleted:".
[[nodiscard]] std::optional<std::string> RefuseMember(const std::string& member,
                                                      const Principals& principals,
                                                      const std::set<std::string>& shown);

}  // namespace bindery::emulator
