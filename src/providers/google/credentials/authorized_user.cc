#include <utility>

#include "providers/google/credentials/flows.h"
#include "providers/google/credentials/token_endpoint.h"

namespace bindery::google {
namespace {

constexpr const char* kLogInAgain = "run `gcloud auth application-default login` again";

std::string Advice(const OAuthFailure& failure) {
  if (failure.subtype == "invalid_rapt" || failure.subtype == "rapt_required") {
    return std::string("the organization asks for a new sign-in: ") + kLogInAgain +
           ", or use a service account";
  }
  if (failure.error == "invalid_grant") {
    return std::string("the refresh token was revoked or has expired: ") + kLogInAgain;
  }
  return kLogInAgain;
}

struct User {
  std::string client_id;
  std::string client_secret;
  std::string refresh_token;
  std::string token_uri;
};

class AuthorizedUserSource final : public TokenSource {
 public:
  AuthorizedUserSource(User user, TokenContext context)
      : user_(std::move(user)), context_(std::move(context)) {}

  Expected<AccessToken> Fetch(MonoTime give_up_at) override {
    TokenRequest request;
    request.http = FormPost(user_.token_uri, {{"grant_type", "refresh_token"},
                                              {"client_id", user_.client_id},
                                              {"client_secret", user_.client_secret},
                                              {"refresh_token", user_.refresh_token}});
    request.url_field = "token_uri";
    request.secrets = {user_.client_secret, user_.refresh_token};
    request.advice = &Advice;
    Json answer;
    auto token = FetchOAuthToken(context_, request, give_up_at, &answer);
    // A server that rotates refresh tokens refuses the old token.
    std::string next = StringMember(answer, "refresh_token");
    if (token && !next.empty()) user_.refresh_token = std::move(next);
    return token;
  }

 private:
  User user_;
  const TokenContext context_;
};

}  // namespace

ParsedCredential ParseAuthorizedUser(FieldReader& file, const TokenContext& context) {
  ParsedCredential parsed;
  parsed.kind = "user credentials";
  parsed.account = file.OptionalText("account");
  User user;
  user.client_id = file.Text("client_id");
  user.client_secret = file.Text("client_secret");
  user.refresh_token = file.Text("refresh_token");
  user.token_uri = file.OptionalUrl("token_uri");
  const std::string universe = GetUniverse(file);
  if (user.token_uri.empty()) user.token_uri = "https://oauth2." + universe + "/token";
  if (file.fault()) return parsed;
  parsed.source = std::make_unique<AuthorizedUserSource>(std::move(user), context);
  return parsed;
}

}  // namespace bindery::google
