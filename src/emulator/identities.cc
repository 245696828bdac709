#include "emulator/identities.h"

#include <algorithm>

namespace bindery::emulator {
namespace {

bool IsGoodAudience(const std::string& audience, const Endpoint& endpoint) {
  std::string_view host = audience;
  for (const std::string_view scheme : {"https://", "http://"}) {
    if (host.substr(0, scheme.size()) == scheme) host.remove_prefix(scheme.size());
  }
  if (!host.empty() && host.back() == '/') host.remove_suffix(1);
  return !host.empty() && host.size() != audience.size() &&
         (host == endpoint.api + ".googleapis.com" || host == endpoint.host);
}

}  // namespace

bool Identities::Keeps(std::string_view section) {
  return section == section::kCredentials || section == section::kServiceAccounts ||
         section == section::kRefreshTokens || section == section::kIdentityPools ||
         section == section::kMetadata;
}

void Identities::Add(const Entry& entry) {
  const MutexLock lock(mutex_);
  if (entry.section == section::kCredentials) {
    credentials_.push_back(CredentialFromJson(entry.value));
  } else if (entry.section == section::kServiceAccounts) {
    accounts_.push_back(ServiceAccountFromJson(entry.value));
  } else if (entry.section == section::kRefreshTokens) {
    refresh_tokens_.push_back(RefreshTokenFromJson(entry.value));
  } else if (entry.section == section::kIdentityPools) {
    pools_.push_back(IdentityPoolFromJson(entry.value));
  } else if (entry.section == section::kMetadata) {
    metadata_ = MetadataFromJson(entry.value);
  }
}

void Identities::Clear() {
  issued_.RevokeAll();
  const MutexLock lock(mutex_);
  credentials_.clear();
  accounts_.clear();
  refresh_tokens_.clear();
  pools_.clear();
  metadata_.reset();
}

void Identities::SetTokenLifetime(std::chrono::seconds lifetime) {
  const MutexLock lock(mutex_);
  token_lifetime_ = lifetime;
}

Access Identities::Judge(const Credential* found) const {
  Access access;
  access.kind = Access::Kind::kInvalid;
  if (found == nullptr || (found->expires && *found->expires <= clock_.Wall())) return access;
  access.kind = Access::Kind::kKnown;
  access.credential = *found;
  return access;
}

Access Identities::JudgeJwt(const Jwt& jwt, const Endpoint& endpoint) const {
  Access access;
  access.kind = Access::Kind::kBadJwt;
  const ServiceAccount* account = Account(jwt.Text("iss"));
  if (account == nullptr || !account->Signed(jwt)) return access;
  if (const std::string subject = jwt.Text("sub"); !subject.empty() && subject != account->email) {
    return access;
  }
  const std::vector<std::string> scopes = SplitScopes(jwt.Text("scope"));
  if (scopes.empty() && !IsGoodAudience(jwt.Text("aud"), endpoint)) return access;
  if (!IsTimely(jwt, clock_.Wall())) {
    access.kind = Access::Kind::kInvalid;
    return access;
  }
  access.kind = Access::Kind::kKnown;
  access.credential.principal = "serviceAccount:" + account->email;
  access.credential.permissions = account->permissions;
  access.credential.scopes = scopes;
  return access;
}

const Credential* Identities::FindSeeded(const std::string& token, bool* any) const {
  const Credential* match = nullptr;
  for (const Credential& credential : credentials_) {
    if (credential.token.empty()) continue;
    *any = true;
    if (credential.token == token) match = &credential;
  }
  return match;
}

Access Identities::FindGoogleToken(const std::string& token, const Endpoint& endpoint) {
  const auto issued = issued_.Find(token);
  const MutexLock lock(mutex_);
  bool any = std::ranges::any_of(accounts_, &ServiceAccount::MaySignIn) ||
             !refresh_tokens_.empty() || !pools_.empty() || metadata_;
  const Credential* seeded = FindSeeded(token, &any);
  Access access;
  if (!any) return access;
  access.kind = Access::Kind::kMissing;
  if (token.empty()) return access;
  if (issued) return Judge(&*issued);
  if (seeded == nullptr) {
    if (const auto jwt = ParseJwt(token)) return JudgeJwt(*jwt, endpoint);
  }
  return Judge(seeded);
}

Access Identities::FindSeededToken(const std::string& token) {
  const MutexLock lock(mutex_);
  bool any = false;
  return Judge(FindSeeded(token, &any));
}

Access Identities::FindKeys(const std::string& api_key, const std::string& app_key) {
  const MutexLock lock(mutex_);
  const Credential* match = nullptr;
  bool any = false;
  for (const Credential& credential : credentials_) {
    if (credential.api_key.empty()) continue;
    any = true;
    if (credential.api_key == api_key && credential.app_key == app_key) match = &credential;
  }
  Access access;
  if (!any) return access;
  access.kind = Access::Kind::kMissing;
  return api_key.empty() ? access : Judge(match);
}

const ServiceAccount* Identities::Account(const std::string& name) const {
  const auto found =
      std::find_if(accounts_.begin(), accounts_.end(), [&](const ServiceAccount& account) {
        return account.email == name || (!account.unique_id.empty() && account.unique_id == name);
      });
  return found == accounts_.end() ? nullptr : &*found;
}

std::optional<ServiceAccount> Identities::FindAccount(const std::string& name) {
  const MutexLock lock(mutex_);
  const ServiceAccount* found = Account(name);
  return found == nullptr ? std::nullopt : std::optional<ServiceAccount>(*found);
}

Json Identities::DescribeAccount(const std::string& name) {
  const auto account = FindAccount(name.substr(name.rfind('/') + 1));
  if (!account) return nullptr;
  const std::string project = "projects/" + account->project;
  if (!name.starts_with("projects/-/") && !name.starts_with(project + "/")) return nullptr;
  return {{"name", project + "/serviceAccounts/" + account->email},
          {"projectId", account->project},
          {"uniqueId", account->unique_id},
          {"email", account->email}};
}

bool Identities::KnowsClient(const std::string& id, const std::string& secret) {
  const MutexLock lock(mutex_);
  return std::any_of(refresh_tokens_.begin(), refresh_tokens_.end(), [&](const auto& token) {
    return token.client_id == id && token.client_secret == secret;
  });
}

std::optional<RefreshToken> Identities::FindRefreshToken(const std::string& client_id,
                                                         const std::string& token) {
  const MutexLock lock(mutex_);
  for (const RefreshToken& known : refresh_tokens_) {
    if (known.client_id == client_id && known.refresh_token == token) return known;
  }
  return std::nullopt;
}

std::optional<IdentityPool> Identities::FindPool(const std::string& audience) {
  const MutexLock lock(mutex_);
  for (const IdentityPool& pool : pools_) {
    if (pool.audience == audience) return pool;
  }
  return std::nullopt;
}

std::optional<Metadata> Identities::GetMetadata() {
  const MutexLock lock(mutex_);
  return metadata_;
}

AccessToken Identities::Issue(std::string principal, Permissions permissions,
                              std::vector<std::string> scopes,
                              std::optional<std::chrono::seconds> lifetime) {
  Credential holder;
  holder.principal = std::move(principal);
  holder.permissions = std::move(permissions);
  holder.scopes = std::move(scopes);
  AccessToken given;
  {
    const MutexLock lock(mutex_);
    given.lifetime = lifetime.value_or(token_lifetime_);
  }
  const WallTime now = clock_.Wall();
  given.expires = now + given.lifetime;
  given.token = issued_.Issue(std::move(holder), given.expires, now);
  return given;
}

std::vector<std::string> SplitScopes(std::string_view text, char separator) {
  std::vector<std::string> scopes;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) scopes.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return scopes;
}

}  // namespace bindery::emulator
