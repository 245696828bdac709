#include "manifests/documents/spec.h"

#include <cstring>
#include <string_view>

namespace bindery::manifests {
namespace {

/// As text.find(), which stops at each letter equal to the first letter.
bool HoldsText(const std::string& text, std::string_view what) {
  return ::memmem(text.data(), text.size(), what.data(), what.size()) != nullptr;
}

}  // namespace

Expected<Json> MakeSpec(const Manifest& manifest) { return ParseJson(manifest.spec); }

std::string TimedExpression(const std::string& spec) {
  // Most conditions do not ask for the time, and most specs have none.
  if (!HoldsText(spec, "\"condition\"") || !HoldsText(spec, "time")) return "";
  const Expected<Json> json = ParseJson(spec);
  const Json* condition = json ? FindMember(*json, "condition") : nullptr;
  return condition == nullptr ? "" : StringMember(*condition, "expression");
}

}  // namespace bindery::manifests
