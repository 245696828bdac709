#include "emulator/google/issued_tokens.h"

#include <algorithm>

#include "core/text/random_text.h"

namespace bindery::emulator {

std::string IssuedTokens::Issue(Credential holder, WallTime expires, WallTime now) {
  std::string token = "ya29.emulated-" + RandomText();
  holder.token = token;
  holder.expires = expires;
  const MutexLock lock(mutex_);
  if (tokens_.size() >= forget_at_) ForgetExpired(now);
  tokens_.insert_or_assign(token, std::move(holder));
  return token;
}

void IssuedTokens::ForgetExpired(WallTime now) {
  std::erase_if(tokens_, [now](const auto& token) { return token.second.expires <= now; });
  forget_at_ = std::max<std::size_t>(1024, tokens_.size() * 2);
}

std::optional<Credential> IssuedTokens::Find(const std::string& token) {
  const MutexLock lock(mutex_);
  const auto found = tokens_.find(token);
  if (found == tokens_.end()) return std::nullopt;
  return found->second;
}

std::size_t IssuedTokens::RevokeAll() {
  const MutexLock lock(mutex_);
  const std::size_t count = tokens_.size();
  tokens_.clear();
  return count;
}

}  // namespace bindery::emulator
