#include "cloud/authorizer.h"

#include <optional>
#include <utility>

#include "cloud/credentials/headers.h"
#include "cloud/credentials/secret_file.h"
#include "core/base/wipe.h"

namespace bindery::cloud {
namespace {

class NoCredentialsAuthorizer final : public Authorizer {
 public:
  Expected<void> Authorize(HttpRequest& /*request*/) override { return {}; }
  bool TryAuthorize(HttpRequest& /*request*/) override { return true; }
};

class StaticBearerAuthorizer final : public Authorizer {
 public:
  explicit StaticBearerAuthorizer(std::string token) : token_(std::move(token)) {}
  ~StaticBearerAuthorizer() override { Wipe(token_); }
  StaticBearerAuthorizer(const StaticBearerAuthorizer&) = delete;
  StaticBearerAuthorizer& operator=(const StaticBearerAuthorizer&) = delete;
  Expected<void> Authorize(HttpRequest& request) override {
    if (token_.empty()) return Fail(Code::kUnauthenticated, "the access token is empty");
    AddBearer(request, token_);
    return {};
  }
  bool TryAuthorize(HttpRequest& request) override { return Authorize(request).has_value(); }

 private:
  std::string token_;
};

class FileBearerAuthorizer final : public Authorizer {
 public:
  explicit FileBearerAuthorizer(std::string path) : file_(std::move(path)) {}
  Expected<void> Authorize(HttpRequest& request) override {
    auto token = file_.Get();
    if (!token) return Fail(std::move(token.error()));
    AddBearer(request, *token);
    return {};
  }
  bool TryAuthorize(HttpRequest& request) override {
    const std::optional<std::string> token = file_.TryGet();
    if (token) AddBearer(request, *token);
    return token.has_value();
  }
  bool Refused(const HttpRequest& sent) override { return file_.HasOtherThan(GetBearer(sent)); }

 private:
  SecretFile file_;
};

}  // namespace

bool Authorizer::TryAuthorize(HttpRequest& /*request*/) { return false; }

bool Authorizer::Refused(const HttpRequest& /*sent*/) { return false; }

std::shared_ptr<Authorizer> NoCredentials() { return std::make_shared<NoCredentialsAuthorizer>(); }

std::shared_ptr<Authorizer> StaticBearerToken(std::string token) {
  return std::make_shared<StaticBearerAuthorizer>(std::move(token));
}

std::shared_ptr<Authorizer> BearerTokenFile(std::string path) {
  return std::make_shared<FileBearerAuthorizer>(std::move(path));
}

}  // namespace bindery::cloud
