#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace bindery {

/// The canonical codes of google.rpc.Code that bindery meets. Every failure, of a cloud, a
/// manifest, a file or the store, carries a code; only the code decides about a retry.
enum class Code {
  kInvalidArgument,
  kNotFound,
  kPermissionDenied,
  kAborted,  ///< The etag moved: read again, compare again, write again.
  kAlreadyExists,
  kFailedPrecondition,
  kResourceExhausted,  ///< A quota: Error::retry_after says how long, when the service said so.
  kUnavailable,
  kUnauthenticated,
  kDeadlineExceeded,
  kCancelled,  ///< We are shutting down.
  kUnimplemented,
  kInternal,
};

/// `INVALID_ARGUMENT` and so on: the spelling used in messages, events, metrics and JSON.
[[nodiscard]] std::string_view ToString(Code code);

/// The code with the canonical spelling; nothing if none exists.
[[nodiscard]] std::optional<Code> CodeFromString(std::string_view text);

/// True for failures that a retry cannot fix: only a changed manifest or a changed target
/// can.
[[nodiscard]] bool IsTerminal(Code code);

/// The remedy for a failure with the code of a cloud; empty for temporary failures.
[[nodiscard]] std::string_view GetRemedy(Code code);

/// A failure as a value: the event, in one line that a person can act on, without secrets.
struct Error {
  Code code = Code::kInternal;
  std::string message;
  int http_status = 0;                                        ///< 0 when no answer was received.
  std::optional<std::chrono::milliseconds> retry_after = {};  ///< What the service asked for.
  /// The request may have taken effect although no answer says so (a lost connection, a 5xx). Only
  /// in this case a write must be looked up before a retry.
  bool outcome_unknown = false;
  bool unexpected = false;  ///< An exception of our own code: a defect.

  /// The same error with "context: " before its message.
  [[nodiscard]] Error Wrap(std::string_view context) const;
};

/// "NOT_FOUND: message", with the HTTP status in brackets when there was one.
[[nodiscard]] std::string ToString(const Error& error);

}  // namespace bindery
