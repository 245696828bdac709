#include "core/json.h"

#include <exception>

namespace bindery {

Expected<Json> ParseJson(std::string_view text, std::size_t max_depth) {
  try {
    bool too_deep = false;
    const auto guard = [&](int depth, Json::parse_event_t /*event*/, Json& /*parsed*/) {
      if (depth >= 0 && static_cast<std::size_t>(depth) > max_depth) too_deep = true;
      return !too_deep;
    };
    Json value = Json::parse(text.begin(), text.end(), guard);
    if (too_deep) {
      return Fail(Code::kInvalidArgument, "JSON nested deeper than " + std::to_string(max_depth));
    }
    return value;
  } catch (const std::exception& failure) {
    // nlohmann's texts quote only the last token read, and begin with a tag in brackets.
    std::string message = failure.what();
    const auto end_of_tag = message.find("] ");
    if (end_of_tag != std::string::npos) message.erase(0, end_of_tag + 2);
    return Fail(Code::kInvalidArgument, "not JSON: " + message);
  }
}

const Json* FindMember(const Json& value, std::string_view name) {
  if (!value.is_object()) return nullptr;
  for (auto it = value.begin(); it != value.end(); ++it) {
    if (it.key() == name) return &it.value();
  }
  return nullptr;
}

std::string StringMember(const Json& value, std::string_view name) {
  const Json* member = FindMember(value, name);
  return member != nullptr && member->is_string() ? member->get<std::string>() : std::string();
}

}  // namespace bindery
