#include "report/values/guard_values.h"

#include "report/text/text_style.h"

namespace bindery {

std::string HeldTarget::FirstResources() const {
  constexpr std::size_t kNamed = 3;
  return report::TakeFirst(resources, kNamed);
}

Json ToJson(const HoldPurpose& purpose) { return ToString(purpose); }

bool ReadJson(const Json& json, HoldPurpose& purpose) {
  if (!json.is_string()) return false;
  const auto& text = json.get_ref<const std::string&>();
  const HoldPurpose read = HoldPurposeFromString(text);
  if (ToString(read) != text) return false;
  purpose = read;
  return true;
}

std::string report::UnknownWord(const Json& json, GetType<HoldPurpose> /*type*/) {
  HoldPurpose purpose;
  if (!json.is_string() || ReadJson(json, purpose)) return {};
  return NotAmong(json.get_ref<const std::string&>(), {"pass", "rollback:ID"});
}

}  // namespace bindery
