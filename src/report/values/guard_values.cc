#include "report/values/guard_values.h"

#include "report/text/text_style.h"

namespace bindery::report {

std::string HeldTarget::FirstResources() const {
  constexpr std::size_t kNamed = 3;
  return TakeFirst(resources, kNamed);
}

std::string UnknownWord(const Json& json, GetType<HoldPurpose> /*type*/) {
  HoldPurpose purpose;
  if (!json.is_string() || ReadJson(json, purpose)) return {};
  return NotAmong(json.get_ref<const std::string&>(), {"pass", "rollback:ID"});
}

}  // namespace bindery::report
