#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/access/grant.h"

namespace bindery {

/// The claim of a manifest on all grants of a policy.
inline constexpr std::string_view kWholePolicy = "*";
/// The same, and on the policy's settings beside its grants.
inline constexpr std::string_view kPolicyAndSettings = "*+";

/// The roles of settings: an audit configuration is the "role" "auditConfigs/SERVICE", and its
/// logged access types are the "members" of the role.
inline constexpr std::string_view kSettings = "auditConfigs/";

/// The part of a policy that one manifest claims. The part is kept and compared as one text:
///
///     *                                      all grants
///     roles/viewer                           one role: all its members, under any condition
///     roles/viewer if C                      one role under one condition
///     roles/viewer user:ana@example.com if C one member of the role, under one condition
///
/// C is "-" for no condition, "*" for any, else the condition as canonical JSON. Members are in
/// their normal form and hold no space. The views point into the text.
struct ClaimPart {
  std::string_view role;
  std::string_view member;           ///< Empty: all members.
  std::string_view condition = "*";  ///< "*", "-", or JSON.

  [[nodiscard]] static ClaimPart Of(std::string_view text);

  [[nodiscard]] std::string Text() const;
  [[nodiscard]] bool IsWhole() const;
};

/// `condition` in the form of ClaimPart.
[[nodiscard]] std::string ConditionOfPart(const std::optional<Condition>& condition);

/// The role of a part, or the whole text where it claims all of a policy.
[[nodiscard]] std::string_view RoleOfPart(std::string_view part);

/// Whether the part is all grants of a policy, with or without its settings.
[[nodiscard]] bool IsWholePolicy(std::string_view part);

[[nodiscard]] bool IsSetting(std::string_view role);

/// Whether two manifests with these parts of one policy are in conflict.
[[nodiscard]] bool Overlap(std::string_view a, std::string_view b);

/// Whether all of `inner` belongs to `outer`.
[[nodiscard]] bool Contains(std::string_view outer, std::string_view inner);

/// Whether a grant belongs to the part. `normal` as PrincipalRules::normal.
[[nodiscard]] bool Covers(std::string_view part, const Grant& grant,
                          std::string (*normal)(const std::string&));

/// "role "roles/viewer"", "member "user:a@example.com" of role "roles/viewer"", "the policy".
[[nodiscard]] std::string PartInWords(std::string_view part);

}  // namespace bindery
