#include "emulator/faults.h"

#include <algorithm>

#include "core/text/nearest.h"
#include "core/text/time_text.h"
#include "emulator/datadog/api.h"
#include "emulator/google/api/api.h"
#include "emulator/google/api/metadata_api.h"
#include "emulator/google/api/token_api.h"
#include "emulator/permissions.h"

namespace bindery::emulator {
namespace {

using std::chrono::milliseconds;

constexpr int kDefaultStatus = 503;
constexpr int kLeastStatus = 400;
constexpr milliseconds kDefaultRetry{10'000};

Expected<std::uint64_t> ReadCount(const Json& value) {
  if (value.is_number_integer() && value.get<std::int64_t>() >= 0) {
    return value.get<std::uint64_t>();
  }
  return Fail(Code::kInvalidArgument, "expected a whole number, 0 or more");
}

Expected<void> ReadRateLimit(const Json& value, Fault& fault) {
  auto limit = RateLimitFromJson(value);
  if (!limit) return Fail(limit.error());
  fault.rate_limit = std::move(*limit);
  return {};
}

/// A possibly negative duration: "-10m".
Expected<void> ReadSkew(const Json& value, milliseconds& into) {
  const std::string text = value.is_string() ? value.get<std::string>() : std::string();
  const bool negative = !text.empty() && text.front() == '-';
  const auto duration = negative ? DurationFromJson(Json(text.substr(1))) : DurationFromJson(value);
  if (!duration) return Fail(duration.error());
  into = negative ? -*duration : *duration;
  return {};
}

Expected<void> ReadText(const Json& value, std::string& into) {
  if (!value.is_string()) return Fail(Code::kInvalidArgument, "expected a text");
  into = value.get<std::string>();
  return {};
}

Expected<void> ReadDuration(const Json& value, milliseconds& into) {
  const auto duration = DurationFromJson(value);
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
  if (!value.is_number_integer() || value.get<std::int64_t>() < kLeastStatus ||
      value.get<std::int64_t>() > 599) {
    return Fail(Code::kInvalidArgument, "expected an HTTP status from 400 to 599");
  }
  fault.status = value.get<int>();
  return {};
}

const std::vector<std::string>& FieldNames() {
  static const std::vector<std::string> kNames = {
      "operation", "target",     "times",  "probability",   "delay",
      "status",    "retryAfter", "drop",   "applyThenFail", "staleFor",
      "rateLimit", "dateSkew",   "answer", "etag",          "dropConditions"};
  return kNames;
}

Expected<void> ReadFlag(const Json& value, bool& flag) {
  if (!value.is_boolean()) return Fail(Code::kInvalidArgument, "expected true or false");
  flag = value.get<bool>();
  return {};
}

Expected<void> ReadField(const std::string& name, const Json& value, Fault& fault) {
  if (name == "operation") return ReadText(value, fault.operation);
  if (name == "target") return ReadText(value, fault.target);
  if (name == "etag") return ReadText(value, fault.etag.emplace());
  if (name == "times" || name == "probability" || name == "status") {
    return ReadNumbers(name, value, fault);
  }
  if (name == "delay") return ReadDuration(value, fault.delay);
  if (name == "staleFor") return ReadDuration(value, fault.stale_for);
  if (name == "dateSkew") return ReadSkew(value, fault.date_skew);
  if (name == "retryAfter") {
    fault.retry_after.emplace();
    return ReadDuration(value, *fault.retry_after);
  }
  if (name == "answer") {
    fault.answer = value.is_string() ? value.get<std::string>() : value.dump();
    return {};
  }
  if (name == "drop") return ReadDrop(value, fault);
  if (name == "rateLimit") return ReadRateLimit(value, fault);
  if (name == "applyThenFail") return ReadFlag(value, fault.apply_then_fail);
  if (name == "dropConditions") return ReadFlag(value, fault.drop_conditions);
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
  if (fault.status == 0 && fault.answer) fault.status = 200;
  if (fault.status == 0 && fault.apply_then_fail) fault.status = kDefaultStatus;
  if (fault.status == 0 && fault.retry_after) fault.status = 429;
  return fault;
}

Json FaultJson(const Fault& fault) {
  Json value = {{"operation", fault.operation}, {"target", fault.target}};
  if (fault.times) value["times"] = *fault.times;
  if (fault.probability < 1) value["probability"] = fault.probability;
  if (fault.delay.count() > 0) value["delay"] = FormatDuration(fault.delay);
  if (fault.status >= kLeastStatus) value["status"] = fault.status;
  if (fault.answer) value["answer"] = *fault.answer;
  if (fault.retry_after) value["retryAfter"] = FormatDuration(*fault.retry_after);
  if (fault.drop != Fault::Drop::kNo) {
    value["drop"] = fault.drop == Fault::Drop::kBefore ? "before" : "after";
  }
  if (fault.apply_then_fail) value["applyThenFail"] = true;
  if (fault.stale_for.count() > 0) value["staleFor"] = FormatDuration(fault.stale_for);
  if (fault.etag) value["etag"] = *fault.etag;
  if (fault.drop_conditions) value["dropConditions"] = true;
  if (fault.rate_limit) value["rateLimit"] = ToJson(*fault.rate_limit);
  if (fault.date_skew.count() != 0) {
    const bool ahead = fault.date_skew.count() > 0;
    value["dateSkew"] =
        (ahead ? "" : "-") + FormatDuration(ahead ? fault.date_skew : -fault.date_skew);
  }
  return value;
}

std::int64_t WholeSeconds(milliseconds duration) {
  return std::chrono::ceil<std::chrono::seconds>(duration).count();
}

/// True when the effect is complete: the call's fate is decided.
bool Merge(Fault& fault, const CallerName& caller, WallTime now, Effect& effect) {
  effect.delay += fault.delay;
  effect.date_skew += fault.date_skew;
  effect.stale_for = std::max(effect.stale_for, fault.stale_for);
  if (fault.etag) effect.etag = fault.etag;
  effect.drop_conditions = effect.drop_conditions || fault.drop_conditions;
  if (fault.rate_limit) {
    const RateVerdict verdict = Count(*fault.rate_limit, caller, now);
    httpd::Headers headers;
    AddHeaders(*fault.rate_limit, verdict, headers);
    TakeLimit(verdict, headers, effect);
    if (verdict.exceeded) return true;
  }
  if (fault.status == 0 && fault.drop == Fault::Drop::kNo) return false;
  effect.status = fault.status;
  effect.retry_after = fault.retry_after;
  effect.answer = fault.answer;
  effect.drop = fault.drop;
  effect.apply_then_fail = fault.apply_then_fail;
  return true;
}

httpd::Response GoogleFault(const Effect& effect, const Call& call, const httpd::Request& request) {
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
  return GoogleErrorResponse(error, call.api, request);
}

/// A failure in the words of a token endpoint.
httpd::Response OauthFault(int status) {
  const char* error = status == 503   ? "temporarily_unavailable"
                      : status == 429 ? "rate_limit_exceeded"
                      : status >= 500 ? "internal_failure"
                      : status == 401 ? "invalid_client"
                      : status == 403 ? "access_denied"
                                      : "invalid_grant";
  return OauthError(status, error, std::string(httpd::ReasonPhrase(status)));
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

void TakeLimit(const RateVerdict& verdict, const httpd::Headers& headers, Effect& effect) {
  for (const auto& [name, value] : headers.fields()) effect.headers.Set(name, value);
  if (!verdict.exceeded) return;
  effect.status = 429;
  effect.retry_after = verdict.reset;
}

Expected<void> Faults::Set(const Json& list) {
  if (!list.is_array()) return Fail(Code::kInvalidArgument, "expected a list of faults");
  std::vector<Fault> faults;
  for (std::size_t i = 0; i < list.size(); ++i) {
    auto fault = ReadFault(list[i], "faults[" + std::to_string(i) + "]");
    if (!fault) return Fail(fault.error());
    faults.push_back(std::move(*fault));
  }
  const MutexLock lock(mutex_);
  faults_ = std::move(faults);
  random_.seed();
  return {};
}

Json Faults::ToJson() {
  const MutexLock lock(mutex_);
  Json list = Json::array();
  for (const Fault& fault : faults_) list.push_back(FaultJson(fault));
  return list;
}

Effect Faults::Match(const Call& call, const CallerName& caller, WallTime now) {
  const MutexLock lock(mutex_);
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
    if (Merge(fault, caller, now, effect)) break;
  }
  return effect;
}

httpd::Response FaultResponse(const Effect& effect, const Call& call,
                              const httpd::Request& request) {
  httpd::Response response;
  if (effect.answer) {
    response.status = effect.status;
    response.headers.Set("Content-Type", "application/json");
    response.body = *effect.answer;
  } else if (call.service == Call::Service::kDatadog) {
    response = DatadogFault(effect);
  } else if (call.service == Call::Service::kOauth) {
    response = OauthFault(effect.status);
  } else if (call.service == Call::Service::kMetadata) {
    response = MetadataText(effect.status, std::string(httpd::ReasonPhrase(effect.status)));
  } else {
    response = GoogleFault(effect, call, request);
  }
  if (effect.retry_after) {
    response.headers.Set("Retry-After", std::to_string(WholeSeconds(*effect.retry_after)));
  }
  return response;
}

}  // namespace bindery::emulator
