#include "core/base/error.h"

#include <array>
#include <utility>

namespace bindery {
namespace {

constexpr std::array<std::pair<Code, std::string_view>, 13> kNames = {{
    {Code::kInvalidArgument, "INVALID_ARGUMENT"},
    {Code::kNotFound, "NOT_FOUND"},
    {Code::kPermissionDenied, "PERMISSION_DENIED"},
    {Code::kAborted, "ABORTED"},
    {Code::kAlreadyExists, "ALREADY_EXISTS"},
    {Code::kFailedPrecondition, "FAILED_PRECONDITION"},
    {Code::kResourceExhausted, "RESOURCE_EXHAUSTED"},
    {Code::kUnavailable, "UNAVAILABLE"},
    {Code::kUnauthenticated, "UNAUTHENTICATED"},
    {Code::kDeadlineExceeded, "DEADLINE_EXCEEDED"},
    {Code::kCancelled, "CANCELLED"},
    {Code::kUnimplemented, "UNIMPLEMENTED"},
    {Code::kInternal, "INTERNAL"},
}};

}  // namespace

std::string_view ToString(Code code) {
  for (const auto& [value, name] : kNames) {
    if (value == code) return name;
  }
  return "INTERNAL";
}

std::optional<Code> CodeFromString(std::string_view text) {
  for (const auto& [value, name] : kNames) {
    if (name == text) return value;
  }
  return std::nullopt;
}

bool IsTerminal(Code code) {
  switch (code) {
    case Code::kInvalidArgument:
    case Code::kNotFound:
    case Code::kPermissionDenied:
    case Code::kAlreadyExists:
    case Code::kFailedPrecondition:
    case Code::kUnimplemented:
      return true;
    case Code::kAborted:
    case Code::kResourceExhausted:
    case Code::kUnavailable:
    case Code::kUnauthenticated:
    case Code::kDeadlineExceeded:
    case Code::kCancelled:
    case Code::kInternal:
      return false;
  }
  return false;
}

std::string_view GetRemedy(Code code) {
  switch (code) {
    case Code::kInvalidArgument:
      return "correct what the service names, such as a principal that does not exist, or a "
             "condition or a role that is not accepted";
    case Code::kNotFound:
      return "create the target, or correct its name";
    case Code::kPermissionDenied:
      return "grant the caller the permission; bindery check shows what is missing";
    case Code::kUnauthenticated:
      return "correct the credentials; bindery check tries them";
    case Code::kFailedPrecondition:
    case Code::kAlreadyExists:
    case Code::kUnimplemented:
    case Code::kAborted:
    case Code::kResourceExhausted:
    case Code::kUnavailable:
    case Code::kDeadlineExceeded:
    case Code::kCancelled:
    case Code::kInternal:
      break;
  }
  return "";
}

Error Error::Wrap(std::string_view context) const {
  Error wrapped = *this;
  wrapped.message = std::string(context) + ": " + message;
  return wrapped;
}

std::string ToString(const Error& error) {
  std::string text(ToString(error.code));
  text += ": ";
  text += error.message;
  if (error.http_status != 0) text += " (HTTP " + std::to_string(error.http_status) + ")";
  return text;
}

}  // namespace bindery
