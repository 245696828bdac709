#include "emulator/credentials.h"

#include "core/text/time_text.h"

namespace bindery::emulator {

Credential CredentialFromJson(const Json& value) {
  Credential credential;
  credential.token = StringMember(value, "token");
  credential.api_key = StringMember(value, "apiKey");
  credential.app_key = StringMember(value, "appKey");
  credential.user = StringMember(value, "user");
  credential.principal = StringMember(value, "principal");
  credential.permissions = Permissions::FromJson(FindMember(value, "permissions"));
  if (const auto expires = ParseRfc3339(StringMember(value, "expires"))) {
    credential.expires = *expires;
  }
  return credential;
}

}  // namespace bindery::emulator
