#include "report/codec/json_codec.h"

#include "core/text/time_text.h"

namespace bindery::report {

Json MakeJson(WallTime time) {
  if (time == WallTime{}) return nullptr;
  return FormatRfc3339(time);
}

bool ReadJson(const Json& json, WallTime& value) {
  if (!json.is_string()) return false;
  const auto time = ParseRfc3339(json.get_ref<const std::string&>());
  if (time) value = *time;
  return time.has_value();
}

Json MakeJson(const cel::Timestamp& time) { return cel::ToString(time); }

bool ReadJson(const Json& json, cel::Timestamp& value) {
  if (!json.is_string()) return false;
  const auto time = cel::ParseTimestamp(json.get_ref<const std::string&>());
  if (time) value = *time;
  return time.has_value();
}

Json MakeJson(const GrantLine& line) { return ToJson(line.grant, line.words); }

bool ReadJson(const Json& json, GrantLine& value) {
  if (!json.is_object()) return false;
  value.grant = GrantFromJson(json);
  value.words = json.contains(kRestrictionWords.role) ? kRestrictionWords : kIamWords;
  return true;
}

bool ReadJson(const Json& json, std::string& value) {
  if (!json.is_string()) return false;
  value = json.get_ref<const std::string&>();
  return true;
}

bool ReadJson(const Json& json, bool& value) {
  if (!json.is_boolean()) return false;
  value = json.get<bool>();
  return true;
}

bool ReadJson(const Json& json, Json& value) {
  value = json;
  return true;
}

std::string NotAmong(std::string_view word, const std::vector<std::string_view>& known) {
  std::string text = "\"" + std::string(word) + "\" (known: ";
  for (std::size_t i = 0; i < known.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::string(known[i]);
  }
  return text + ")";
}

Error ErrorOfUnknownWord(const std::string& word) {
  return {Code::kFailedPrecondition, "a newer version wrote what this version does not know: " +
                                         word + "; use the program of that version"};
}

}  // namespace bindery::report
