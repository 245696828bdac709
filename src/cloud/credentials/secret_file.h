#pragma once

#include <mutex>
#include <string>

#include "cloud/credentials/small_file.h"
#include "core/expected.h"

namespace bindery::cloud_internal {

/// A one-line secret in a file, read again whenever the file is another one than before.
/// Thread-safe.
class SecretFile {
 public:
  explicit SecretFile(std::string path) : path_(std::move(path)) {}

  /// The secret without the white space around it. kUnauthenticated, naming the file, when there
  /// is none.
  [[nodiscard]] Expected<std::string> Get();

  /// The service refused `sent`: reads the file whatever its time says. True when there is another
  /// secret now than the one that was sent.
  [[nodiscard]] bool HasOtherThan(const std::string& sent);

 private:
  [[nodiscard]] Expected<void> Read();

  const std::string path_;
  std::mutex mutex_;  ///< Guards what follows.
  std::string secret_;
  FileVersion version_;
};

}  // namespace bindery::cloud_internal
