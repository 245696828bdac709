// What stands between us and a cloud is a TLS server that we did not write: Debian's nginx.

#include <algorithm>
#include <atomic>
#include <latch>
#include <memory>
#include <mutex>
#include <thread>

#include "cloud/curl/ca_file.h"
#include "cloud/transport.h"
#include "support/certificates.h"
#include "support/http_impostor.h"
#include "support/matchers.h"
#include "support/nginx.h"

namespace bindery::cloud {
namespace {

using namespace std::chrono_literals;
using testing::CertificateFiles;
using testing::FailsWith;
using ::testing::HasSubstr;
using testing::HttpImpostor;
using testing::IsOk;
using testing::Nginx;
using ::testing::StartsWith;
using testing::TestAuthority;

class TransportTls : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!Nginx::Installed()) GTEST_SKIP() << "nginx is not installed: ./dev setup";
  }

  /// A server on 127.0.0.1 that speaks TLS as `files` say; `rest` is its further configuration.
  static std::string Server(const CertificateFiles& files, const std::string& rest,
                            const std::string& listen = "127.0.0.1:@PORT@ ssl http2") {
    return "server { listen " + listen + "; ssl_certificate " + files.certificate +
           "; ssl_certificate_key " + files.key + "; " + rest + " }\n";
  }

  [[nodiscard]] CurlTransportOptions Options() {
    CurlTransportOptions options;
    options.user_agent = "bindery/test";
    options.ca_file = authority_.file();
    options.observer = [this](const HttpExchange& exchange) {
      const std::scoped_lock lock(mutex_);
      seen_.push_back(exchange);
    };
    return options;
  }

  static HttpRequest Get(const Nginx& nginx, const std::string& path = "/") {
    HttpRequest request;
    request.url = "https://127.0.0.1:" + std::to_string(nginx.port()) + path;
    return request;
  }

  /// What Send of a POST says to a server with that certificate; nothing may have been sent.
  Error FindRefusal(const CertificateFiles& files, const std::string& rest = "") {
    const Nginx nginx(Server(files, rest + " location / { return 200; }"));
    CurlTransport transport(Options());
    HttpRequest request = Get(nginx, "/secret?key=secret");
    request.method = "POST";
    request.body = "{}";
    auto response = transport.Send(request);
    if (response) return {Code::kInternal, "it was accepted"};
    EXPECT_EQ(nginx.AccessLog(), "") << "the request was sent";
    const std::string prefix = "no answer from https://127.0.0.1:" + std::to_string(nginx.port());
    EXPECT_THAT(response.error().message, StartsWith(prefix + ": "));
    response.error().message.erase(0, prefix.size() + 2);
    return response.error();
  }

  /// Sends so many requests without waiting for an answer; how many were answered.
  static int AnsweredAtOnce(CurlTransport& transport, const Nginx& nginx, int transfers) {
    std::atomic<int> answered = 0;
    std::latch done(transfers);
    for (int i = 0; i < transfers; ++i) {
      transport.SendAsync(std::make_shared<HttpRequest>(Get(nginx)),
                          [&](const Expected<HttpResponse>& response) {
                            answered += response.has_value() ? 1 : 0;
                            done.count_down();
                          });
    }
    done.wait();
    return answered;
  }

  [[nodiscard]] std::ptrdiff_t ConnectionsMade() {
    const std::scoped_lock lock(mutex_);
    return std::ranges::count(seen_, false, &HttpExchange::connection_reused);
  }

  testing::TempDir dir_;
  TestAuthority authority_{dir_, "ca"};
  std::mutex mutex_;
  std::vector<HttpExchange> seen_;
};

TEST_F(TransportTls, ManyCallersShareOneHttp2Connection) {
  const Nginx nginx(Server(authority_.Issue("server"),
                           "location / { default_type application/json; return 200 '{}'; }"));
  CurlTransport transport(Options());
  constexpr int kCallers = 32;
  constexpr int kRequests = 5;
  std::atomic<int> answered = 0;
  std::latch together(kCallers);
  std::vector<std::thread> callers;
  for (int i = 0; i < kCallers; ++i) {
    callers.emplace_back([&] {
      together.arrive_and_wait();
      for (int r = 0; r < kRequests; ++r) {
        const auto response = transport.Send(Get(nginx));
        if (response && response->status == 200 && response->body == "{}") ++answered;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(answered, kCallers * kRequests);
  EXPECT_EQ(ConnectionsMade(), 1);
  const std::scoped_lock lock(mutex_);
  EXPECT_EQ(std::ranges::count(seen_, HttpVersion::kHttp2, &HttpExchange::version),
            kCallers * kRequests);
}

TEST_F(TransportTls, AServerWithoutHttp2IsSpokenToInItsWay) {
  const Nginx nginx(
      Server(authority_.Issue("server"), "location / { return 200; }", "127.0.0.1:@PORT@ ssl"));
  CurlTransport transport(Options());
  ASSERT_THAT(transport.Send(Get(nginx)), IsOk());
  ASSERT_THAT(transport.Send(Get(nginx)), IsOk());
  const std::scoped_lock lock(mutex_);
  EXPECT_EQ(seen_.at(0).version, HttpVersion::kHttp1);
  EXPECT_FALSE(seen_.at(0).connection_reused);
  EXPECT_TRUE(seen_.at(1).connection_reused);
}

TEST_F(TransportTls, OneHttp2ConnectionForAHundredTransfersAndOneMore) {
  const Nginx nginx(Server(authority_.Issue("server"),
                           "http2_max_concurrent_streams 100; location / { limit_rate 40; return "
                           "200 '" +
                               std::string(80, 'x') + "'; }"));
  CurlTransport transport(Options());
  EXPECT_EQ(AnsweredAtOnce(transport, nginx, 256), 256);
  EXPECT_LE(ConnectionsMade(), 4);
}

TEST_F(TransportTls, AServerWithoutHttp2GetsAConnectionForEachTransfer) {
  const Nginx nginx(
      Server(authority_.Issue("server"),
             "location = /first { return 200; } location / { limit_rate 40; return 200 '" +
                 std::string(80, 'x') + "'; }",
             "127.0.0.1:@PORT@ ssl"));
  CurlTransport transport(Options());
  ASSERT_THAT(transport.Send(Get(nginx, "/first")), IsOk());
  EXPECT_EQ(AnsweredAtOnce(transport, nginx, 32), 32);
  EXPECT_GE(ConnectionsMade(), 32);
}

TEST_F(TransportTls, AnUnknownAuthorityIsRefusedWithARemedy) {
  const TestAuthority other(dir_, "other");
  const Error error = FindRefusal(other.Issue("server"));
  EXPECT_EQ(error.code, Code::kUnavailable);
  EXPECT_EQ(error.message,
            "SSL certificate problem: unable to get local issuer certificate; set transport.caFile "
            "if a company proxy re-signs TLS");
  EXPECT_FALSE(error.outcome_unknown);
}

TEST_F(TransportTls, ASelfSignedCertificateIsRefusedWithARemedy) {
  const TestAuthority other(dir_, "other");
  const Error error = FindRefusal(other.SelfSigned());
  EXPECT_EQ(error.code, Code::kUnavailable);
  EXPECT_EQ(error.message,
            "SSL certificate problem: self-signed certificate; set transport.caFile if a company "
            "proxy re-signs TLS");
  EXPECT_FALSE(error.outcome_unknown);
}

TEST_F(TransportTls, AnExpiredCertificateIsRefused) {
  const Error error =
      FindRefusal(authority_.Issue("server", {"DNS:localhost,IP:127.0.0.1", -30, -1}));
  EXPECT_EQ(error.code, Code::kUnavailable);
  EXPECT_EQ(error.message,
            "SSL certificate problem: certificate has expired; the server needs a new certificate, "
            "or this machine's clock is wrong");
  EXPECT_FALSE(error.outcome_unknown);
}

TEST_F(TransportTls, ACertificateForAnotherNameIsRefused) {
  const Error error =
      FindRefusal(authority_.Issue("server", {"DNS:elsewhere.example,IP:10.0.0.1"}));
  EXPECT_EQ(error.code, Code::kUnavailable);
  EXPECT_EQ(error.message,
            "SSL: no alternative certificate subject name matches target host name '127.0.0.1'; "
            "check the host name of the endpoint");
  EXPECT_FALSE(error.outcome_unknown);
}

TEST_F(TransportTls, TlsOnePointOneIsTooOld) {
  const Error error = FindRefusal(authority_.Issue("server"),
                                  "ssl_protocols TLSv1 TLSv1.1; ssl_ciphers DEFAULT@SECLEVEL=0;");
  EXPECT_EQ(error.code, Code::kUnavailable);
  EXPECT_THAT(error.message, HasSubstr("protocol version"));
  EXPECT_THAT(error.message, HasSubstr("; TLS 1.2 is the least that is accepted"));
  EXPECT_FALSE(error.outcome_unknown);
}

TEST_F(TransportTls, AServerWithoutTlsIsNotSpokenToInTheClear) {
  const Nginx nginx("server { listen 127.0.0.1:@PORT@; location / { return 200; } }");
  CurlTransport transport(Options());
  const auto response = transport.Send(Get(nginx));
  EXPECT_THAT(response, FailsWith(Code::kUnavailable,
                                  HasSubstr("; the server does not speak TLS there: check the "
                                            "endpoint")));
}

TEST_F(TransportTls, Ipv6AndNamesReachTheServer) {
  const CertificateFiles files = authority_.Issue("server");
  std::unique_ptr<Nginx> nginx;
  try {
    nginx = std::make_unique<Nginx>(Server(
        files, "listen 127.0.0.1:@PORT@ ssl; location / { return 200; }", "[::1]:@PORT@ ssl"));
  } catch (const std::runtime_error& failed) {
    GTEST_SKIP() << "no IPv6 on this machine: " << failed.what();
  }
  CurlTransport transport(Options());
  HttpRequest request;
  for (const char* host : {"[::1]", "localhost", "127.0.0.1"}) {
    request.url = "https://" + std::string(host) + ":" + std::to_string(nginx->port()) + "/";
    EXPECT_THAT(transport.Send(request), IsOk()) << host;
  }
}

TEST_F(TransportTls, ANameWhoseFirstAddressIsDeadIsReachedByTheOther) {
  // "localhost" is ::1 and 127.0.0.1; only the latter listens.
  const Nginx nginx(Server(authority_.Issue("server"), "location / { return 200; }"));
  CurlTransport transport(Options());
  HttpRequest request;
  request.url = "https://localhost:" + std::to_string(nginx.port()) + "/";
  EXPECT_THAT(transport.Send(request), IsOk());
}

TEST_F(TransportTls, AGzippedAnswerCountsUnpacked) {
  const Nginx nginx(Server(authority_.Issue("server"),
                           "root @DIR@/files; default_type application/json; gzip on; gzip_types "
                           "application/json; gzip_min_length 1;"));
  constexpr std::size_t kSize = 4U << 20U;
  nginx.dir().Write("files/zeros", std::string(kSize, '0'));
  CurlTransport transport(Options());
  HttpRequest request = Get(nginx, "/zeros");
  request.max_response_bytes = kSize;
  const auto fits = transport.Send(request);
  ASSERT_THAT(fits, IsOk());
  EXPECT_EQ(fits->Header("content-encoding"), "gzip");
  EXPECT_EQ(fits->body, std::string(kSize, '0'));

  request.max_response_bytes = kSize - 1;  // A hundred times what is sent.
  EXPECT_THAT(
      transport.Send(request),
      FailsWith(Code::kFailedPrecondition, "https://127.0.0.1:" + std::to_string(nginx.port()) +
                                               " answered with more than 4194303 bytes"));
}

TEST_F(TransportTls, AnAnswerThatTricklesIsGivenUpInTime) {
  const Nginx nginx(Server(authority_.Issue("server"),
                           "location / { limit_rate 1; return 200 '" + std::string(200, 'x') +
                               "'; } location = /fast { return 200; }"));
  CurlTransport transport(Options());
  HttpRequest request = Get(nginx);
  request.timeout = 300ms;
  const auto begun = std::chrono::steady_clock::now();
  const auto response = transport.Send(request);
  ASSERT_THAT(response,
              FailsWith(Code::kDeadlineExceeded,
                        "no answer from https://127.0.0.1:" + std::to_string(nginx.port()) +
                            ": timed out after 300ms without a complete answer"));
  EXPECT_TRUE(response.error().outcome_unknown);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 10s);
  EXPECT_THAT(transport.Send(Get(nginx, "/fast")), IsOk()) << "the connection is still good";
}

TEST_F(TransportTls, AnAnswerThatIsCutIsNoAnswer) {
  HttpImpostor broken;
  broken.When("GET", "/cut").Reply(200, std::string(100'000, 'x')).CloseAfter(50'000);
  for (const char* listen : {"127.0.0.1:@PORT@ ssl http2", "127.0.0.1:@PORT@ ssl"}) {
    const Nginx nginx(
        Server(authority_.Issue("server"),
               "location /cut { proxy_pass " + broken.Url() + "; } location /close { return 444; }",
               listen));
    CurlTransport transport(Options());
    for (const char* path : {"/cut", "/close"}) {
      const auto response = transport.Send(Get(nginx, path));
      ASSERT_THAT(response,
                  FailsWith(Code::kUnavailable, StartsWith("no answer from https://127.0.0.1:" +
                                                           std::to_string(nginx.port()) + ": ")))
          << listen << path;
      EXPECT_TRUE(response.error().outcome_unknown);
    }
  }
}

TEST_F(TransportTls, WhatAProxySaysInHtmlAndRedirectsAreAnswersAsTheyAre) {
  const Nginx nginx(Server(authority_.Issue("server"),
                           "location /bad { proxy_pass http://127.0.0.1:@PORT2@; } "
                           "location /late { return 504; } location /absent { return 404; } "
                           "location /moved { return 301 https://127.0.0.1:@PORT@/absent; }"));
  CurlTransport transport(Options());
  const std::pair<const char*, int> cases[] = {
      {"/bad", 502}, {"/late", 504}, {"/absent", 404}, {"/moved", 301}};
  for (const auto& [path, status] : cases) {
    const auto response = transport.Send(Get(nginx, path));
    ASSERT_THAT(response, IsOk()) << path;
    EXPECT_EQ(response->status, status) << path;
    EXPECT_EQ(response->Header("content-type"), "text/html") << path;
  }
  const std::string log = nginx.AccessLogOf(4);
  EXPECT_THAT(log, HasSubstr(" 301 GET /moved\n"));
  EXPECT_EQ(std::ranges::count(log, '\n'), 4) << "the redirect was followed";
}

TEST(CheckCaFile, SaysWhatIsWrongWithItBeforeAnybodyReliesOnIt) {
  const testing::TempDir dir;
  const TestAuthority authority(dir, "ca");
  EXPECT_THAT(CheckCaFile(""), IsOk());
  EXPECT_THAT(CheckCaFile(authority.file()), IsOk());
  dir.Write("two.pem", "comment\n" + dir.Read("ca.pem") + "\n# and\n" + dir.Read("ca.pem"));
  EXPECT_THAT(CheckCaFile(dir / "two.pem"), IsOk());

  const auto expect = [](const std::string& file, const std::string& why) {
    EXPECT_THAT(CheckCaFile(file), FailsWith(Code::kInvalidArgument, "\"" + file + "\" " + why));
  };
  expect(dir / "none.pem", "cannot be read: No such file or directory");
  dir.Write("text.pem", "not a certificate\n");
  expect(dir / "text.pem", "holds no PEM certificate");
  dir.Write("empty.pem", "");
  expect(dir / "empty.pem", "holds no PEM certificate");
  std::string damaged = dir.Read("ca.pem");
  damaged.replace(damaged.find('\n') + 1, 8, "AAAAAAAA");
  dir.Write("damaged.pem", dir.Read("ca.pem") + damaged);
  expect(dir / "damaged.pem", "holds a certificate that cannot be read");
  expect(dir.path().string(), "holds no PEM certificate");
}

}  // namespace
}  // namespace bindery::cloud
