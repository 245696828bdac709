#include "cloud/credentials/secret_file.h"

#include <utility>

#include "cloud/credentials/text.h"

namespace bindery::cloud {
namespace {

/// How long a secret is sent without a look at its file. A refusal makes that look immediately.
constexpr std::chrono::seconds kGoodFor(1);

}  // namespace

Expected<std::string> SecretFile::Get() {
  const MutexLock lock(mutex_);
  const MonoTime now = clock_->Mono();
  const auto version = VersionOfFile(path_);
  if (!version) return Fail(version.error());
  if (secret_.empty() || *version != version_) {
    if (auto read = Read(); !read) return Fail(std::move(read.error()));
  }
  looked_at_ = now;
  return secret_;
}

std::optional<std::string> SecretFile::TryGet() {
  if (!mutex_.TryLock()) return std::nullopt;
  const MutexLock lock(mutex_, std::adopt_lock);
  if (secret_.empty()) return std::nullopt;
  if (clock_->Mono() - looked_at_ > kGoodFor) return std::nullopt;
  return secret_;
}

bool SecretFile::HasOtherThan(const std::string& sent) {
  const MutexLock lock(mutex_);
  if (secret_ != sent) return true;  // Somebody else has read the new one already.
  return Read().has_value() && secret_ != sent;
}

Expected<void> SecretFile::Read() {
  auto file = ReadSmallFile(path_);
  if (!file) return Fail(std::move(file.error()));
  std::string secret(Trimmed(file->text));
  if (secret.empty()) {
    return Fail(Code::kUnauthenticated, CredentialFileName(path_) + " is empty");
  }
  if (!IsHeaderToken(secret)) {
    return Fail(Code::kUnauthenticated,
                CredentialFileName(path_) + " does not hold one line of printable characters");
  }
  Wipe(secret_);
  secret_ = std::move(secret);
  version_ = file->version;
  return {};
}

}  // namespace bindery::cloud
