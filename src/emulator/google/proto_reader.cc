#include "emulator/google/proto_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/base/json_text.h"
#include "emulator/google/etag.h"

namespace bindery::emulator {
namespace {

/// How a complaint shows the offending value.
std::string Shown(const Json& value) { return CompactJson(value); }

std::optional<int> ReadInt(const Json& value) {
  std::int64_t number = 0;
  if (value.is_number_integer()) {
    number = value.get<std::int64_t>();
  } else if (value.is_number_float()) {
    const double real = value.get<double>();
    if (std::abs(real) > std::numeric_limits<int>::max() || std::floor(real) != real) {
      return std::nullopt;
    }
    number = static_cast<std::int64_t>(real);
  } else if (value.is_string()) {
    const std::string& text = value.get_ref<const std::string&>();
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || text.empty()) {
      return std::nullopt;
    }
  } else {
    return std::nullopt;
  }
  if (number < std::numeric_limits<int>::min() || number > std::numeric_limits<int>::max()) {
    return std::nullopt;
  }
  return static_cast<int>(number);
}

const std::vector<Json>& NoMessages() {
  static const std::vector<Json> kNone;
  return kNone;
}

}  // namespace

std::string JoinPath(const std::string& path, std::string_view name) {
  return path.empty() ? std::string(name) : path + "." + std::string(name);
}

std::string ProtoName(std::string_view json_name) {
  std::string name;
  for (const char c : json_name) {
    if (c >= 'A' && c <= 'Z') {
      name += '_';
      name += static_cast<char>(c - 'A' + 'a');
    } else {
      name += c;
    }
  }
  return name;
}

void ProtoReader::PrintError(std::string field, std::string description) {
  violations_.push_back({std::move(field), std::move(description)});
}

bool ProtoReader::CheckMessage(const Json& value, const std::string& path, std::string_view type,
                               const std::vector<std::string_view>& fields) {
  if (!value.is_object()) {
    PrintError(path, "Invalid value at '" + path + "' (type.googleapis.com/" + std::string(type) +
                         "), " + Shown(value));
    return false;
  }
  for (auto it = value.begin(); it != value.end(); ++it) {
    const bool known = std::any_of(fields.begin(), fields.end(), [&](std::string_view field) {
      return it.key() == field || it.key() == ProtoName(field);
    });
    if (known) continue;
    PrintError(path, "Invalid JSON payload received. Unknown name \"" + it.key() + "\"" +
                         (path.empty() ? "" : " at '" + path + "'") + ": Cannot find field.");
  }
  return true;
}

const Json* ProtoReader::Field(const Json& message, std::string_view name) {
  const Json* field = FindMember(message, name);
  if (field == nullptr) field = FindMember(message, ProtoName(name));
  return field == nullptr || field->is_null() ? nullptr : field;
}

std::string ProtoReader::String(const Json& message, std::string_view name,
                                const std::string& path) {
  const Json* field = Field(message, name);
  if (field == nullptr) return {};
  if (field->is_string()) return field->get<std::string>();
  const std::string where = JoinPath(path, ProtoName(name));
  PrintError(where, "Invalid value at '" + where + "' (TYPE_STRING), " + Shown(*field));
  return {};
}

int ProtoReader::Int32(const Json& message, std::string_view name, const std::string& path) {
  const Json* field = Field(message, name);
  if (field == nullptr) return 0;
  if (const auto number = ReadInt(*field)) return *number;
  const std::string where = JoinPath(path, ProtoName(name));
  PrintError(where, "Invalid value at '" + where + "' (TYPE_INT32), " + Shown(*field));
  return 0;
}

std::optional<std::string> ProtoReader::Bytes(const Json& message, std::string_view name,
                                              const std::string& path) {
  const Json* field = Field(message, name);
  if (field == nullptr) return std::nullopt;
  const std::string where = JoinPath(path, ProtoName(name));
  if (field->is_string()) {
    if (auto bytes = DecodeBase64(field->get_ref<const std::string&>())) return bytes;
    PrintError(where, "Invalid value at '" + where + "' (TYPE_BYTES), Base64 decoding failed for " +
                          Shown(*field));
    return std::nullopt;
  }
  PrintError(where, "Invalid value at '" + where + "' (TYPE_BYTES), " + Shown(*field));
  return std::nullopt;
}

std::vector<std::string> ProtoReader::Strings(const Json& message, std::string_view name,
                                              const std::string& path) {
  std::vector<std::string> texts;
  const Json* field = Field(message, name);
  if (field == nullptr) return texts;
  const std::string where = JoinPath(path, ProtoName(name));
  // A lone value is read as a list of one, as the real front end does.
  const Json list = field->is_array() ? *field : Json::array({*field});
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].is_string()) {
      texts.push_back(list[i].get<std::string>());
      continue;
    }
    const std::string item = where + "[" + std::to_string(i) + "]";
    PrintError(item, "Invalid value at '" + item + "' (TYPE_STRING), " + Shown(list[i]));
  }
  return texts;
}

const std::vector<Json>& ProtoReader::Messages(const Json& message, std::string_view name,
                                               const std::string& path, std::string_view type) {
  const Json* field = Field(message, name);
  if (field == nullptr) return NoMessages();
  if (field->is_array()) return field->get_ref<const Json::array_t&>();
  const std::string where = JoinPath(path, ProtoName(name));
  PrintError(where, "Invalid value at '" + where + "' (type.googleapis.com/" + std::string(type) +
                        "), " + Shown(*field));
  return NoMessages();
}

}  // namespace bindery::emulator
