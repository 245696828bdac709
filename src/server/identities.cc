#include "server/identities.h"

#include <algorithm>
#include <utility>

namespace bindery::server {
namespace {

constexpr const char* kUserAgent = "bindery";

std::shared_ptr<cloud::Transport> NewTransport(const std::string& ca_file) {
  cloud::CurlTransportOptions options;
  options.user_agent = kUserAgent;
  options.ca_file = ca_file;
  return std::make_shared<cloud::CurlTransport>(std::move(options));
}

bool IsSecure(const config::WebSignIn& settings) {
  return settings.external_url.starts_with("https://");
}

}  // namespace

struct Identities::KnownProvider {
  KnownProvider(const Clock& clock, const config::WebOpenId& settings)
      : transport(NewTransport(settings.ca_file.string())), client(*transport, clock, settings) {}

  std::shared_ptr<cloud::Transport> transport;
  identity::OpenIdProvider client;
};

struct Identities::KnownHeader {
  KnownHeader(const Clock& clock, const config::WebSignedHeader& settings)
      : transport(NewTransport("")), reader(*transport, clock, settings) {}

  std::shared_ptr<cloud::Transport> transport;
  identity::SignedHeader reader;
};

std::shared_ptr<identity::OpenIdProvider> Identities::Provider(const config::WebOpenId& settings) {
  const MutexLock lock(mutex_);
  if (provider_ == nullptr || !(provider_->client.settings() == settings)) {
    provider_ = std::make_shared<KnownProvider>(clock_, settings);
  }
  return {provider_, &provider_->client};
}

Expected<std::optional<identity::Person>> Identities::BySignedHeader(
    const config::WebSignedHeader& settings, const httpd::Request& request) {
  const auto named = [&](const httpd::Headers::Field& field) {
    return httpd::EqualsIgnoringCase(field.first, settings.header);
  };
  const auto& fields = request.headers.fields();
  const auto found = std::ranges::find_if(fields, named);
  if (found == fields.end()) return std::nullopt;
  if (std::ranges::count_if(fields, named) > 1) {
    return Fail(Code::kUnauthenticated, "the header " + settings.header + " occurs twice");
  }
  std::shared_ptr<KnownHeader> header;
  {
    const MutexLock lock(mutex_);
    if (header_ == nullptr || !(header_->reader.settings() == settings)) {
      header_ = std::make_shared<KnownHeader>(clock_, settings);
    }
    header = header_;
  }
  auto person = header->reader.Read(found->second);
  if (!person) return Fail(person.error());
  return std::optional<identity::Person>(*std::move(person));
}

std::optional<identity::Person> Identities::BySession(const config::WebSignIn& settings,
                                                      const httpd::Request& request) {
  const std::string cookie = GetCookie(request, SessionCookieName(settings));
  if (cookie.empty()) return std::nullopt;
  const bool used = request.path != "/api/v1/events/stream";
  auto person = sessions_.Find(cookie, {settings.lifetime, settings.idle}, used);
  // Sessions of another provider than the one in force ended with it.
  if (person && (!settings.oidc || person->issuer != settings.oidc->issuer)) return std::nullopt;
  return person;
}

void Identities::LoadSessions(const config::WebSignIn& settings) {
  const MutexLock lock(mutex_);
  if (loaded_ || settings.sessions_file.empty()) return;
  loaded_ = true;
  if (const auto read = sessions_.Load(settings.sessions_file); !read) {
    logger_.Warn("sessions of before are lost: people sign in again",
                 {{"error", read.error().message}});
  }
}

void Identities::SaveSessions(const config::WebSignIn& settings) {
  const MutexLock lock(saving_);
  if (settings.sessions_file.empty() || !sessions_.changed()) return;
  if (const auto saved = sessions_.Save(settings.sessions_file); !saved) {
    logger_.Warn("sessions will not survive a restart", {{"error", saved.error().message}});
  }
}

std::string SessionCookieName(const config::WebSignIn& settings) {
  return IsSecure(settings) ? "__Host-bindery" : "bindery";
}

std::string PendingCookieName(const config::WebSignIn& settings) {
  return IsSecure(settings) ? "__Host-bindery-sign-in" : "bindery-sign-in";
}

std::string SetCookie(const config::WebSignIn& settings, const std::string& name,
                      const std::string& value, std::chrono::seconds age) {
  // Lax, as the provider's answer comes from the provider's site.
  return name + "=" + value + "; Path=/; Max-Age=" + std::to_string(age.count()) +
         "; HttpOnly; SameSite=Lax" + (IsSecure(settings) ? "; Secure" : "");
}

std::string GetCookie(const httpd::Request& request, const std::string& name) {
  for (const auto& [field, value] : request.headers.fields()) {
    if (!httpd::EqualsIgnoringCase(field, "Cookie")) continue;
    std::string_view rest(value);
    while (!rest.empty()) {
      const std::size_t end = rest.find(';');
      std::string_view pair = rest.substr(0, end);
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
      while (pair.starts_with(' ')) pair.remove_prefix(1);
      const std::size_t equals = pair.find('=');
      if (equals != std::string_view::npos && pair.substr(0, equals) == name) {
        return std::string(pair.substr(equals + 1));
      }
    }
  }
  return {};
}

}  // namespace bindery::server
