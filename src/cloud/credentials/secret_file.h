#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cloud/credentials/small_file.h"
#include "core/base/clock.h"
#include "core/base/expected.h"
#include "core/base/mutex.h"
#include "core/base/wipe.h"

namespace bindery::cloud {

/// A one-line secret in a file, read again whenever the file is a different one than before.
/// Thread-safe.
class SecretFile {
 public:
  explicit SecretFile(std::string path,
                      std::shared_ptr<const Clock> clock = std::make_shared<SystemClock>())
      : path_(std::move(path)), clock_(std::move(clock)) {}
  ~SecretFile() { Wipe(secret_); }
  SecretFile(const SecretFile&) = delete;
  SecretFile& operator=(const SecretFile&) = delete;

  /// The secret without the white space around it. kUnauthenticated, naming the file, if none
  /// exists.
  [[nodiscard]] Expected<std::string> Get();

  /// The secret when the file was looked at in the last second and no thread is doing so now; else
  /// nothing. Waits for nothing: a disk may hang.
  [[nodiscard]] std::optional<std::string> TryGet();

  /// The service refused `sent`: reads the file whatever its time stamp. True when the secret
  /// differs from the sent secret.
  [[nodiscard]] bool HasOtherThan(const std::string& sent);

 private:
  [[nodiscard]] Expected<void> Read() REQUIRES(mutex_);

  const std::string path_;
  const std::shared_ptr<const Clock> clock_;
  Mutex mutex_;
  std::string secret_ GUARDED_BY(mutex_);
  FileVersion version_ GUARDED_BY(mutex_);
  MonoTime looked_at_ GUARDED_BY(mutex_);  ///< When the secret was last known to be the file's.
};

}  // namespace bindery::cloud
