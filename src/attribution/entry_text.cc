#include "attribution/entry_text.h"

#include <algorithm>

#include "core/text/code_point.h"
#include "core/text/time_text.h"

namespace bindery::attribution {
namespace {

/// The grants of one binding: its role or relation, with each of the members or principals.
bool AddGrants(const Json& binding, std::vector<Grant>& grants, std::size_t& bytes) {
  const Json* members = FindMember(binding, "members");
  if (members == nullptr) members = FindMember(binding, "principals");
  if (members == nullptr) return true;
  if (!members->is_array() || grants.size() + members->size() > kMostGrants) return false;
  Grant grant = GrantFromJson(binding);
  for (const Json& member : *members) {
    if (!member.is_string()) return false;
    grant.principal = member.get<std::string>();
    if (!Fits(grant, bytes)) return false;
    grants.push_back(grant);
  }
  return true;
}

}  // namespace

std::string CleanText(std::string_view text) {
  std::string clean;
  while (!text.empty() && clean.size() < kLongestText) {
    const auto decoded = DecodeUtf8(text);
    const std::size_t bytes = decoded ? decoded->bytes : 1;
    if (decoded && !Steers(decoded->value)) {
      if (clean.size() + bytes > kLongestText) break;
      clean += text.substr(0, bytes);
    }
    text.remove_prefix(bytes);
  }
  return clean;
}

std::string TextAt(const Json& value, std::initializer_list<std::string_view> path) {
  const Json* found = FindPath(value, path);
  return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<WallTime> TimeIn(std::string_view text) {
  // Far from the limits of the clock's type.
  if (text < "2000" || text >= "2200") return std::nullopt;
  const auto time = ParseRfc3339(text);
  return time ? std::optional(*time) : std::nullopt;
}

std::size_t CountTextBytes(const Grant& grant) {
  std::size_t bytes = grant.role.size() + grant.principal.size();
  if (const auto& condition = grant.condition) {
    bytes += condition->expression.size() + condition->title.size() + condition->description.size();
  }
  return bytes;
}

bool Fits(const Grant& grant, std::size_t& bytes) {
  bytes += CountTextBytes(grant);
  return bytes <= kMostGrantBytes;
}

std::optional<std::vector<Grant>> GrantsOfBindings(const Json* bindings) {
  if (bindings == nullptr || !bindings->is_array()) return std::nullopt;
  std::vector<Grant> grants;
  std::size_t bytes = 0;
  for (const Json& binding : *bindings) {
    if (!AddGrants(binding, grants, bytes)) return std::nullopt;
  }
  return grants;
}

}  // namespace bindery::attribution
