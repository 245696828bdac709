#include "report/codec/time_bounds.h"

#include <array>
#include <utility>
#include <vector>

#include "report/codec/json_codec.h"

namespace bindery::report {
namespace {

constexpr std::array<std::pair<cel::TimePhase, std::string_view>, 4> kPhases = {
    {{cel::TimePhase::kWithin, "active"},
     {cel::TimePhase::kBefore, "pending"},
     {cel::TimePhase::kAfter, "expired"},
     {cel::TimePhase::kNever, "never"}}};

Json BoundJson(const std::optional<cel::Timestamp>& time) {
  return time ? Json(cel::ToString(*time)) : Json();
}

std::optional<cel::Timestamp> TimeIn(const Json& value, const char* name) {
  const auto time = cel::ParseTimestamp(StringMember(value, name));
  return time ? std::optional(*time) : std::nullopt;
}

}  // namespace

std::string TimeBounds::UnknownWord(const Json& json) {
  const std::string state = StringMember(json, "state");
  std::vector<std::string_view> known;
  for (const auto& [phase, word] : kPhases) {
    if (word == state) return {};
    known.push_back(word);
  }
  return state.empty() ? std::string() : "state: " + NotAmong(state, known);
}

Json ToJson(const TimeBounds& bounds) {
  std::string_view state;
  for (const auto& [phase, word] : kPhases) {
    if (phase == bounds.phase) state = word;
  }
  return {{"state", state},
          {"startsAt", BoundJson(bounds.starts_at)},
          {"endsAt", BoundJson(bounds.ends_at)}};
}

bool ReadJson(const Json& json, TimeBounds& bounds) {
  const std::string state = StringMember(json, "state");
  for (const auto& [phase, word] : kPhases) {
    if (word != state) continue;
    bounds = {phase, TimeIn(json, "startsAt"), TimeIn(json, "endsAt")};
    return true;
  }
  return false;
}

}  // namespace bindery::report
