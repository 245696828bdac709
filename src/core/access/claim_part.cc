#include "core/access/claim_part.h"

#include "core/base/json.h"
#include "core/base/quoted.h"

namespace bindery {
namespace {

constexpr std::string_view kIf = " if ";
constexpr std::string_view kAny = "*";
constexpr std::string_view kNone = "-";

/// Most parts are one role, or the same text.
bool IsRoleOnly(std::string_view part) {
  return part.find(' ') == std::string_view::npos && part.substr(0, 1) != kWholePolicy;
}

bool WholeCovers(std::string_view whole, std::string_view role) {
  return whole == kPolicyAndSettings || !IsSetting(role);
}

bool Meet(std::string_view a, std::string_view b, std::string_view all) {
  return a == all || b == all || a == b;
}

bool Holds(std::string_view outer, std::string_view inner, std::string_view all) {
  return outer == all || outer == inner;
}

}  // namespace

ClaimPart ClaimPart::Of(std::string_view text) {
  ClaimPart part;
  if (const auto at = text.find(kIf); at != std::string_view::npos) {
    part.condition = text.substr(at + kIf.size());
    text = text.substr(0, at);
  }
  const auto space = text.find(' ');
  part.role = text.substr(0, space);
  if (space != std::string_view::npos) part.member = text.substr(space + 1);
  return part;
}

std::string ClaimPart::Text() const {
  std::string text(role);
  if (!member.empty()) text += " " + std::string(member);
  if (!member.empty() || condition != kAny) text += std::string(kIf) + std::string(condition);
  return text;
}

bool ClaimPart::IsWhole() const { return IsWholePolicy(role); }

std::string ConditionOfPart(const std::optional<Condition>& condition) {
  return condition ? CanonicalJson(ToJson(*condition)) : std::string(kNone);
}

std::string_view RoleOfPart(std::string_view part) { return part.substr(0, part.find(' ')); }

bool IsWholePolicy(std::string_view part) {
  return part == kWholePolicy || part == kPolicyAndSettings;
}

bool IsSetting(std::string_view role) { return role.starts_with(kSettings); }

bool Overlap(std::string_view a, std::string_view b) {
  if (a == b) return true;
  if (IsRoleOnly(a) && IsRoleOnly(b)) return false;
  const ClaimPart one = ClaimPart::Of(a);
  const ClaimPart other = ClaimPart::Of(b);
  if (one.IsWhole() && other.IsWhole()) return true;
  if (one.IsWhole()) return WholeCovers(one.role, other.role);
  if (other.IsWhole()) return WholeCovers(other.role, one.role);
  return one.role == other.role && Meet(one.member, other.member, "") &&
         Meet(one.condition, other.condition, kAny);
}

bool Contains(std::string_view outer, std::string_view inner) {
  if (outer == inner) return true;
  if (IsRoleOnly(outer) && IsRoleOnly(inner)) return false;
  const ClaimPart whole = ClaimPart::Of(outer);
  const ClaimPart part = ClaimPart::Of(inner);
  if (whole.IsWhole()) return part.role != kPolicyAndSettings && WholeCovers(whole.role, part.role);
  return whole.role == part.role && Holds(whole.member, part.member, "") &&
         Holds(whole.condition, part.condition, kAny);
}

bool Covers(std::string_view part, const Grant& grant, std::string (*normal)(const std::string&)) {
  if (part == grant.role) return true;
  if (IsRoleOnly(part)) return false;
  const ClaimPart claimed = ClaimPart::Of(part);
  if (claimed.IsWhole()) return WholeCovers(claimed.role, grant.role);
  return claimed.role == grant.role &&
         (claimed.condition == kAny || claimed.condition == ConditionOfPart(grant.condition)) &&
         (claimed.member.empty() || claimed.member == normal(grant.principal));
}

std::string PartInWords(std::string_view part) {
  const ClaimPart claimed = ClaimPart::Of(part);
  if (claimed.role == kPolicyAndSettings) return "the policy and its audit configuration";
  if (claimed.IsWhole()) return "the policy";
  if (IsSetting(claimed.role)) {
    return "the audit configuration of " + Quoted(claimed.role.substr(kSettings.size()));
  }
  std::string text = "role " + Quoted(claimed.role);
  if (!claimed.member.empty()) text = "member " + Quoted(claimed.member) + " of " + text;
  if (claimed.condition == kAny || claimed.condition == kNone) return text;
  const Expected<Json> condition = ParseJson(std::string(claimed.condition));
  const std::string title = condition ? StringMember(*condition, "title") : std::string();
  return text + (title.empty() ? " under its condition" : " under the condition " + Quoted(title));
}

}  // namespace bindery
