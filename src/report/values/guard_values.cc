#include "report/values/guard_values.h"

#include "report/text/text_style.h"

namespace bindery {

std::string HeldTarget::FirstResources() const {
  constexpr std::size_t kNamed = 3;
  return report::FirstOf(resources, kNamed);
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

}  // namespace bindery
