#include "server/requests/request_body.h"

#include <algorithm>
#include <utility>

#include "core/base/strict_json.h"
#include "core/text/nearest.h"

namespace bindery::server {

tl::unexpected<Error> BadBody(std::string message) {
  return Fail(Code::kInvalidArgument, std::move(message));
}

Expected<void> CheckMembers(const Json& object, const std::vector<std::string>& members,
                            const std::string& what) {
  if (!object.is_object()) return BadBody(what + " must be a JSON object");
  for (const auto& item : object.items()) {
    const std::string& key = item.key();
    if (std::find(members.begin(), members.end(), key) != members.end()) continue;
    std::string message = "unknown member \"" + key + "\" in " + what;
    if (const auto nearest = NearestSpelling(key, members)) {
      message += "; did you mean \"" + *nearest + "\"?";
    }
    return BadBody(std::move(message));
  }
  return {};
}

Expected<Json> ReadObject(std::string_view body, const std::vector<std::string>& members) {
  Expected<Json> value = ParseStrictJson(body);
  if (!value) return Fail(value.error().Wrap("the request body is no JSON"));
  if (auto checked = CheckMembers(*value, members, "the request body"); !checked) {
    return Fail(checked.error());
  }
  return value;
}

Expected<std::vector<std::string>> ReadNameList(const Json& list) {
  if (!list.is_array()) return BadBody("\"names\" must be a list of strings");
  std::vector<std::string> names;
  for (const Json& name : list) {
    if (!name.is_string() || name.get_ref<const std::string&>().empty()) {
      return BadBody("\"names\" must be a list of strings that are not empty");
    }
    names.push_back(name.get<std::string>());
  }
  return names;
}

}  // namespace bindery::server
