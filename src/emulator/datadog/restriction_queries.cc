#include "emulator/datadog/restriction_queries.h"

#include <utility>

namespace bindery::emulator {
namespace {

using BadQuery = tl::unexpected<std::string>;

constexpr const char* kType = "logs_restriction_queries";

/// `data` of a request, which must have the type.
tl::expected<const Json*, std::string> FindData(const Json& document, const std::string& type) {
  const Json* data = FindMember(document, "data");
  if (data == nullptr || !data->is_object()) {
    return BadQuery("Invalid request: missing required attribute \"data\"");
  }
  if (StringMember(*data, "type") != type) {
    return BadQuery("Invalid request: \"data.type\" must be \"" + type + "\"");
  }
  return data;
}

}  // namespace

tl::expected<std::string, std::string> ReadRestrictionQuery(const Json& document) {
  const auto data = FindData(document, kType);
  if (!data) return BadQuery(data.error());
  const Json* attributes = FindMember(**data, "attributes");
  std::string text = attributes == nullptr ? "" : StringMember(*attributes, "restriction_query");
  if (!text.empty()) return text;
  return BadQuery(
      "Invalid request: missing required attribute \"data.attributes.restriction_query\"");
}

tl::expected<std::string, std::string> ReadRoleOfQuery(const Json& document) {
  const auto data = FindData(document, "roles");
  if (!data) return BadQuery(data.error());
  std::string id = StringMember(**data, "id");
  if (!id.empty()) return id;
  return BadQuery("Invalid request: missing required attribute \"data.id\"");
}

Json RestrictionQueryData(const std::string& id, const Json& value) {
  Json roles = Json::array();
  for (const Json& role : value.at("roles")) roles.push_back({{"type", "roles"}, {"id", role}});
  Json attributes = {{"restriction_query", value.at("query")}, {"role_count", roles.size()}};
  if (const Json* created = FindMember(value, "createdAt")) attributes["created_at"] = *created;
  if (const Json* modified = FindMember(value, "modifiedAt")) attributes["modified_at"] = *modified;
  return {{"type", kType},
          {"id", id},
          {"attributes", std::move(attributes)},
          {"relationships", Json{{"roles", Json{{"data", std::move(roles)}}}}}};
}

}  // namespace bindery::emulator
