#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "core/text/shortened.h"
#include "httpd/url.h"
#include "identity/roles.h"
#include "server/requests/cross_site.h"
#include "server/requests/html_reply.h"
#include "server/requests/replies.h"
#include "server/routes.h"
#include "web/pages/pages.h"

namespace bindery::server {
namespace {

using httpd::PathParams;
using httpd::Request;
using httpd::Responder;
using httpd::Response;
using identity::Person;

/// Sign-ins that talk to the provider at once: a slow provider must not take every worker.
constexpr int kMostAtOnce = 2;
constexpr const char* kAfterwards = "/auth/callback";

std::string Asked(const Request& request, std::string_view name) {
  const std::string* const value = request.FindQuery(name);
  return value == nullptr ? std::string() : *value;
}

/// A page of ours, and nothing that a browser takes for another site's.
std::string SafePath(const std::string& path) {
  const bool own = path.starts_with('/') && !path.starts_with("//") && !path.starts_with("/\\") &&
                   !path.starts_with("/auth/");
  return own && path.find_first_of("\r\n\t") == std::string::npos ? path : "/";
}

/// What the handlers share.
class Desk {
 public:
  Desk(const ApiParts& parts, WebSettings& web, Identities& identities)
      : parts_(parts), web_(web), identities_(identities) {}

  Response Begin(const Request& request) {
    const config::WebConfig config = web_.Now()->config;
    if (!config.sign_in.oidc) return NoProvider(request);
    const Place place(busy_);
    if (!place.taken()) return Busy();
    const config::WebSignIn& settings = config.sign_in;
    const identity::SignInSecrets secrets = identity::NewSignInSecrets();
    const auto url = identities_.Provider(*settings.oidc)
                         ->SignInUrl(secrets, settings.external_url + kAfterwards);
    if (!url) return Failed(request, url.error());
    const std::string cookie = identities_.sessions().Expect(
        {secrets, SafePath(Asked(request, "return")), httpd::GetNetwork(request.peer)});
    Response response = Redirect(*url);
    response.headers.Add("Set-Cookie", SetCookie(settings, PendingCookieName(settings), cookie,
                                                 identity::Sessions::kPatience));
    return response;
  }

  Response Finish(const Request& request) {
    const config::WebConfig config = web_.Now()->config;
    if (!config.sign_in.oidc) return NoProvider(request);
    const config::WebSignIn& settings = config.sign_in;
    // Before the sign-in is taken: a browser that has to wait can ask again.
    const Place place(busy_);
    if (!place.taken()) return Busy();
    const auto pending =
        identities_.sessions().Take(GetCookie(request, PendingCookieName(settings)));
    if (!pending || Asked(request, "state") != pending->secrets.state) {
      return Failed(request,
                    {Code::kUnauthenticated,
                     "this sign-in was begun in another browser, or more than ten minutes ago, or "
                     "is finished: begin again"});
    }
    const identity::ProviderAnswer answer{Asked(request, "code"), Asked(request, "state"),
                                          Asked(request, "iss"), Asked(request, "error")};
    auto person = identities_.Provider(*settings.oidc)
                      ->Redeem(answer, pending->secrets, settings.external_url + kAfterwards);
    if (!person) return Failed(request, person.error());
    return Admit(request, config, *std::move(person), pending->wanted);
  }

  Response End(const Request& request) {
    const config::WebSignIn settings = web_.Now()->config.sign_in;
    if (IsCrossSite(request)) {
      return Failed(request, {Code::kPermissionDenied, "the page of another site asked for it"});
    }
    identities_.sessions().End(GetCookie(request, SessionCookieName(settings)));
    identities_.SaveSessions(settings);
    parts_.logger.Info("signed out", {{"user", request.peer.user}, {"peer", request.peer.address}});
    const std::string provider =
        settings.oidc
            ? identities_.Provider(*settings.oidc)->SignOutUrl(settings.external_url + "/")
            : "";
    web::Message message{"Signed out", "You are signed out of bindery.", "/", "Sign in again"};
    if (!provider.empty()) {
      message.text += " Your identity provider may still know you.";
      message.link = provider;
      message.link_text = "Sign out there, too";
    }
    Request stranger = request;
    stranger.peer.user.clear();
    Response response = HtmlReply(200, web::MessagePage(MakeContext(stranger), message));
    response.headers.Add("Set-Cookie", SetCookie(settings, SessionCookieName(settings), "",
                                                 std::chrono::seconds(0)));
    return response;
  }

  Response Show(const Request& request) {
    return HtmlReply(200, web::AccountPage(MakeContext(request)));
  }

 private:
  /// One of the few places beside the provider.
  class Place {
   public:
    explicit Place(std::atomic<int>& busy) : busy_(busy), taken_(++busy <= kMostAtOnce) {}
    ~Place() { --busy_; }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    [[nodiscard]] bool taken() const { return taken_; }

   private:
    std::atomic<int>& busy_;
    const bool taken_;
  };

  [[nodiscard]] web::PageContext MakeContext(const Request& request) const {
    return MakePageContext(request, parts_.clock.Wall(), "");
  }

  /// The browser forgets where it came from: the address holds a code.
  static Response Redirect(const std::string& url) {
    Response response = TextReply(303, "");
    response.headers.Set("Location", url);
    response.headers.Set("Referrer-Policy", "no-referrer");
    return response;
  }

  static Response Busy() {
    Response response = TextReply(503, "503 Service Unavailable: others are signing in\n");
    response.headers.Set("Retry-After", "5");
    return response;
  }

  [[nodiscard]] Response NoProvider(const Request& request) const {
    return Failed(request, {Code::kNotFound,
                            "there is no sign-in: server.webConfigFile has no sign_in.oidc"});
  }

  [[nodiscard]] Response Failed(const Request& request, const Error& error) const {
    parts_.logger.Warn("sign-in refused",
                       {{"peer", request.peer.address}, {"reason", error.message}});
    const web::Message message{"You are not signed in", error.message, "/auth/login",
                               "Begin again"};
    return HtmlReply(ToHttpStatus(error.code), web::MessagePage(MakeContext(request), message));
  }

  Response Admit(const Request& request, const config::WebConfig& config, Person person,
                 const std::string& wanted) {
    const config::WebSignIn& settings = config.sign_in;
    const Role role = identity::RoleOfPerson(config, person.email, person.groups);
    if (role == Role::kNone) {
      std::string groups;
      for (const std::string& group : person.groups) {
        groups += (groups.empty() ? "" : ", ") + group;
      }
      return Failed(request,
                    {Code::kPermissionDenied,
                     person.name() + " has no role here; the identity provider names " +
                         (groups.empty() ? "no group" : "the groups " + Shortened(groups))});
    }
    parts_.logger.Info("signed in", {{"user", person.name()},
                                     {"subject", person.subject},
                                     {"role", ToString(role)},
                                     {"peer", request.peer.address}});
    const std::string cookie = identities_.sessions().Begin(std::move(person));
    identities_.SaveSessions(settings);
    Response response = Redirect(wanted);
    response.headers.Add(
        "Set-Cookie", SetCookie(settings, SessionCookieName(settings), cookie, settings.lifetime));
    response.headers.Add("Set-Cookie", SetCookie(settings, PendingCookieName(settings), "",
                                                 std::chrono::seconds(0)));
    return response;
  }

  const ApiParts& parts_;
  WebSettings& web_;
  Identities& identities_;
  std::atomic<int> busy_ = 0;
};

}  // namespace

void AddSignInRoutes(httpd::Router& router, const ApiParts& parts, WebSettings& web,
                     Identities& identities) {
  const auto desk = std::make_shared<Desk>(parts, web, identities);  // Of all the handlers.
  const auto add = [&](const char* method, const char* path,
                       Response (Desk::*serve)(const Request&)) {
    router.Add(
        method, path,
        [desk, serve](const Request& request, const PathParams&, const Responder& responder) {
          responder.Send((desk.get()->*serve)(request));
        });
  };
  add("GET", "/auth/login", &Desk::Begin);
  add("GET", kAfterwards, &Desk::Finish);
  add("POST", "/auth/logout", &Desk::End);
  add("GET", "/account", &Desk::Show);
}

}  // namespace bindery::server
