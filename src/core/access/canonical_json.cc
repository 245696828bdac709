// CanonicalJson of json.h is here too: all share one writer.

#include "core/access/canonical_json.h"

#include <algorithm>
#include <vector>

#include "core/base/json_text.h"

namespace bindery {
namespace {

void WriteText(std::string_view value, std::string& text) {
  const bool plain = std::all_of(value.begin(), value.end(), [](char c) {
    return c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
  });
  if (plain) {
    text.append(1, '"').append(value).append(1, '"');
  } else {
    text += CompactJson(Json(value));
  }
}

/// `name` needs no escape.
void WriteMember(std::string_view name, std::string_view value, std::string& text) {
  text.append(text.back() == '{' ? "\"" : ",\"").append(name).append("\":");
  WriteText(value, text);
}

void WriteCanonical(const Json& value, std::string& text);

// NOLINTNEXTLINE(misc-no-recursion): as deep as the value
void WriteSorted(const Json::object_t& members, const std::string_view* without,
                 std::string& text) {
  std::vector<const Json::object_t::value_type*> sorted;
  sorted.reserve(members.size());
  for (const auto& member : members) {
    if (without == nullptr || member.first != *without) sorted.push_back(&member);
  }
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
  if (value.is_object()) return WriteSorted(value.get_ref<const Json::object_t&>(), nullptr, text);
  if (!value.is_array()) {
    text += CompactJson(value);
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

std::string CanonicalJson(const Json& value) {
  std::string text;
  WriteCanonical(value, text);
  return text;
}

std::string CanonicalJsonWithout(const Json& value, std::string_view member) {
  if (!value.is_object()) return CanonicalJson(value);
  std::string text;
  WriteSorted(value.get_ref<const Json::object_t&>(), &member, text);
  return text;
}

std::string DumpWithout(const Json& value, std::string_view member) {
  if (!value.is_object()) return CompactJson(value);
  std::string text = "{";
  for (const auto& [name, kept] : value.get_ref<const Json::object_t&>()) {
    if (name == member) continue;
    if (text.size() > 1) text += ',';
    WriteText(name, text);
    text += ':';
    text += CompactJson(kept);
  }
  return text += '}';
}

std::string CanonicalGrant(const Grant& grant) {
  std::string text = "{";
  if (grant.condition) {
    text += "\"condition\":{";
    if (!grant.condition->description.empty()) {
      WriteMember("description", grant.condition->description, text);
    }
    WriteMember("expression", grant.condition->expression, text);
    WriteMember("title", grant.condition->title, text);
    text += '}';
  }
  WriteMember("member", grant.principal, text);
  WriteMember("role", grant.role, text);
  return text += '}';
}

}  // namespace bindery
