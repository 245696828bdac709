#include "controller/guard/guard_reason.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include "core/text/count.h"
#include "core/text/time_text.h"

namespace bindery::controller {
namespace {

using Limit = GuardReason::Limit;
using Scope = GuardReason::Scope;

constexpr std::array<std::pair<Limit, std::string_view>, 6> kLimits = {{
    {Limit::kNumber, "number"},
    {Limit::kGroup, "group"},
    {Limit::kFraction, "fraction"},
    {Limit::kSeverity, "severity"},
    {Limit::kQuestion, "question"},
    {Limit::kRecorded, "recorded"},
}};
constexpr std::array<std::pair<Scope, std::string_view>, 4> kScopes = {{
    {Scope::kAll, "all"},
    {Scope::kForeign, "foreign"},
    {Scope::kTarget, "target"},
    {Scope::kProvider, "provider"},
}};

template <typename Rows, typename Value>
std::string_view NameIn(const Rows& rows, Value value) {
  return std::ranges::find(rows, value, &Rows::value_type::first)->second;
}

template <typename Rows>
auto ValueIn(const Rows& rows, const std::string& name,
             typename Rows::value_type::first_type none) {
  const auto found = std::ranges::find(rows, name, &Rows::value_type::second);
  return found == rows.end() ? none : found->first;
}

std::int64_t NumberIn(const Json& json, const char* name) {
  const Json* value = FindMember(json, name);
  return value != nullptr && value->is_number_integer() ? value->get<std::int64_t>() : 0;
}

/// "7 grants would be removed", with earlier removals. After the statement all further removals
/// wait, so the number of removals that waited before is left out.
std::string CountInWords(const GuardReason& reason) {
  std::string text = Count(reason.count, "grant") + " would be removed";
  if (reason.before == 0) return text;
  return text + fmt::format(" within {} ({} already {})", FormatDuration(reason.window),
                            reason.before, reason.before == 1 ? "is" : "are");
}

/// The holder of the grants.
std::string HolderInWords(const GuardReason& reason) {
  if (reason.scope == Scope::kTarget) return "the directory on this target";
  if (reason.scope == Scope::kProvider) return "the directory on provider " + reason.name;
  return "the directory";
}

}  // namespace

bool CountsAll(const GuardReason& reason) {
  const bool counts = reason.limit == Limit::kNumber || reason.limit == Limit::kFraction;
  return counts && reason.scope == Scope::kAll;
}

void AddReason(std::vector<GuardReason>& reasons, const GuardReason& reason) {
  if (std::ranges::find(reasons, reason) == reasons.end()) reasons.push_back(reason);
}

void CountAnew(std::vector<GuardReason>& reasons, const GuardReason& now) {
  const auto is_counted = [](const GuardReason& reason) {
    return CountsAll(reason) || reason.limit == Limit::kRecorded;
  };
  const auto known = std::ranges::find_if(reasons, is_counted);
  if (known == reasons.end()) return;
  *known = now;
  reasons.erase(std::remove_if(std::next(known), reasons.end(), is_counted), reasons.end());
}

std::string InWords(const GuardReason& reason) {
  switch (reason.limit) {
    case Limit::kNumber:
      return fmt::format("{}, more than guard.maxRemovedGrants ({})", CountInWords(reason),
                         reason.most);
    case Limit::kGroup:
      return fmt::format("{}, more than {} ({})", CountInWords(reason), reason.name, reason.most);
    case Limit::kFraction:
      return fmt::format("{} of the {} {} held, more than {}guard.maxRemovedFraction ({})",
                         CountInWords(reason), reason.held, HolderInWords(reason),
                         reason.half ? "half of them and " : "", reason.fraction);
    case Limit::kSeverity:
      // Without numbers: what waits grows and shrinks, and the reason stays.
      return fmt::format("a loss of severity {} {}waits for approval, by guard.holdSeverity",
                         ToString(reason.severity),
                         reason.severity == Severity::kCritical ? "" : "or worse ");
    case Limit::kQuestion:
    case Limit::kRecorded:
      break;
  }
  return reason.name;
}

std::string InWords(const std::vector<GuardReason>& reasons) {
  std::string text;
  for (const GuardReason& reason : reasons) text += (text.empty() ? "" : "; ") + InWords(reason);
  return text;
}

Json ToJson(const GuardReason& reason) {
  return {{"limit", NameIn(kLimits, reason.limit)},
          {"scope", NameIn(kScopes, reason.scope)},
          {"count", reason.count},
          {"before", reason.before},
          {"window", reason.window.count()},
          {"most", reason.most},
          {"held", reason.held},
          {"fraction", reason.fraction},
          {"half", reason.half},
          {"severity", ToString(reason.severity)},
          {"name", reason.name}};
}

GuardReason GuardReasonIn(const Json& json) {
  GuardReason reason;
  reason.limit = ValueIn(kLimits, StringMember(json, "limit"), Limit::kRecorded);
  reason.scope = ValueIn(kScopes, StringMember(json, "scope"), Scope::kAll);
  reason.count = NumberIn(json, "count");
  reason.before = NumberIn(json, "before");
  reason.window = std::chrono::milliseconds(NumberIn(json, "window"));
  reason.most = NumberIn(json, "most");
  reason.held = NumberIn(json, "held");
  const Json* fraction = FindMember(json, "fraction");
  if (fraction != nullptr && fraction->is_number()) reason.fraction = fraction->get<double>();
  const Json* half = FindMember(json, "half");
  reason.half = half != nullptr && half->is_boolean() && half->get<bool>();
  reason.severity = SeverityFromString(StringMember(json, "severity"));
  reason.name = StringMember(json, "name");
  return reason;
}

}  // namespace bindery::controller
