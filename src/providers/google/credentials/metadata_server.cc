#include "providers/google/credentials/metadata_server.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>
#include <utility>

#include "cloud/credentials/text.h"
#include "cloud/http_errors.h"
#include "providers/google/credentials/token_endpoint.h"

namespace bindery::google {
namespace {

using std::chrono::milliseconds;

constexpr const char* kRoot = "/computeMetadata/v1/";
constexpr const char* kDefaultHost = "metadata.google.internal";
constexpr const char* kDefaultAddress = "169.254.169.254";
constexpr std::int64_t kLongestTimeout = 300;
constexpr int kTokenAttempts = 4;

cloud::HttpRequest MetadataRequest(const std::string& url, milliseconds timeout,
                                   const std::string& operation) {
  cloud::HttpRequest request;
  request.url = url;
  request.headers = {{"Metadata-Flavor", "Google"}};
  request.timeout = timeout;
  request.max_response_bytes = 1U << 20U;
  request.direct = true;
  request.service = "metadata";
  request.operation = operation;
  return request;
}

/// "host", "host:port" or "[v6]:port": nothing that would change the rest of the URL.
Expected<std::string> HostFrom(const MetadataServer::Variable& variable, const char* name) {
  const std::string host = variable(name).value_or("");
  const bool good = std::ranges::all_of(host, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view(".-_:[]").find(c) != std::string_view::npos;
  });
  if (good) return host;
  return Fail(Code::kInvalidArgument,
              std::string(name) + " must be a host or host:port, without http:// and path");
}

Expected<milliseconds> TimeoutFrom(const MetadataServer::Variable& variable) {
  constexpr const char* kName = "GCE_METADATA_TIMEOUT";
  const std::string text = variable(kName).value_or("");
  if (text.empty()) return milliseconds(3'000);
  std::int64_t seconds = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (status != std::errc() || end != text.data() + text.size() || seconds < 1 ||
      seconds > kLongestTimeout) {
    return Fail(Code::kInvalidArgument, std::string(kName) +
                                            " must be a number of seconds from 1 to " +
                                            std::to_string(kLongestTimeout));
  }
  return milliseconds(std::chrono::seconds(seconds));
}

class MetadataTokens final : public TokenSource {
 public:
  MetadataTokens(TokenContext context, std::string url, milliseconds timeout)
      : context_(std::move(context)), url_(std::move(url)), timeout_(timeout) {}

  Expected<AccessToken> Fetch(MonoTime give_up_at) override {
    std::string url = url_ + kRoot + "instance/service-accounts/default/token";
    if (!context_.scopes.empty()) {
      url += "?scopes=" + cloud::EncodeSegment(cloud::Join(context_.scopes, ","));
    }
    TokenRequest request;
    // A token may have to be made first, unlike the rest of what the server knows.
    request.http = MetadataRequest(url, std::max(timeout_, kTokenTimeout), "token");
    auto response = SendPatiently(context_, request.http, give_up_at, kTokenAttempts);
    if (!response) return Fail(std::move(response.error()));
    if (response->status == 404) {
      return Fail(Code::kUnauthenticated,
                  "no service account is attached to this machine: attach one, or on Kubernetes "
                  "bind the pod's service account (Workload Identity)");
    }
    return ReadOAuthToken(context_, request, *response);
  }

 private:
  const TokenContext context_;
  const std::string url_;
  const milliseconds timeout_;
};

}  // namespace

MetadataServer::MetadataServer(TokenContext context, std::string url, std::string ping_url,
                               milliseconds timeout)
    : context_(std::move(context)),
      url_(std::move(url)),
      ping_url_(std::move(ping_url)),
      timeout_(timeout) {}

Expected<MetadataServer> MetadataServer::FromVariables(const TokenContext& context,
                                                       const Variable& variable) {
  auto host = HostFrom(variable, "GCE_METADATA_HOST");
  if (host && host->empty()) host = HostFrom(variable, "GCE_METADATA_ROOT");
  if (!host) return Fail(std::move(host.error()));
  auto address = HostFrom(variable, "GCE_METADATA_IP");
  if (!address) return Fail(std::move(address.error()));
  auto timeout = TimeoutFrom(variable);
  if (!timeout) return Fail(std::move(timeout.error()));
  // A configured host is used for the first request as well.
  if (address->empty()) *address = host->empty() ? kDefaultAddress : *host;
  if (host->empty()) *host = kDefaultHost;
  return MetadataServer(context, "http://" + *host, "http://" + *address, *timeout);
}

bool MetadataServer::Answers() const {
  constexpr int kAttempts = 3;
  milliseconds wait{1'000};
  for (int attempt = 1;; ++attempt, wait *= 2) {
    const auto response =
        context_.transport->Send(MetadataRequest(ping_url_ + "/", timeout_, "ping"));
    // Captive networks answer anything: only the header tells.
    if (response) return response->Header("metadata-flavor").value_or("") == "Google";
    if (attempt >= kAttempts || response.error().code == Code::kCancelled) return false;
    if (!context_.wait(wait)) return false;
  }
}

std::optional<std::string> MetadataServer::Read(const std::string& path) const {
  // Called at the start, before any caller waits: its own timeout limits each attempt.
  const auto response =
      SendPatiently(context_, MetadataRequest(url_ + kRoot + path, timeout_, "get"),
                    context_.clock->Mono() + 3 * timeout_ + kLongestFetch);
  if (!response || response->status != 200) return std::nullopt;
  std::string text(cloud::Trimmed(response->body));
  if (text.empty() || !cloud::IsHeaderToken(text)) return std::nullopt;
  return text;
}

std::unique_ptr<TokenSource> MetadataServer::Tokens() const {
  return std::make_unique<MetadataTokens>(context_, url_, timeout_);
}

bool IsGoogleHardware(const std::string& product_name_file) {
  std::ifstream in(product_name_file);
  std::string name;
  return std::getline(in, name) && name.rfind("Google", 0) == 0;
}

}  // namespace bindery::google
