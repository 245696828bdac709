#pragma once

#include <memory>
#include <string>

#include "providers/google/credentials/field_reader.h"
#include "providers/google/credentials/token_source.h"

namespace bindery::google {

inline constexpr const char* kDefaultUniverse = "googleapis.com";

/// The result of parsing a credential file.
struct ParsedCredential {
  std::unique_ptr<TokenSource> source;  ///< Null when the reader has a fault.
  std::string kind;                     ///< For people: "service account key".
  std::string account;                  ///< An e-mail address; empty when the file names none.
  std::string project;
  bool holds_secret = true;  ///< Readers of the file can act as the account.
};

// One function for each `type` of a credential file. A fault is left in the reader.

/// `service_account`: a key signs an assertion, traded for a token (RFC 7523).
[[nodiscard]] ParsedCredential ParseServiceAccount(FieldReader& file, const TokenContext& context);

/// `authorized_user`: a refresh token of `gcloud auth application-default login`.
[[nodiscard]] ParsedCredential ParseAuthorizedUser(FieldReader& file, const TokenContext& context);

/// `external_account`: a token of another identity provider is traded for one of Google's
/// (workload identity federation; RFC 8693).
[[nodiscard]] ParsedCredential ParseExternalAccount(FieldReader& file, const TokenContext& context);

/// `impersonated_service_account`: a user or a service account acts as another service account.
[[nodiscard]] ParsedCredential ParseImpersonated(FieldReader& file, const TokenContext& context);

/// The `universe_domain` of a file: googleapis.com when it names none.
[[nodiscard]] std::string GetUniverse(FieldReader& file);

}  // namespace bindery::google
