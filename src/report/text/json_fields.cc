#include "report/text/json_fields.h"

namespace bindery::report {

Json ObjectFromText(const std::string& text) {
  if (text.empty() || text == "{}") return Json::object();  // Most often: no parser is made.
  Expected<Json> value = ParseJson(text);
  if (!value || !value->is_object()) return Json::object();
  return std::move(*value);
}

const Json& ArrayMember(const Json& value, std::string_view name) {
  static const Json kNone = Json::array();
  const Json* member = FindMember(value, name);
  return member != nullptr && member->is_array() ? *member : kNone;
}

const Json& ObjectMember(const Json& value, std::string_view name) {
  static const Json kNone = Json::object();
  const Json* member = FindMember(value, name);
  return member != nullptr && member->is_object() ? *member : kNone;
}

bool BoolMember(const Json& value, std::string_view name) {
  const Json* member = FindMember(value, name);
  return member != nullptr && member->is_boolean() && member->get<bool>();
}

}  // namespace bindery::report
