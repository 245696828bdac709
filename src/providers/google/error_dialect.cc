#include "providers/google/error_dialect.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "cloud/retry_after.h"

namespace bindery {
namespace {

constexpr int kNotFoundHttp = 404;
constexpr int kPreconditionFailed = 412;

std::optional<Code> CodeFromStatus(const std::string& status) {
  // CANCELLED of ours means that we are shutting down; theirs is worth another try.
  if (status == "CANCELLED") return Code::kUnavailable;
  if (status == "OUT_OF_RANGE") return Code::kInvalidArgument;
  if (status == "UNKNOWN" || status == "DATA_LOSS") return Code::kInternal;
  return CodeFromString(status);
}

/// Some of the reasons, machine-readable, that stand beside the status. Older services (storage,
/// compute) give nothing else.
bool HasReason(const Json& error, std::span<const std::string_view> reasons) {
  for (const char* list_name : {"details", "errors"}) {
    const Json* list = FindMember(error, list_name);
    if (list == nullptr || !list->is_array()) continue;
    for (const Json& entry : *list) {
      if (std::ranges::find(reasons, std::string_view(StringMember(entry, "reason"))) !=
          reasons.end()) {
        return true;
      }
    }
  }
  return false;
}

bool GivesReasons(const Json& error) {
  const Json* list = FindMember(error, "errors");
  return list != nullptr && list->is_array() && !list->empty();
}

/// Some services answer 403 where they mean a rate limit.
bool SaysRateLimit(const Json& error) {
  constexpr std::array<std::string_view, 3> kReasons = {"RATE_LIMIT_EXCEEDED", "rateLimitExceeded",
                                                        "userRateLimitExceeded"};
  return HasReason(error, kReasons);
}

/// On 404, from services that give a reason instead of a status.
bool SaysNotFound(const Json& error) {
  constexpr std::array<std::string_view, 1> kReasons = {"notFound"};
  return HasReason(error, kReasons);
}

bool Says(const Json& error, std::string_view text) {
  return StringMember(error, "message").find(text) != std::string::npos;
}

/// A policy of the organization forbids a member, which no further try changes. Storage answers it
/// like a stale etag: only the text tells them apart.
bool IsForbiddenMember(const Json& error) {
  return Says(error, "permitted customer") || Says(error, "org policy") ||
         Says(error, "organization policy");
}

/// The policy was written by another one since it was read. Some services say so with a status of
/// their own (BigQuery: 500), some only by the HTTP status. `named`: by the error's `status`.
bool IsConflict(const Json& error, int status, std::optional<Code> named) {
  constexpr std::array<std::string_view, 1> kStale = {"conditionNotMet"};
  constexpr int kConflict = 409;
  if (IsForbiddenMember(error)) return false;
  if (named == Code::kAborted || Says(error, "concurrent policy changes")) return true;
  if (status != kConflict && status != kPreconditionFailed) return false;
  // Without a word of the service, the HTTP status is what it says.
  return HasReason(error, kStale) || (!named && !GivesReasons(error));
}

std::optional<ServiceError> Read(const Json& body, int status) {
  const Json* error = FindMember(body, "error");
  if (error == nullptr) return std::nullopt;
  if (error->is_string()) {  // {"error": "invalid_grant", "error_description": "…"}
    const std::string description = StringMember(body, "error_description");
    const std::string name = error->get<std::string>();
    return ServiceError{CodeOfForeignAnswer(status),
                        description.empty() ? name : name + ": " + description};
  }
  if (!error->is_object()) return std::nullopt;
  ServiceError said;
  const std::optional<Code> named = CodeFromStatus(StringMember(*error, "status"));
  said.code = named.value_or(CodeFromHttpStatus(status));
  // These services always name NOT_FOUND, or give the reason, on HTTP 404. An answer that does not
  // may come from a proxy that does not know the path.
  const bool sure =
      status == kNotFoundHttp && (named == Code::kNotFound || (!named && SaysNotFound(*error)));
  if (said.code == Code::kNotFound && !sure) return std::nullopt;
  if (IsConflict(*error, status, named)) {
    said.code = Code::kAborted;
  } else if (said.code == Code::kAborted) {
    said.code = Code::kFailedPrecondition;
  }
  if (said.code == Code::kPermissionDenied && SaysRateLimit(*error)) {
    said.code = Code::kResourceExhausted;
  }
  said.message = StringMember(*error, "message");
  return said;
}

/// RetryInfo among the details: {"@type": "…/google.rpc.RetryInfo", "retryDelay": "3.5s"}
std::optional<std::chrono::milliseconds> RequestedByBody(const Json& body) {
  const Json* error = FindMember(body, "error");
  const Json* details = error == nullptr ? nullptr : FindMember(*error, "details");
  if (details == nullptr || !details->is_array()) return std::nullopt;
  for (const Json& detail : *details) {
    const std::string delay = StringMember(detail, "retryDelay");
    if (delay.size() > 1 && delay.back() == 's') {
      return cloud_internal::ParseSeconds(std::string_view(delay).substr(0, delay.size() - 1));
    }
  }
  return std::nullopt;
}

}  // namespace

const ErrorDialect& GoogleErrors() {
  static constexpr ErrorDialect kDialect{Read, RequestedByBody};
  return kDialect;
}

}  // namespace bindery
