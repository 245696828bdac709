#pragma once

#include <array>
#include <compare>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"

namespace bindery {

/// When a grant holds. Two conditions are the same when all three texts are; an absent title or
/// description equals an empty one. `google.type.Expr.location` takes no part.
struct Condition {
  std::string expression;
  std::string title;
  std::string description;
  auto operator<=>(const Condition&) const = default;
};

/// The smallest unit of access, and of drift: one principal holds one role, perhaps under a
/// condition. For a restriction policy `role` is the relation, and no condition exists.
///
/// `principal` is spelled as its source spells it; the kinds compare normal forms.
struct Grant {
  std::string role;
  std::string principal;
  std::optional<Condition> condition = {};

  auto operator<=>(const Grant&) const = default;
};

/// How the two sides of a grant are called in JSON: {"role","member"} or {"relation","principal"}.
struct GrantWords {
  const char* role = "role";
  const char* principal = "member";
};
/// The possible words of kinds: a kind's words are one of the rows, so that every written grant is
/// read back.
inline constexpr std::array<GrantWords, 2> kGrantWords = {
    {{"role", "member"}, {"relation", "principal"}}};
inline constexpr GrantWords kIamWords = kGrantWords[0];
inline constexpr GrantWords kRestrictionWords = kGrantWords[1];

/// {"role", "member"} and "condition" if any; the words of `words`.
[[nodiscard]] Json ToJson(const Grant& grant, const GrantWords& words);

/// Reads a grant in any of kGrantWords back. Missing members become empty.
[[nodiscard]] Grant GrantFromJson(const Json& value);

[[nodiscard]] Json ToJson(const Condition& condition);

/// The role alone, with the condition's title: "roles/viewer if until-june".
[[nodiscard]] std::string RoleText(const Grant& grant);

}  // namespace bindery
