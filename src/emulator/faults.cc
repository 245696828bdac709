#include "emulator/faults.h"

#include <algorithm>

#include "core/nearest.h"
#include "core/time_text.h"
#include "emulator/credentials.h"
#include "emulator/datadog_api.h"
#include "emulator/google_api.h"

namespace bindery::emulator {
namespace {

using std::chrono::milliseconds;

constexpr int kDefaultStatus = 503;
constexpr milliseconds kDefaultRetry{10'000};

Expected<milliseconds> ReadDuration(const Json& value) {
  if (value.is_number_integer() && value.get<std::int64_t>() >= 0) {
    return milliseconds(value.get<std::int64_t>());
  }
  if (value.is_string()) return ParseDuration(value.get<std::string>());
  return Fail(Code::kInvalidArgument, "expected a duration such as 200ms");
}

Expected<std::uint64_t> ReadCount(const Json& value) {
  if (value.is_number_integer() && value.get<std::int64_t>() >= 0) {
    return value.get<std::uint64_t>();
  }
  return Fail(Code::kInvalidArgument, "expected a whole number, 0 or more");
}

Expected<void> ReadRateLimit(const Json& value, Fault& fault) {
  if (!value.is_object()) return Fail(Code::kInvalidArgument, "expected an object");
  RateLimit limit;
  for (auto it = value.begin(); it != value.end(); ++it) {
    if (it.key() == "limit") {
      const auto count = ReadCount(it.value());
      if (!count) return Fail(count.error());
      limit.limit = *count;
    } else if (it.key() == "period") {
      const auto period = ReadDuration(it.value());
      if (!period || *period < std::chrono::seconds(1)) {
        return Fail(Code::kInvalidArgument, "period: expected a duration of at least 1s");
      }
      limit.period = std::chrono::duration_cast<std::chrono::seconds>(*period);
    } else if (it.key() == "name" && it.value().is_string()) {
      limit.name = it.value().get<std::string>();
    } else {
      return Fail(Code::kInvalidArgument, "expected {limit, period, name}");
    }
  }
  fault.rate_limit = limit;
  return {};
}

Expected<void> ReadDuration(const Json& value, milliseconds& into) {
  const auto duration = ReadDuration(value);
  if (!duration) return Fail(duration.error());
  into = *duration;
  return {};
}

Expected<void> ReadDrop(const Json& value, Fault& fault) {
  if (value == "before") {
    fault.drop = Fault::Drop::kBefore;
  } else if (value == "after") {
    fault.drop = Fault::Drop::kAfter;
  } else {
    return Fail(Code::kInvalidArgument, "expected before or after");
  }
  return {};
}

Expected<void> ReadNumbers(const std::string& name, const Json& value, Fault& fault) {
  if (name == "times") {
    const auto count = ReadCount(value);
    if (!count) return Fail(count.error());
    fault.times = *count;
    return {};
  }
  if (name == "probability") {
    if (!value.is_number() || value.get<double>() < 0 || value.get<double>() > 1) {
      return Fail(Code::kInvalidArgument, "expected a number from 0 to 1");
    }
    fault.probability = value.get<double>();
    return {};
  }
  if (!value.is_number_integer() || value.get<std::int64_t>() < 400 ||
      value.get<std::int64_t>() > 599) {
    return Fail(Code::kInvalidArgument, "expected an HTTP status from 400 to 599");
  }
  fault.status = value.get<int>();
  return {};
}

const std::vector<std::string>& FieldNames() {
  static const std::vector<std::string> kNames = {
      "operation",  "target", "times",         "probability", "delay",    "status",
      "retryAfter", "drop",   "applyThenFail", "staleFor",    "rateLimit"};
  return kNames;
}

Expected<void> ReadField(const std::string& name, const Json& value, Fault& fault) {
  if (name == "operation" || name == "target") {
    if (!value.is_string()) return Fail(Code::kInvalidArgument, "expected a text");
    (name == "target" ? fault.target : fault.operation) = value.get<std::string>();
    return {};
  }
  if (name == "times" || name == "probability" || name == "status") {
    return ReadNumbers(name, value, fault);
  }
  if (name == "delay") return ReadDuration(value, fault.delay);
  if (name == "staleFor") return ReadDuration(value, fault.stale_for);
  if (name == "retryAfter") {
    fault.retry_after.emplace();
    return ReadDuration(value, *fault.retry_after);
  }
  if (name == "drop") return ReadDrop(value, fault);
  if (name == "rateLimit") return ReadRateLimit(value, fault);
  if (name == "applyThenFail") {
    if (!value.is_boolean()) return Fail(Code::kInvalidArgument, "expected true or false");
    fault.apply_then_fail = value.get<bool>();
    return {};
  }
  std::string message = "unknown field";
  if (const auto near = NearestSpelling(name, FieldNames())) {
    message += ", did you mean \"" + *near + "\"?";
  }
  return Fail(Code::kInvalidArgument, message);
}

Expected<Fault> ReadFault(const Json& value, const std::string& path) {
  if (!value.is_object()) return Fail(Code::kInvalidArgument, path + ": expected an object");
  Fault fault;
  for (auto it = value.begin(); it != value.end(); ++it) {
    if (it.value().is_null()) continue;
    if (auto read = ReadField(it.key(), it.value(), fault); !read) {
      return Fail(read.error().Wrap(path + "." + it.key()));
    }
  }
  if (fault.status == 0 && fault.apply_then_fail) fault.status = kDefaultStatus;
  if (fault.status == 0 && fault.retry_after) fault.status = 429;
  return fault;
}

Json FaultJson(const Fault& fault) {
  Json value = {{"operation", fault.operation}, {"target", fault.target}};
  if (fault.times) value["times"] = *fault.times;
  if (fault.probability < 1) value["probability"] = fault.probability;
  if (fault.delay.count() > 0) value["delay"] = FormatDuration(fault.delay);
  if (fault.status != 0) value["status"] = fault.status;
  if (fault.retry_after) value["retryAfter"] = FormatDuration(*fault.retry_after);
  if (fault.drop != Fault::Drop::kNo) {
    value["drop"] = fault.drop == Fault::Drop::kBefore ? "before" : "after";
  }
  if (fault.apply_then_fail) value["applyThenFail"] = true;
  if (fault.stale_for.count() > 0) value["staleFor"] = FormatDuration(fault.stale_for);
  if (fault.rate_limit) {
    value["rateLimit"] = Json{{"limit", fault.rate_limit->limit},
                              {"period", FormatDuration(fault.rate_limit->period)},
                              {"name", fault.rate_limit->name}};
  }
  return value;
}

std::int64_t WholeSeconds(milliseconds duration) {
  return std::chrono::ceil<std::chrono::seconds>(duration).count();
}

/// True when the effect is complete: the call's fate is decided.
bool Merge(Fault& fault, WallTime now, Effect& effect) {
  effect.delay += fault.delay;
  effect.stale_for = std::max(effect.stale_for, fault.stale_for);
  if (fault.rate_limit) {
    const RateVerdict verdict = Count(*fault.rate_limit, now);
    AddHeaders(*fault.rate_limit, verdict, effect.headers);
    if (verdict.exceeded) {
      effect.status = 429;
      effect.retry_after = verdict.reset;
      return true;
    }
  }
  if (fault.status == 0 && fault.drop == Fault::Drop::kNo) return false;
  effect.status = fault.status;
  effect.retry_after = fault.retry_after;
  effect.drop = fault.drop;
  effect.apply_then_fail = fault.apply_then_fail;
  return true;
}

httpd::Response GoogleFault(const Effect& effect, const httpd::Request& request) {
  GoogleError error = Injected(effect.status);
  if (effect.retry_after) {
    const auto millis = effect.retry_after->count();
    std::string text = std::to_string(millis / 1000);
    if (millis % 1000 != 0) {
      const std::string fraction = std::to_string(1000 + millis % 1000);
      text += "." + fraction.substr(1);
    }
    error.details.push_back(
        Json{{"@type", "type.googleapis.com/google.rpc.RetryInfo"}, {"retryDelay", text + "s"}});
  }
  return GoogleErrorResponse(error, request);
}

httpd::Response DatadogFault(const Effect& effect) {
  httpd::Response response = DatadogError(
      effect.status, effect.status == 403   ? "Forbidden"
                     : effect.status == 401 ? "Unauthorized"
                     : effect.status == 429 ? "Too many requests"
                                            : std::string(httpd::ReasonPhrase(effect.status)));
  if (effect.status != 429 || effect.headers.Find("X-RateLimit-Limit") != nullptr) return response;
  RateLimit limit;
  RateVerdict verdict;
  verdict.reset =
      std::chrono::ceil<std::chrono::seconds>(effect.retry_after.value_or(kDefaultRetry));
  limit.period = std::max(limit.period, verdict.reset);
  AddHeaders(limit, verdict, response.headers);
  return response;
}

}  // namespace

Expected<void> Faults::Set(const Json& list) {
  if (!list.is_array()) return Fail(Code::kInvalidArgument, "expected a list of faults");
  std::vector<Fault> faults;
  for (std::size_t i = 0; i < list.size(); ++i) {
    auto fault = ReadFault(list[i], "faults[" + std::to_string(i) + "]");
    if (!fault) return Fail(fault.error());
    faults.push_back(std::move(*fault));
  }
  const std::lock_guard lock(mutex_);
  faults_ = std::move(faults);
  random_.seed();
  return {};
}

Json Faults::ToJson() {
  const std::lock_guard lock(mutex_);
  Json list = Json::array();
  for (const Fault& fault : faults_) list.push_back(FaultJson(fault));
  return list;
}

Effect Faults::Match(const Call& call, WallTime now) {
  const std::lock_guard lock(mutex_);
  Effect effect;
  for (Fault& fault : faults_) {
    if (fault.times == std::uint64_t{0} || !MatchesGlob(fault.operation, call.operation) ||
        !MatchesGlob(fault.target, call.target)) {
      continue;
    }
    if (fault.probability < 1) {
      std::uniform_real_distribution<double> chance;
      if (chance(random_) >= fault.probability) continue;
    }
    if (fault.times) --*fault.times;
    if (Merge(fault, now, effect)) break;
  }
  return effect;
}

httpd::Response FaultResponse(const Effect& effect, const Call& call,
                              const httpd::Request& request) {
  httpd::Response response =
      call.service == Call::Service::kDatadog ? DatadogFault(effect) : GoogleFault(effect, request);
  if (effect.retry_after) {
    response.headers.Set("Retry-After", std::to_string(WholeSeconds(*effect.retry_after)));
  }
  return response;
}

}  // namespace bindery::emulator
