#include "providers/google/credentials/token_authorizer.h"

#include <algorithm>
#include <utility>

#include "cloud/credentials/headers.h"
#include "providers/google/credentials/credentials.h"
#include "providers/google/credentials/token_cache.h"

namespace bindery::google {
namespace {

class CachedTokenAuthorizer final : public cloud::Authorizer {
 public:
  CachedTokenAuthorizer(std::unique_ptr<TokenSource> tokens, std::shared_ptr<const Clock> clock,
                        std::shared_ptr<Interruption> stop)
      : cache_(std::move(tokens), std::move(clock), std::move(stop)) {}

  Expected<void> Authorize(cloud::HttpRequest& request) override {
    auto token = cache_.Get(request.timeout);
    if (!token) return Fail(std::move(token.error()));
    AddBearer(request, *token);
    return {};
  }

  bool TryAuthorize(cloud::HttpRequest& request) override {
    const std::optional<std::string> token = cache_.TryGet();
    if (token) AddBearer(request, *token);
    return token.has_value();
  }

  bool Refused(const cloud::HttpRequest& sent) override { return cache_.Refused(GetBearer(sent)); }

 private:
  TokenCache cache_;
};

/// Counts calls to a project.
class QuotaProjectAuthorizer final : public cloud::Authorizer {
 public:
  QuotaProjectAuthorizer(std::shared_ptr<cloud::Authorizer> authorizer, std::string project)
      : authorizer_(std::move(authorizer)), project_(std::move(project)) {}

  Expected<void> Authorize(cloud::HttpRequest& request) override {
    NameProject(request);
    return authorizer_->Authorize(request);
  }

  bool TryAuthorize(cloud::HttpRequest& request) override {
    if (!authorizer_->TryAuthorize(request)) return false;
    NameProject(request);
    return true;
  }

  bool Refused(const cloud::HttpRequest& sent) override { return authorizer_->Refused(sent); }

 private:
  static constexpr const char* kHeader = "X-Goog-User-Project";

  void NameProject(cloud::HttpRequest& request) const {
    if (cloud::GetHeader(request, kHeader).empty()) request.headers.emplace_back(kHeader, project_);
  }

  const std::shared_ptr<cloud::Authorizer> authorizer_;
  const std::string project_;
};

}  // namespace

std::shared_ptr<cloud::Authorizer> TokenAuthorizer(std::unique_ptr<TokenSource> tokens,
                                                   std::shared_ptr<const Clock> clock,
                                                   std::shared_ptr<Interruption> stop) {
  return std::make_shared<CachedTokenAuthorizer>(std::move(tokens), std::move(clock),
                                                 std::move(stop));
}

std::shared_ptr<cloud::Authorizer> WithQuotaProject(std::shared_ptr<cloud::Authorizer> authorizer,
                                                    std::string project) {
  if (project.empty()) return authorizer;
  return std::make_shared<QuotaProjectAuthorizer>(std::move(authorizer), std::move(project));
}

}  // namespace bindery::google
