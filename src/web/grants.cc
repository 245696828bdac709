#include "web/grants.h"

#include "web/parts.h"

namespace bindery::web {
namespace {

std::string FirstOf(const Json& grant, const char* one, const char* other) {
  const std::string text = TextOf(grant, one);
  return text.empty() ? TextOf(grant, other) : text;
}

Html ConditionOf(const Json& grant) {
  const Json& condition = ObjectOf(grant, "condition");
  if (condition.empty()) return {};
  return El("span", {{"class", "condition"}}, "if ", El("b", {}, TextOf(condition, "title")), " ",
            El("code", {}, TextOf(condition, "expression")));
}

Html DiffLine(bool added, const Json& grant) {
  return El("li", {{"class", added ? "added" : "removed"}},
            El("span", {{"class", "sign"}, {"aria-hidden", "true"}}, added ? "+" : "−"),
            El("span", {{"class", "unseen"}}, added ? "added: " : "removed: "),
            El("span", {}, El("code", {}, Breakable(PrincipalOf(grant))), " ",
               El("span", {{"class", "role"}}, RoleOf(grant)), " ", ConditionOf(grant)));
}

}  // namespace

std::string RoleOf(const Json& grant) { return FirstOf(grant, "role", "relation"); }

std::string PrincipalOf(const Json& grant) { return FirstOf(grant, "member", "principal"); }

Html RoleCell(const Json& grant) {
  Html cell = El("span", {{"class", "role"}}, RoleOf(grant));
  cell.Add(ConditionOf(grant));
  return cell;
}

Html GrantCell(const Json& grant) {
  if (grant.empty()) return "the target as a whole";
  Html cell = El("code", {}, Breakable(PrincipalOf(grant)));
  cell.Add(El("span", {{"class", "below"}}, RoleCell(grant)));
  return cell;
}

std::string BoundsText(const Json& object) {
  const Json& bounds = ObjectOf(object, "timeBounds");
  const std::string state = TextOf(bounds, "state");
  const auto day = [&](const char* name) { return TextOf(bounds, name).substr(0, 16) + "Z"; };
  if (state == "pending") return "starts " + day("startsAt");
  if (state == "expired") return "expired " + day("endsAt");
  if (state == "never") return "never in force";
  return state == "active" && !TextOf(bounds, "endsAt").empty() ? "ends " + day("endsAt") : "";
}

Html DiffOf(const Json& added, const Json& removed) {
  if (added.empty() && removed.empty()) return Nothing("No grant differs");
  Html lines;
  for (const Json& grant : removed) lines.Add(DiffLine(false, grant));
  for (const Json& grant : added) lines.Add(DiffLine(true, grant));
  return El("ul", {{"class", "diff"}}, lines);
}

Html JsonBlock(const Json& value, std::string_view label) {
  return El("pre", {{"tabindex", "0"}, {"role", "region"}, {"aria-label", std::string(label)}},
            El("code", {}, value.dump(2, ' ', false, Json::error_handler_t::replace)));
}

}  // namespace bindery::web
