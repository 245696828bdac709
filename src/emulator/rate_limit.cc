#include "emulator/rate_limit.h"

#include "core/text/time_text.h"
#include "emulator/permissions.h"

namespace bindery::emulator {
namespace {

using std::chrono::milliseconds;

constexpr const char* kMembers = "expected {limit, period, name, perCaller}";

Expected<void> ReadMember(const std::string& name, const Json& value, RateLimit& limit) {
  if (name == "limit") {
    if (!value.is_number_integer() || value.get<std::int64_t>() < 0) {
      return Fail(Code::kInvalidArgument, "limit: expected a whole number, 0 or more");
    }
    limit.limit = value.get<std::uint64_t>();
    return {};
  }
  if (name == "period") {
    const auto period = DurationFromJson(value);
    if (!period || *period < std::chrono::seconds(1)) {
      return Fail(Code::kInvalidArgument, "period: expected a duration of at least 1s");
    }
    limit.period = std::chrono::duration_cast<std::chrono::seconds>(*period);
    return {};
  }
  if (name == "name" && value.is_string()) {
    limit.name = value.get<std::string>();
    return {};
  }
  if (name == "perCaller" && value.is_boolean()) {
    limit.per_caller = value.get<bool>();
    return {};
  }
  return Fail(Code::kInvalidArgument, kMembers);
}

}  // namespace

RateVerdict Count(RateLimit& limit, const CallerName& caller, WallTime now) {
  RateLimit::Usage& usage = limit.usage[limit.per_caller ? caller() : std::string()];
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch());
  const std::int64_t window = seconds / limit.period;
  if (window != usage.window) usage = {window, 0};
  RateVerdict verdict;
  verdict.exceeded = usage.used >= limit.limit;
  if (!verdict.exceeded) ++usage.used;
  verdict.remaining = limit.limit - usage.used;
  verdict.reset = limit.period - seconds % limit.period;
  return verdict;
}

void AddHeaders(const RateLimit& limit, const RateVerdict& verdict, httpd::Headers& headers) {
  headers.Set("X-RateLimit-Limit", std::to_string(limit.limit));
  headers.Set("X-RateLimit-Period", std::to_string(limit.period.count()));
  headers.Set("X-RateLimit-Remaining", std::to_string(verdict.remaining));
  headers.Set("X-RateLimit-Reset", std::to_string(verdict.reset.count()));
  headers.Set("X-RateLimit-Name", limit.name);
}

Expected<milliseconds> DurationFromJson(const Json& value) {
  if (value.is_number_integer() && value.get<std::int64_t>() >= 0) {
    return milliseconds(value.get<std::int64_t>());
  }
  if (value.is_string()) return ParseDuration(value.get<std::string>());
  return Fail(Code::kInvalidArgument, "expected a duration such as 200ms");
}

Expected<RateLimit> RateLimitFromJson(const Json& value) {
  if (!value.is_object()) return Fail(Code::kInvalidArgument, "expected an object");
  RateLimit limit;
  for (auto it = value.begin(); it != value.end(); ++it) {
    if (auto read = ReadMember(it.key(), it.value(), limit); !read) return Fail(read.error());
  }
  return limit;
}

Json ToJson(const RateLimit& limit) {
  Json value = {
      {"limit", limit.limit}, {"period", FormatDuration(limit.period)}, {"name", limit.name}};
  if (limit.per_caller) value["perCaller"] = true;
  return value;
}

Expected<StandingLimit> StandingLimitFromJson(const Json& value) {
  if (!value.is_object()) return Fail(Code::kInvalidArgument, "expected an object");
  StandingLimit standing;
  Json rest = Json::object();
  for (auto it = value.begin(); it != value.end(); ++it) {
    const bool glob = it.key() == "operation" || it.key() == "caller";
    if (!glob) {
      rest[it.key()] = it.value();
    } else if (!it.value().is_string()) {
      return Fail(Code::kInvalidArgument, it.key() + ": expected a text");
    } else {
      (it.key() == "caller" ? standing.caller : standing.operation) = it.value().get<std::string>();
    }
  }
  auto limit = RateLimitFromJson(rest);
  if (!limit) return Fail(limit.error());
  standing.limit = std::move(*limit);
  return standing;
}

void StandingLimits::Set(std::vector<StandingLimit> limits) {
  const MutexLock lock(mutex_);
  limits_ = std::move(limits);
}

std::optional<StandingLimits::Reading> StandingLimits::Count(const std::string& operation,
                                                             const CallerName& caller,
                                                             WallTime now) {
  const MutexLock lock(mutex_);
  for (StandingLimit& standing : limits_) {
    if (!MatchesGlob(standing.operation, operation)) continue;
    if (standing.caller != "*" && !MatchesGlob(standing.caller, caller())) continue;
    Reading reading;
    reading.verdict = emulator::Count(standing.limit, caller, now);
    AddHeaders(standing.limit, reading.verdict, reading.headers);
    return reading;
  }
  return std::nullopt;
}

}  // namespace bindery::emulator
