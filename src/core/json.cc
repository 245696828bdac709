#include "core/json.h"

#include <algorithm>
#include <exception>
#include <vector>

namespace bindery {
namespace {

void WriteText(const std::string& value, std::string& text) {
  const bool plain = std::all_of(value.begin(), value.end(), [](char c) {
    return c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
  });
  if (plain) {
    text.append(1, '"').append(value).append(1, '"');
  } else {
    text += Json(value).dump(-1, ' ', false, Json::error_handler_t::replace);
  }
}

void WriteCanonical(const Json& value, std::string& text);

// NOLINTNEXTLINE(misc-no-recursion): as deep as the value
void WriteSorted(const Json::object_t& members, std::string& text) {
  std::vector<const Json::object_t::value_type*> sorted;
  sorted.reserve(members.size());
  for (const auto& member : members) sorted.push_back(&member);
  std::sort(sorted.begin(), sorted.end(),
            [](const auto* a, const auto* b) { return a->first < b->first; });
  text += '{';
  for (const auto* member : sorted) {
    if (text.back() != '{') text += ',';
    WriteText(member->first, text);
    text += ':';
    WriteCanonical(member->second, text);
  }
  text += '}';
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the value
void WriteCanonical(const Json& value, std::string& text) {
  if (value.is_string()) return WriteText(value.get_ref<const std::string&>(), text);
  if (value.is_object()) return WriteSorted(value.get_ref<const Json::object_t&>(), text);
  if (!value.is_array()) {
    text += value.dump(-1, ' ', false, Json::error_handler_t::replace);
    return;
  }
  text += '[';
  for (const Json& item : value) {
    if (text.back() != '[') text += ',';
    WriteCanonical(item, text);
  }
  text += ']';
}

}  // namespace

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

std::string CanonicalJson(const Json& value) {
  std::string text;
  WriteCanonical(value, text);
  return text;
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
