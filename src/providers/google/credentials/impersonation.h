#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "providers/google/credentials/field_reader.h"
#include "providers/google/credentials/token_source.h"

namespace bindery::google {

/// A service account to act as: serviceAccounts.generateAccessToken of the IAM Credentials API.
struct Impersonation {
  std::string url;  ///< "https://…/serviceAccounts/EMAIL:generateAccessToken".
  std::chrono::seconds lifetime = kTokenLifetime;
  std::vector<std::string> delegates = {};
  std::string role;  ///< What the caller needs on the account: for advice.
  /// Sent along as X-Goog-User-Project, where the credential file names one.
  std::string quota_project = {};

  /// The e-mail address in the URL; empty for a URL of a different form.
  [[nodiscard]] std::string Account() const;
};

/// A token of the service account for the scopes of `context`, had with `caller`'s token.
[[nodiscard]] Expected<AccessToken> Impersonate(const TokenContext& context,
                                                const Impersonation& impersonation,
                                                const AccessToken& caller, MonoTime give_up_at);

}  // namespace bindery::google
