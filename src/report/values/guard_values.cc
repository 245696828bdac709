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
  purpose = HoldPurposeFromString(json.get_ref<const std::string&>());
  return true;
}

}  // namespace bindery
