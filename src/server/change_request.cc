#include "server/change_request.h"

#include <algorithm>
#include <utility>

#include "core/json.h"
#include "core/nearest.h"

namespace bindery::server {
namespace {

tl::unexpected<Error> Bad(std::string message) {
  return Fail(Code::kInvalidArgument, std::move(message));
}

/// The body as an object that has no other members than those.
Expected<Json> ReadObject(std::string_view body, const std::vector<std::string>& members) {
  Expected<Json> value = ParseJson(body);
  if (!value) return Fail(value.error().Wrap("the request body is no JSON"));
  if (!value->is_object()) return Bad("the request body must be a JSON object");
  for (const auto& item : value->items()) {
    const std::string& key = item.key();
    if (std::find(members.begin(), members.end(), key) != members.end()) continue;
    std::string message = "unknown member \"" + key + "\" in the request body";
    if (const auto nearest = NearestSpelling(key, members)) {
      message += "; did you mean \"" + *nearest + "\"?";
    }
    return Bad(std::move(message));
  }
  return value;
}

Expected<std::string> ReadText(const Json& object, const std::string& member) {
  std::string text = StringMember(object, member);
  if (text.empty()) return Bad("\"" + member + "\" must be a string that is not empty");
  return text;
}

}  // namespace

Expected<std::vector<std::string>> ReadNames(std::string_view body, NoNames no_names) {
  const bool may_be_none = no_names == NoNames::kMeansAll;
  if (body.empty() && may_be_none) return std::vector<std::string>{};
  const Expected<Json> object = ReadObject(body, {"names"});
  if (!object) return Fail(object.error());
  const Json* list = FindMember(*object, "names");
  if (list == nullptr && may_be_none) return std::vector<std::string>{};
  if (list == nullptr || !list->is_array()) return Bad("\"names\" must be a list of strings");
  if (list->empty() && !may_be_none) return Bad("\"names\" must name at least one resource");
  std::vector<std::string> names;
  for (const Json& name : *list) {
    if (!name.is_string() || name.get_ref<const std::string&>().empty()) {
      return Bad("\"names\" must be a list of strings that are not empty");
    }
    names.push_back(name.get<std::string>());
  }
  return names;
}

Expected<std::string> ReadDigest(std::string_view body) {
  const Expected<Json> object = ReadObject(body, {"digest"});
  if (!object) return Fail(object.error());
  return ReadText(*object, "digest");
}

Expected<RollbackRequest> ReadRollback(std::string_view body) {
  const Expected<Json> object = ReadObject(body, {"name", "revision"});
  if (!object) return Fail(object.error());
  Expected<std::string> name = ReadText(*object, "name");
  if (!name) return Fail(name.error());
  const Json* revision = FindMember(*object, "revision");
  if (revision == nullptr || !revision->is_number_integer() || *revision < 1) {
    return Bad("\"revision\" must be a whole number from 1");
  }
  return RollbackRequest{std::move(*name), revision->get<std::int64_t>()};
}

}  // namespace bindery::server
