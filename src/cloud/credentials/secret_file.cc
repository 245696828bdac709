#include "cloud/credentials/secret_file.h"

#include <utility>

#include "cloud/credentials/text.h"

namespace bindery::cloud_internal {

Expected<std::string> SecretFile::Get() {
  const std::scoped_lock lock(mutex_);
  const auto version = VersionOfFile(path_);
  if (!version) return Fail(version.error());
  if (secret_.empty() || *version != version_) {
    if (auto read = Read(); !read) return Fail(std::move(read.error()));
  }
  return secret_;
}

bool SecretFile::HasOtherThan(const std::string& sent) {
  const std::scoped_lock lock(mutex_);
  if (secret_ != sent) return true;  // Somebody else has read the new one already.
  return Read().has_value() && secret_ != sent;
}

Expected<void> SecretFile::Read() {
  auto file = ReadSmallFile(path_);
  if (!file) return Fail(std::move(file.error()));
  const std::string secret(Trimmed(file->text));
  if (secret.empty()) {
    return Fail(Code::kUnauthenticated, CredentialFileName(path_) + " is empty");
  }
  if (!IsHeaderToken(secret)) {
    return Fail(Code::kUnauthenticated,
                CredentialFileName(path_) + " does not hold one line of printable characters");
  }
  secret_ = secret;
  version_ = file->version;
  return {};
}

}  // namespace bindery::cloud_internal
