#include "cloud/authorizer.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <mutex>
#include <system_error>
#include <utility>

namespace bindery {
namespace {

constexpr std::size_t kMaxSecretBytes = 64U << 10U;

tl::unexpected<Error> NoSecret(std::string message) {
  return Fail(Code::kUnauthenticated, std::move(message));
}

/// A one-line secret in a file, read again whenever the file is another one than before.
/// Thread-safe.
class SecretFile {
 public:
  explicit SecretFile(std::string path) : path_(std::move(path)) {}

  Expected<std::string> Get() {
    const std::scoped_lock lock(mutex_);
    struct stat status {};
    if (::stat(path_.c_str(), &status) != 0) return Unreadable(errno);
    const Version version{status.st_ino, status.st_size, status.st_mtim.tv_sec,
                          status.st_mtim.tv_nsec};
    if (secret_.empty() || version != version_) {
      auto secret = Read();
      if (!secret) return secret;
      secret_ = std::move(*secret);
      version_ = version;
    }
    return secret_;
  }

  /// Reads the file whatever its time says. True when the secret is another one than before.
  bool Reread() {
    const std::scoped_lock lock(mutex_);
    auto secret = Read();
    if (!secret || *secret == secret_) return false;
    secret_ = std::move(*secret);
    return true;
  }

 private:
  struct Version {
    ino_t inode = 0;
    off_t size = 0;
    time_t seconds = 0;
    long nanoseconds = 0;
    bool operator==(const Version&) const = default;
  };

  [[nodiscard]] tl::unexpected<Error> Unreadable(int reason) const {
    return NoSecret("credential file \"" + path_ +
                    "\" cannot be read: " + std::generic_category().message(reason));
  }

  [[nodiscard]] Expected<std::string> Read() const {
    errno = 0;
    std::ifstream in(path_, std::ios::binary);
    if (!in) return Unreadable(errno);
    std::string text(kMaxSecretBytes + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (in.bad()) return Unreadable(errno);
    text.resize(static_cast<std::size_t>(in.gcount()));
    constexpr const char* kBlank = " \t\r\n";
    const std::size_t first = text.find_first_not_of(kBlank);
    if (first == std::string::npos) return NoSecret("credential file \"" + path_ + "\" is empty");
    text = text.substr(first, text.find_last_not_of(kBlank) - first + 1);
    const bool printable = std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
    if (!printable || text.size() > kMaxSecretBytes) {
      return NoSecret("credential file \"" + path_ +
                      "\" does not hold one line of printable characters");
    }
    return text;
  }

  const std::string path_;
  std::mutex mutex_;  ///< Guards what follows.
  std::string secret_;
  Version version_;
};

class NoCredentialsAuthorizer final : public Authorizer {
 public:
  Expected<void> Authorize(HttpRequest& /*request*/) override { return {}; }
};

class StaticBearerAuthorizer final : public Authorizer {
 public:
  explicit StaticBearerAuthorizer(std::string token) : token_(std::move(token)) {}
  Expected<void> Authorize(HttpRequest& request) override {
    if (token_.empty()) return NoSecret("the access token is empty");
    request.headers.emplace_back("Authorization", "Bearer " + token_);
    return {};
  }

 private:
  const std::string token_;
};

class FileBearerAuthorizer final : public Authorizer {
 public:
  explicit FileBearerAuthorizer(std::string path) : file_(std::move(path)) {}
  Expected<void> Authorize(HttpRequest& request) override {
    auto token = file_.Get();
    if (!token) return Fail(std::move(token.error()));
    request.headers.emplace_back("Authorization", "Bearer " + *token);
    return {};
  }
  bool Refused() override { return file_.Reread(); }

 private:
  SecretFile file_;
};

/// One of Datadog's two keys: from a file, else what the environment held at the start.
class Key {
 public:
  Key(const std::string& path, std::string from_environment)
      : file_(path.empty() ? nullptr : std::make_unique<SecretFile>(path)),
        from_environment_(std::move(from_environment)) {}

  [[nodiscard]] Expected<std::string> Get() const {
    if (file_ != nullptr) return file_->Get();
    return from_environment_;
  }
  [[nodiscard]] bool Reread() const { return file_ != nullptr && file_->Reread(); }

 private:
  std::unique_ptr<SecretFile> file_;
  std::string from_environment_;
};

class DatadogAuthorizer final : public Authorizer {
 public:
  DatadogAuthorizer(Key api_key, Key app_key)
      : api_key_(std::move(api_key)), app_key_(std::move(app_key)) {}

  Expected<void> Authorize(HttpRequest& request) override {
    auto api_key = api_key_.Get();
    if (!api_key) return Fail(std::move(api_key.error()));
    auto app_key = app_key_.Get();
    if (!app_key) return Fail(std::move(app_key.error()));
    request.headers.emplace_back("DD-API-KEY", *api_key);
    request.headers.emplace_back("DD-APPLICATION-KEY", *app_key);
    return {};
  }

  bool Refused() override {
    const bool api_key_changed = api_key_.Reread();
    const bool app_key_changed = app_key_.Reread();
    return api_key_changed || app_key_changed;
  }

 private:
  const Key api_key_;
  const Key app_key_;
};

Expected<Key> FindKey(const std::string& path, const char* variable, const char* setting) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here sets variables
  const char* value = std::getenv(variable);
  std::string from_environment = value == nullptr ? "" : value;
  if (path.empty() && from_environment.empty()) {
    return NoSecret("no Datadog key: set " + std::string(setting) +
                    " in the provider's configuration, or the environment variable " + variable);
  }
  Key key(path, std::move(from_environment));
  if (auto readable = key.Get(); !readable) return Fail(std::move(readable.error()));
  return key;
}

}  // namespace

std::shared_ptr<Authorizer> NoCredentials() { return std::make_shared<NoCredentialsAuthorizer>(); }

std::shared_ptr<Authorizer> StaticBearerToken(std::string token) {
  return std::make_shared<StaticBearerAuthorizer>(std::move(token));
}

std::shared_ptr<Authorizer> BearerTokenFile(std::string path) {
  return std::make_shared<FileBearerAuthorizer>(std::move(path));
}

Expected<std::shared_ptr<Authorizer>> DatadogKeys(const std::string& api_key_file,
                                                  const std::string& app_key_file) {
  auto api_key = FindKey(api_key_file, "DD_API_KEY", "apiKeyFile");
  if (!api_key) return Fail(std::move(api_key.error()));
  auto app_key = FindKey(app_key_file, "DD_APP_KEY", "appKeyFile");
  if (!app_key) return Fail(std::move(app_key.error()));
  return std::shared_ptr<Authorizer>(
      std::make_shared<DatadogAuthorizer>(std::move(*api_key), std::move(*app_key)));
}

}  // namespace bindery
