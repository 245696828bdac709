#include "server/sign_in.h"

#include <crypt.h>
#include <openssl/crypto.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "cloud/secret_text.h"
#include "core/text/base64.h"
#include "core/text/random_text.h"
#include "httpd/url.h"
#include "identity/roles.h"
#include "server/requests/replies.h"

namespace bindery::server {
namespace {

constexpr std::size_t kMostKnown = 1'000;
constexpr std::size_t kMostAddresses = 10'000;

/// Where in "$2b$10$…" the cost is said, in two digits.
constexpr std::size_t kCostAt = 4;
constexpr std::size_t kCostDigits = 2;

/// A hash without a password, with the highest cost of all users' hashes: the time of an answer
/// does not tell a guesser whether a name exists.
std::string HashOfNobody(const std::map<std::string, std::string>& users) {
  std::string hash = "$2b$10$tjiWWoAE778CBEffAu8jVeyJU9Fu6LZyEZvp/4stza.wM004yg9Pm";
  std::string cost;
  for (const auto& [name, known] : users) {
    cost = std::max(cost, known.substr(kCostAt, kCostDigits));
  }
  return hash.replace(kCostAt, kCostDigits, cost);
}

/// Takes as long whatever the password is.
bool Matches(const std::string& hash, const std::string& password) {
  // Half a page of state for each call: not on the stack of a worker.
  const auto state = std::make_unique<crypt_data>();
  const char* const made = ::crypt_r(password.c_str(), hash.c_str(), state.get());
  if (made == nullptr) return false;
  const std::string_view result(made);
  return result.size() == hash.size() &&
         CRYPTO_memcmp(result.data(), hash.data(), hash.size()) == 0;
}

struct NameAndPassword {
  std::string name;
  std::string password;
};

std::optional<NameAndPassword> BasicCredentials(const httpd::Request& request) {
  constexpr std::string_view kScheme = "Basic ";
  const std::string* const field = request.headers.Find("Authorization");
  if (field == nullptr || field->size() < kScheme.size()) return std::nullopt;
  const std::string_view text(*field);
  if (!httpd::EqualsIgnoringCase(text.substr(0, kScheme.size()), kScheme)) return std::nullopt;
  const std::size_t begin = text.find_first_not_of(' ', kScheme.size());
  if (begin == std::string_view::npos) return std::nullopt;
  const auto decoded = DecodeBase64(text.substr(begin));
  if (!decoded || decoded->find('\0') != std::string::npos) return std::nullopt;
  const std::size_t colon = decoded->find(':');
  if (colon == std::string::npos) return std::nullopt;
  return NameAndPassword{decoded->substr(0, colon), decoded->substr(colon + 1)};
}

/// Probes of a supervisor have no password; the answer is a single word.
bool IsProbe(const httpd::Request& request) {
  return request.raw_target == "/livez" || request.raw_target == "/readyz" ||
         request.raw_target == "/healthz";
}

httpd::Response TooManyAttempts(std::chrono::seconds wait, const std::string& why) {
  httpd::Response response = TextReply(429, "429 Too Many Requests: " + why + "\n");
  response.headers.Set("Retry-After", std::to_string(wait.count()));
  return response;
}

httpd::Response Unauthorized(const config::WebConfig& config) {
  httpd::Response response = TextReply(401, "401 Unauthorized\n");
  // A browser that is asked for a password would never come to the provider's page.
  if (!config.users.empty()) {
    response.headers.Set("WWW-Authenticate", R"(Basic realm="bindery", charset="UTF-8")");
  }
  return response;
}

/// What a browser needs in order to sign in at all.
bool IsSignInPath(const config::WebConfig& config, const std::string& path) {
  if (!config.sign_in.oidc) return false;
  return path.starts_with("/auth/") || path.starts_with("/assets/");
}

bool AsksForNames(const config::WebConfig& config) {
  return !config.users.empty() || config.sign_in.oidc || config.sign_in.signed_header ||
         (config.tls && config.tls->client_auth == config::ClientAuth::kRequireAndVerify);
}

bool IsOpen(const config::WebConfig& config, const httpd::Request& request) {
  if (!AsksForNames(config) || config.anonymous_reads) return true;
  if (config.anonymous_metrics && request.path == "/metrics") return true;
  return IsSignInPath(config, request.path);
}

/// A person at a browser, who looks at a page.
bool IsVisit(const httpd::Request& request) {
  return request.method == "GET" && !IsApiPath(request.path) &&
         request.headers.Get("Accept").find("text/html") != std::string::npos;
}

httpd::Response ToSignIn(const httpd::Request& request) {
  httpd::Response response = TextReply(303, "");
  response.headers.Set("Location",
                       "/auth/login?return=" + httpd::PercentEncode(request.raw_target));
  return response;
}

httpd::Response Forbidden(const httpd::Request& request) {
  const std::string why = request.peer.user + " has no role here (roles in server.webConfigFile)";
  if (IsApiPath(request.path)) return ErrorReply(403, "PERMISSION_DENIED", why);
  return TextReply(403, "403 Forbidden: " + why + "\n");
}

}  // namespace

SignIn::SignIn(const Clock& clock, telemetry::Logger& logger, Identities& identities)
    : clock_(clock), logger_(logger), identities_(identities), secret_(RandomText()) {}

std::optional<httpd::Response> SignIn::Check(const config::WebConfig& config,
                                             httpd::Request& request) {
  const bool probe = IsProbe(request);
  if (!probe && !TakeToken(config.rate_limit)) {
    return TooManyAttempts(std::chrono::seconds(1), "the listener is busy");
  }
  if (probe) return std::nullopt;
  if (auto refusal = Identify(config, request)) return refusal;
  if (request.peer.user.empty()) {
    if (IsOpen(config, request) || HasMetricsToken(config, request)) return std::nullopt;
    if (config.sign_in.oidc && IsVisit(request)) return ToSignIn(request);
    return Unauthorized(config);
  }
  if (request.peer.role == Role::kNone && !IsOpen(config, request)) return Forbidden(request);
  return std::nullopt;
}

std::optional<httpd::Response> SignIn::Identify(const config::WebConfig& config,
                                                httpd::Request& request) {
  if (!config.users.empty()) {
    if (auto refusal = IdentifyUser(config, request)) return refusal;
  } else if (!request.peer.certificate.empty()) {
    request.peer.user = request.peer.certificate;
    request.peer.role = identity::RoleOfCertificate(config, request.peer.certificate);
  }
  if (!request.peer.user.empty()) return std::nullopt;
  return IdentifyPerson(config, request);
}

std::optional<httpd::Response> SignIn::IdentifyUser(const config::WebConfig& config,
                                                    httpd::Request& request) {
  const std::string origin = GetNetwork(request.peer);
  if (const auto wait = MustWait(origin)) return TooManyAttempts(*wait, "too many wrong passwords");
  const auto given = BasicCredentials(request);
  if (!given) return std::nullopt;
  if (!IsUser(config, given->name, given->password)) {
    NoteFailure(origin, given->name);
    return Unauthorized(config);
  }
  request.peer.user = given->name;
  request.peer.role = identity::RoleOfUser(config, given->name);
  return std::nullopt;
}

std::optional<httpd::Response> SignIn::IdentifyPerson(const config::WebConfig& config,
                                                      httpd::Request& request) {
  std::optional<identity::Person> person;
  if (config.sign_in.signed_header) {
    auto read = identities_.BySignedHeader(*config.sign_in.signed_header, request);
    if (!read) {
      logger_.Warn("signed header refused",
                   {{"peer", request.peer.address}, {"reason", read.error().message}});
      return TextReply(ToHttpStatus(read.error().code), read.error().message + "\n");
    }
    person = *std::move(read);
    request.peer.proof = "iap";
  }
  if (!person && config.sign_in.oidc) {
    person = identities_.BySession(config.sign_in, request);
    request.peer.proof = "oidc";
    request.peer.by_cookie = person.has_value();
  }
  if (!person) {
    request.peer.proof.clear();
    return std::nullopt;
  }
  request.peer.user = person->name();
  request.peer.proof += " " + person->subject;
  request.peer.role = identity::RoleOfPerson(config, person->email, person->groups);
  return std::nullopt;
}

bool SignIn::HasMetricsToken(const config::WebConfig& config, const httpd::Request& request) {
  if (config.metrics_token_file.empty() || request.path != "/metrics") return false;
  constexpr std::string_view kScheme = "Bearer ";
  const std::string given = request.headers.Get("Authorization");
  if (!given.starts_with(kScheme)) return false;
  const auto token = cloud::ReadSecretText(config.metrics_token_file.string());
  // Digests take as long to compare whatever the texts are.
  return token && Sha256Digest::Of(*token) == Sha256Digest::Of(given.substr(kScheme.size()));
}

bool SignIn::IsUser(const config::WebConfig& config, std::string_view name,
                    std::string_view password) {
  const auto found = config.users.find(std::string(name));
  const std::string hash = found == config.users.end() ? HashOfNobody(config.users) : found->second;
  // Lengths first, so that no two sets of texts give the same bytes.
  std::string keyed = secret_;
  for (const std::string_view part : {name, std::string_view(hash), password}) {
    keyed += std::to_string(part.size());
    keyed += ':';
    keyed += part;
  }
  const Sha256Digest digest = Sha256Digest::Of(keyed);
  {
    const MutexLock lock(mutex_);
    if (known_.contains(digest)) return true;
  }
  const bool matches = Matches(hash, std::string(password)) && found != config.users.end();
  if (!matches) return false;
  const MutexLock lock(mutex_);
  if (known_.size() >= kMostKnown) known_.clear();
  known_.insert(digest);
  return true;
}

std::optional<std::chrono::seconds> SignIn::MustWait(const std::string& address) {
  const MonoTime now = clock_.Mono();
  const MutexLock lock(mutex_);
  const auto found = failures_.find(address);
  if (found == failures_.end()) return std::nullopt;
  const MonoTime end = found->second.since + kFailureWindow;
  if (now >= end) {
    failures_.erase(found);
    return std::nullopt;
  }
  if (found->second.count < kMostFailures) return std::nullopt;
  return std::chrono::ceil<std::chrono::seconds>(end - now);
}

void SignIn::NoteFailure(const std::string& address, std::string_view name) {
  const MonoTime now = clock_.Mono();
  int count = 0;
  {
    const MutexLock lock(mutex_);
    std::erase_if(failures_,
                  [now](const auto& entry) { return now >= entry.second.since + kFailureWindow; });
    // This number of addresses is a distributed attack; forgetting is better than filling the
    // memory.
    if (failures_.size() >= kMostAddresses) failures_.clear();
    Failures& failures = failures_[address];
    if (failures.count == 0) failures.since = now;
    count = ++failures.count;
  }
  if (count > kMostFailures) return;
  logger_.Warn(count == kMostFailures
                   ? "wrong password; the address is not listened to for a minute"
                   : "wrong password",
               {{"peer", address}, {"user", name}});
}

bool SignIn::TakeToken(const config::WebRateLimit& limit) {
  if (limit.interval.count() == 0) return true;
  const double rate = 1.0 / std::chrono::duration<double>(limit.interval).count();
  const MonoTime now = clock_.Mono();
  const MutexLock lock(mutex_);
  limiter_.SetRate(rate, limit.burst, now);
  return limiter_.TryTake(now);
}

}  // namespace bindery::server
