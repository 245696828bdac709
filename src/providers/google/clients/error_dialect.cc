#include "providers/google/clients/error_dialect.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cloud/retry_after.h"

namespace bindery::google {
namespace {

constexpr int kNotFoundHttp = 404;
constexpr int kPreconditionFailed = 412;

std::optional<Code> CodeFromStatus(const std::string& status) {
  // Our own CANCELLED means a shutdown; the service's is worth a retry.
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

bool Says(const Json& error, std::string_view text) {
  return StringMember(error, "message").find(text) != std::string::npos;
}

/// A limit that ends in a minute or so. Services use 403 and 400 for it as well.
bool SaysRateLimit(const Json& error) {
  constexpr std::array<std::string_view, 5> kReasons = {
      "RATE_LIMIT_EXCEEDED", "rateLimitExceeded", "userRateLimitExceeded", "jobRateLimitExceeded",
      "CONCURRENT_OPERATIONS_QUOTA_EXCEEDED"};
  // BigQuery begins the sentence with these words, or not.
  if (HasReason(error, kReasons) || Says(error, "xceeded rate limits")) return true;
  // A quota of resources or of a day is named the same way: only a short period passes.
  constexpr std::array<std::string_view, 1> kQuota = {"quotaExceeded"};
  const bool quota = HasReason(error, kQuota) || Says(error, "Quota exceeded for quota metric");
  return quota && (Says(error, "per minute") || Says(error, "per 100 seconds"));
}

/// What a new account or a new project is answered with for some minutes: the services do not all
/// know it yet. Only the text tells.
bool MayPass(const Json& error) {
  const bool unknown_account = Says(error, "ervice account") && Says(error, "does not exist");
  return unknown_account || Says(error, "retry this operation");
}

/// "SOLO_MUST_INVITE_OWNERS user:eve@example.com (roles/owner)": one owner a project does not take.
std::string RefusedOwner(const Json& detail) {
  const std::string role = StringMember(detail, "role");
  return StringMember(detail, "type") + " " + StringMember(detail, "member") +
         (role.empty() ? "" : " (" + role + ")");
}

/// "constraints/iam.allowedPolicyMemberDomains user:eve@example.com": the constraint and the
/// violating member.
std::string Violation(const Json& violation) {
  constexpr std::string_view kValue = "configvalue=";
  std::string subject = StringMember(violation, "subject");
  if (const auto at = subject.find(kValue); at != std::string::npos) {
    subject = subject.substr(at + kValue.size());
  }
  return StringMember(violation, "type") + " " + subject;
}

/// The members and constraints of a refusal: the message lacks both.
std::vector<std::string> ListParticulars(const Json& error) {
  std::vector<std::string> particulars;
  const Json* details = FindMember(error, "details");
  if (details == nullptr || !details->is_array()) return particulars;
  for (const Json& detail : *details) {
    const std::string type = StringMember(detail, "@type");
    if (type.ends_with(".ProjectIamPolicyError")) particulars.push_back(RefusedOwner(detail));
    if (!type.ends_with("/google.rpc.PreconditionFailure")) continue;
    const Json* violations = FindMember(detail, "violations");
    if (violations == nullptr || !violations->is_array()) continue;
    for (const Json& violation : *violations) particulars.push_back(Violation(violation));
  }
  return particulars;
}

std::string ComposeMessage(const Json& error) {
  constexpr std::size_t kMost = 5;
  std::string message = StringMember(error, "message");
  const std::vector<std::string> particulars = ListParticulars(error);
  for (std::size_t i = 0; i < std::min(kMost, particulars.size()); ++i) {
    message += (i == 0 ? " [" : "; ") + particulars[i];
  }
  if (particulars.size() > kMost) {
    message += "; " + std::to_string(particulars.size() - kMost) + " more";
  }
  return particulars.empty() ? message : message + "]";
}

/// On 404, from services that give a reason instead of a status.
bool SaysNotFound(const Json& error) {
  constexpr std::array<std::string_view, 1> kReasons = {"notFound"};
  return HasReason(error, kReasons);
}

/// A policy of the organization forbids a member, which no further try changes. Storage answers it
/// like a stale etag: only the text tells them apart.
bool IsForbiddenMember(const Json& error) {
  return Says(error, "permitted customer") || Says(error, "org policy") ||
         Says(error, "organization policy");
}

/// The policy was written by a different one since it was read. Some services say so with a status
/// of their own (BigQuery: 500), some only by the HTTP status. `named`: by the error's `status`.
bool IsConflict(const Json& error, int status, std::optional<Code> named) {
  constexpr std::array<std::string_view, 1> kStale = {"conditionNotMet"};
  constexpr int kConflict = 409;
  if (IsForbiddenMember(error)) return false;
  if (named == Code::kAborted || Says(error, "concurrent policy changes")) return true;
  if (status != kConflict && status != kPreconditionFailed) return false;
  if (HasReason(error, kStale)) return true;
  // Storage answers 412 for policies of the organization too: reading again would never end that.
  return status == kConflict && !named && !GivesReasons(error);
}

std::optional<cloud::ServiceError> ReadGoogleError(const Json& body, int status) {
  const Json* error = FindMember(body, "error");
  if (error == nullptr) return std::nullopt;
  if (error->is_string()) {  // {"error": "invalid_grant", "error_description": "…"}
    const std::string description = StringMember(body, "error_description");
    const std::string name = error->get<std::string>();
    return cloud::ServiceError{cloud::CodeOfForeignAnswer(status),
                               description.empty() ? name : name + ": " + description};
  }
  if (!error->is_object()) return std::nullopt;
  cloud::ServiceError said;
  const std::optional<Code> named = CodeFromStatus(StringMember(*error, "status"));
  said.code = named.value_or(cloud::CodeFromHttpStatus(status));
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
  const bool refused = said.code == Code::kPermissionDenied ||
                       said.code == Code::kInvalidArgument ||
                       said.code == Code::kFailedPrecondition;
  if (refused && SaysRateLimit(*error)) said.code = Code::kResourceExhausted;
  said.message = ComposeMessage(*error);
  return said;
}

/// For temporary refusals: no documentation gives the time.
constexpr std::chrono::seconds kWaitForNewcomers(15);

/// RetryInfo among the details: {"@type": "…/google.rpc.RetryInfo", "retryDelay": "3.5s"}
std::optional<std::chrono::milliseconds> RequestedByBody(const Json& body) {
  const Json* error = FindMember(body, "error");
  const Json* details = error == nullptr ? nullptr : FindMember(*error, "details");
  if (details != nullptr && details->is_array()) {
    for (const Json& detail : *details) {
      const std::string delay = StringMember(detail, "retryDelay");
      if (delay.size() > 1 && delay.back() == 's') {
        return cloud::ParseSeconds(std::string_view(delay).substr(0, delay.size() - 1));
      }
    }
  }
  if (error == nullptr || !MayPass(*error)) return std::nullopt;
  return kWaitForNewcomers;
}

}  // namespace

const cloud::ErrorDialect& GoogleErrors() {
  static constexpr cloud::ErrorDialect kDialect{ReadGoogleError, RequestedByBody};
  return kDialect;
}

}  // namespace bindery::google
