// Forward proxies: which one is used for what, and what is said when it refuses.

#include <cstdlib>
#include <map>

#include "cloud/curl/proxy_choice.h"
#include "cloud/transport.h"
#include "support/certificates.h"
#include "support/http_impostor.h"
#include "support/matchers.h"
#include "support/nginx.h"
#include "support/tunnel_proxy.h"
#include "unit/cloud/requests.h"

namespace bindery::cloud {
namespace {

using ::testing::_;
using testing::FailsWith;
using testing::Get;
using ::testing::HasSubstr;
using testing::HttpImpostor;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::Nginx;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;
using testing::TunnelProxy;

CurlTransportOptions Through(const std::string& proxy) {
  CurlTransportOptions options;
  options.user_agent = "bindery/test";
  options.proxy = proxy;
  return options;
}

HttpRequest PostThrough(const std::string& url) {
  HttpRequest request = Get(url);
  request.method = "POST";
  request.body = "{}";
  return request;
}

/// Sets a variable of the environment for as long as it lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread is there yet
    EXPECT_EQ(::setenv(name, value.c_str(), 1), 0);
  }
  ~Variable() {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): transports read the environment when they are made
    ::unsetenv(name_);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

TEST(TransportProxy, PlainRequestsGoThroughTheProxyOfTheOptionsAsWholeUrls) {
  HttpImpostor proxy;
  proxy.When("GET", "http://cloud.example/v1/x").Reply(200, "through");
  CurlTransport transport(Through(proxy.Url()));
  const auto response = transport.Send(Get("http://cloud.example/v1/x"));
  ASSERT_THAT(response, IsOk());
  EXPECT_EQ(response->body, "through");
}

TEST(TransportProxy, TheEnvironmentsProxyIsUsedUnlessItIsSwitchedOff) {
  HttpImpostor proxy;
  proxy.When("GET", "http://cloud.invalid/").Reply(200);
  const Variable set("http_proxy", proxy.Url());
  CurlTransport through(Through(""));
  EXPECT_THAT(through.Send(Get("http://cloud.invalid/")), IsOk());
  CurlTransport off(Through("none"));
  EXPECT_THAT(off.Send(Get("http://cloud.invalid/")), FailsWith(Code::kUnavailable, _));
  EXPECT_THAT(proxy.Requests(), SizeIs(1));
}

TEST(TransportProxy, LoopbackAndNamedHostsAndDirectRequestsPassItBy) {
  HttpImpostor proxy;
  HttpImpostor server;
  server.When("GET", "/").Reply(200);
  CurlTransportOptions options = Through(proxy.Url());
  options.no_proxy = "internal.invalid";
  CurlTransport transport(std::move(options));
  EXPECT_THAT(transport.Send(Get(server.Url("/"))), IsOk());
  const auto named = transport.Send(Get("http://a.internal.invalid/"));
  EXPECT_THAT(named, FailsWith(Code::kUnavailable, HasSubstr("resolve host")));
  HttpRequest direct = Get("http://metadata.invalid/");
  direct.direct = true;
  EXPECT_THAT(transport.Send(direct), FailsWith(Code::kUnavailable, HasSubstr("resolve host")));
  EXPECT_THAT(proxy.Requests(), IsEmpty());
}

TEST(TransportProxy, TlsGoesThroughATunnelAndIsVerifiedAtItsEnd) {
  if (!Nginx::Installed()) GTEST_SKIP() << "nginx is not installed: ./dev setup";
  const testing::TempDir dir;
  const testing::TestAuthority authority(dir, "ca");
  const testing::CertificateFiles files = authority.Issue("server", {"DNS:cloud.example"});
  const Nginx nginx("server { listen 127.0.0.1:@PORT@ ssl http2; ssl_certificate " +
                    files.certificate + "; ssl_certificate_key " + files.key +
                    "; location / { return 200 $server_protocol; } }");
  TunnelProxy proxy(nginx.port());
  CurlTransportOptions options =
      Through("http://ana:s%40cret@127.0.0.1:" + std::to_string(proxy.port()));
  options.ca_file = authority.file();
  CurlTransport transport(std::move(options));
  const auto response = transport.Send(Get("https://cloud.example/"));
  ASSERT_THAT(response, IsOk());
  EXPECT_EQ(response->body, "HTTP/2.0");
  ASSERT_THAT(transport.Send(Get("https://cloud.example/")), IsOk());
  ASSERT_THAT(proxy.Heads(), SizeIs(1)) << "one tunnel for both";
  EXPECT_THAT(proxy.Heads().at(0), StartsWith("CONNECT cloud.example:443 HTTP/1.1\r\n"));
  EXPECT_THAT(proxy.Heads().at(0), HasSubstr("Proxy-Authorization: Basic YW5hOnNAY3JldA==\r\n"));

  const auto other = transport.Send(PostThrough("https://other.example/"));
  EXPECT_THAT(other, FailsWith(Code::kUnavailable,
                               "no answer from https://other.example: SSL: no alternative "
                               "certificate subject name matches target host name 'other.example'; "
                               "check the host name of the endpoint"));
  EXPECT_FALSE(other.error().outcome_unknown);
}

TEST(TransportProxy, ATunnelThatIsRefusedIsUnavailableAndNothingWasSent) {
  TunnelProxy proxy(1);
  const std::string url = "http://ana:secret@127.0.0.1:" + std::to_string(proxy.port());
  const std::pair<const char*, std::string> cases[] = {
      {"407 Proxy Authentication Required", "407: check user and password in transport.proxy"},
      {"403 Forbidden", "403"},
      {"404 Not Found", "404"},
      {"502 Bad Gateway", "502"}};
  for (const auto& [answer, said] : cases) {
    proxy.Refuse(answer);
    CurlTransport transport(Through(url));
    const auto response = transport.Send(PostThrough("https://cloud.example/v1/x"));
    ASSERT_THAT(response, FailsWith(Code::kUnavailable,
                                    "no answer from https://cloud.example: "
                                    "proxy " +
                                        proxy.Url() + " refused the connection with HTTP " + said));
    EXPECT_FALSE(response.error().outcome_unknown);
  }
}

TEST(TransportProxy, AProxyThatWantsAPasswordForAPlainRequestIsUnavailable) {
  HttpImpostor proxy;
  proxy.When("POST", "http://cloud.example/").Reply(407, "<html>who are you</html>");
  const Variable set("http_proxy", proxy.Url());
  CurlTransport transport(Through(""));
  const auto response = transport.Send(PostThrough("http://cloud.example/"));
  ASSERT_THAT(response, FailsWith(Code::kUnavailable,
                                  "no answer from http://cloud.example: proxy " + proxy.Url() +
                                      " refused the connection with HTTP 407: check user "
                                      "and password in http_proxy"));
  EXPECT_FALSE(response.error().outcome_unknown);
}

TEST(TransportProxy, AProxyThatIsNotThereIsNamedWithoutItsPassword) {
  int port = 0;
  {
    const TunnelProxy gone(1);
    port = gone.port();
  }
  const std::string at = "127.0.0.1:" + std::to_string(port);
  for (const char* url : {"https://cloud.example/", "http://cloud.example/"}) {
    for (const char* scheme : {"http://", "https://", "socks5h://"}) {
      CurlTransport transport(Through(scheme + std::string("ana:secret@") + at));
      const auto response = transport.Send(PostThrough(url));
      ASSERT_THAT(response,
                  FailsWith(Code::kUnavailable, HasSubstr(".example: proxy " + std::string(scheme) +
                                                          at + " cannot be used: ")));
      EXPECT_THAT(response.error().message, Not(HasSubstr("secret")));
      EXPECT_THAT(response.error().message, Not(HasSubstr("ana")));
      EXPECT_FALSE(response.error().outcome_unknown);
    }
  }
  CurlTransport nowhere(Through("http://ana:secret@proxy.invalid:3128"));
  EXPECT_THAT(nowhere.Send(Get("https://cloud.example/")),
              FailsWith(Code::kUnavailable,
                        "no answer from https://cloud.example: proxy http://proxy.invalid:3128 "
                        "cannot be used: Could not resolve proxy: proxy.invalid"));
}

TEST(TransportProxy, WhatTheEnvironmentCallsAProxyAndIsNoneIsRefusedWithoutShowingIt) {
  const Variable set("https_proxy", "http://ana:secret@:x");
  CurlTransport transport(Through(""));
  EXPECT_THAT(transport.Send(Get("https://cloud.example/")),
              FailsWith(Code::kInvalidArgument,
                        "what https_proxy holds is not a proxy such as http://proxy.example:3128"));
}

TEST(ProxyChoice, FollowsTheEnvironmentAsCurlDoes) {
  std::map<std::string, std::string> variables;
  const auto choice = [&variables](const std::string& proxy, const std::string& no_proxy = "") {
    return ProxyChoice(proxy, no_proxy, [&variables](const std::string& name) {
      const auto found = variables.find(name);
      return found == variables.end() ? std::nullopt : std::make_optional(found->second);
    });
  };
  const auto shown = [](const ProxyChoice& made, const std::string& url) -> std::string {
    const auto proxy = made.For(url);
    if (!proxy) return proxy.error().message;
    return *proxy == nullptr ? "direct" : (*proxy)->shown + " by " + (*proxy)->set_by;
  };
  EXPECT_EQ(shown(choice(""), "https://x"), "direct");

  variables = {{"HTTP_PROXY", "http://capitals:1"}, {"ALL_PROXY", "socks5h://all:2"}};
  EXPECT_EQ(shown(choice(""), "http://x"), "socks5h://all:2 by ALL_PROXY");
  EXPECT_EQ(shown(choice(""), "https://x"), "socks5h://all:2 by ALL_PROXY");

  variables["https_proxy"] = "https://u:p@secure";
  variables["http_proxy"] = "plain.example:8080";
  EXPECT_EQ(shown(choice(""), "https://x"), "https://secure:443 by https_proxy");
  EXPECT_EQ(shown(choice(""), "http://x"), "http://plain.example:8080 by http_proxy");
  EXPECT_EQ(shown(choice("none"), "https://x"), "direct");
  EXPECT_EQ(shown(choice("http://[::1]:3"), "https://x"), "http://[::1]:3 by transport.proxy");

  // libcurl would leave out a password it cannot decode, and the proxy with it.
  EXPECT_EQ(shown(choice("http://u:p%00w@h:1"), "https://x"),
            "what transport.proxy holds is not a proxy such as http://proxy.example:3128");

  EXPECT_EQ(choice("").no_proxy(), "localhost,127.0.0.0/8,::1");
  variables["NO_PROXY"] = ".corp";
  EXPECT_EQ(choice("").no_proxy(), ".corp,localhost,127.0.0.0/8,::1");
  EXPECT_EQ(choice("", "mine").no_proxy(), "mine,localhost,127.0.0.0/8,::1");
  variables["no_proxy"] = "*";
  EXPECT_EQ(choice("").no_proxy(), "*");
}

}  // namespace
}  // namespace bindery::cloud
