#include "emulator/credentials.h"

#include <algorithm>

#include "core/time_text.h"

namespace bindery::emulator {

bool MatchesGlob(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool Credential::Allows(std::string_view permission) const {
  return !permissions ||
         std::any_of(permissions->begin(), permissions->end(),
                     [&](const std::string& glob) { return MatchesGlob(glob, permission); });
}

Credential CredentialFromJson(const Json& value) {
  Credential credential;
  credential.token = StringMember(value, "token");
  credential.api_key = StringMember(value, "apiKey");
  credential.app_key = StringMember(value, "appKey");
  credential.user = StringMember(value, "user");
  if (const Json* permissions = FindMember(value, "permissions")) {
    credential.permissions.emplace();
    for (const Json& permission : *permissions) {
      if (permission.is_string()) credential.permissions->push_back(permission.get<std::string>());
    }
  }
  if (const auto expires = ParseRfc3339(StringMember(value, "expires"))) {
    credential.expires = *expires;
  }
  return credential;
}

}  // namespace bindery::emulator
