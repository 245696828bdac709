#pragma once

#include <map>
#include <string>

#include "unit/providers/credential_fixture.h"

namespace bindery::testing {

/// Credential files of type external_account.
class ExternalAccountTest : public CredentialTest {
 protected:
  static constexpr const char* kAudience =
      "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q";
  static constexpr const char* kGenerate =
      "/v1/projects/-/serviceAccounts/robot@p-1.iam.gserviceaccount.com:generateAccessToken";

  [[nodiscard]] Json External(const Json& source) const {
    return {{"type", "external_account"},
            {"audience", kAudience},
            {"subject_token_type", "urn:ietf:params:oauth:token-type:jwt"},
            {"token_url", server_.Url("/sts")},
            {"credential_source", source}};
  }
  [[nodiscard]] Json FromFile() const { return External({{"file", dir_ / "subject"}}); }
  [[nodiscard]] Json Impersonating() const {
    Json content = FromFile();
    content["service_account_impersonation_url"] = server_.Url(kGenerate);
    return content;
  }

  static std::map<std::string, std::string> ExchangeFields(const std::string& scope) {
    return {{"grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"},
            {"audience", kAudience},
            {"scope", scope},
            {"requested_token_type", "urn:ietf:params:oauth:token-type:access_token"},
            {"subject_token", "subject-1"},
            {"subject_token_type", "urn:ietf:params:oauth:token-type:jwt"}};
  }
};

}  // namespace bindery::testing
