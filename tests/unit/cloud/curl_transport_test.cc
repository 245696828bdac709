#include <algorithm>
#include <atomic>
#include <latch>
#include <thread>

#include "cloud/transport.h"
#include "support/http_impostor.h"
#include "support/matchers.h"
#include "support/temp_dir.h"
#include "unit/cloud/requests.h"

namespace bindery::cloud {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::FailsWith;
using testing::Get;
using ::testing::HasSubstr;
using testing::HttpImpostor;
using testing::IsOk;
using testing::Options;
using ::testing::SizeIs;
using ::testing::StartsWith;

HttpRequest Post(const std::string& url, const std::string& body) {
  HttpRequest request;
  request.method = "POST";
  request.url = url;
  request.body = body;
  request.headers.emplace_back("Content-Type", "application/json");
  return request;
}

TEST(CurlTransport, AnAnswerOfAnyStatusIsAValue) {
  HttpImpostor server;
  for (const int status : {200, 204, 301, 404, 409, 503}) {
    SCOPED_TRACE(status);
    const std::string path = "/" + std::to_string(status);
    server.When("GET", path).Reply(status, status == 204 ? "" : "body", {{"X-Thing", "a: b "}});
    CurlTransport transport(Options());
    const auto response = transport.Send(Get(server.Url(path)));
    ASSERT_THAT(response, IsOk());
    EXPECT_EQ(response->status, status);
    EXPECT_EQ(response->body, status == 204 ? "" : "body");
    EXPECT_EQ(response->Header("x-thing"), "a: b");
    EXPECT_EQ(response->Header("x-other"), std::nullopt);
  }
}

TEST(CurlTransport, SendsMethodHeadersAndBodyAndNothingOfItsOwnAccord) {
  HttpImpostor server;
  server.When("POST", "/p").Reply(200);
  server.When("DELETE", "/d").Reply(204);
  CurlTransport transport(Options());
  const std::string large(300'000, 'x');
  ASSERT_THAT(transport.Send(Post(server.Url("/p?q=1"), large)), IsOk());
  HttpRequest deletion = Get(server.Url("/d"));
  deletion.method = "DELETE";
  ASSERT_THAT(transport.Send(deletion), IsOk());

  const auto requests = server.Requests();
  ASSERT_EQ(requests.size(), 2U);
  EXPECT_EQ(requests[0].target, "/p?q=1");
  EXPECT_EQ(requests[0].body, large);
  EXPECT_EQ(requests[0].headers.at("content-type"), "application/json");
  EXPECT_EQ(requests[0].headers.at("user-agent"), "bindery/test");
  EXPECT_EQ(requests[0].headers.at("accept-encoding"), "gzip");
  EXPECT_EQ(requests[0].headers.count("expect"), 0U);
  EXPECT_EQ(requests[1].method, "DELETE");
  EXPECT_EQ(requests[1].headers.count("content-type"), 0U);
  EXPECT_EQ(requests[1].headers.count("content-length"), 0U);
}

TEST(CurlTransport, EachRequestHasATraceparentOfItsOwn) {
  HttpImpostor server;
  server.When("GET", "/").Reply(200);
  CurlTransport transport(Options());
  for (const char* traceparent : {"one", "another", "", "last"}) {
    HttpRequest request = Get(server.Url("/"));
    request.headers.emplace_back("X-Kept", "the same");
    request.traceparent = traceparent;
    ASSERT_THAT(transport.Send(request), IsOk());
    const HttpImpostor::Request received = server.Requests().back();
    EXPECT_EQ(received.headers.at("x-kept"), "the same");
    const auto header = received.headers.find("traceparent");
    EXPECT_EQ(header == received.headers.end() ? "" : header->second, traceparent);
  }
}

TEST(CurlTransport, APostWithoutABodySaysSo) {
  HttpImpostor server;
  server.When("POST", "/").Reply(200);
  CurlTransport transport(Options());
  HttpRequest request = Get(server.Url("/"));
  request.method = "POST";
  ASSERT_THAT(transport.Send(request), IsOk());
  EXPECT_EQ(server.Requests().at(0).headers.at("content-length"), "0");
  EXPECT_EQ(server.Requests().at(0).headers.count("content-type"), 0U);
}

TEST(CurlTransport, PathsAreSentAsTheyAre) {
  HttpImpostor server;
  server.When("GET", "/a/../b%3Ac").Reply(200);
  CurlTransport transport(Options());
  const auto response = transport.Send(Get(server.Url("/a/../b%3Ac")));
  ASSERT_THAT(response, IsOk());
  EXPECT_EQ(response->status, 200);
}

TEST(CurlTransport, RedirectsAreNotFollowed) {
  HttpImpostor server;
  server.When("GET", "/old").Reply(302, "", {{"Location", server.Url("/new")}});
  CurlTransport transport(Options());
  const auto response = transport.Send(Get(server.Url("/old")));
  ASSERT_THAT(response, IsOk());
  EXPECT_EQ(response->status, 302);
  EXPECT_THAT(server.Requests(), SizeIs(1));
}

TEST(CurlTransport, CallersOneAfterTheOtherShareAConnection) {
  HttpImpostor server;
  server.When("GET", "/").Reply(200);
  CurlTransport transport(Options());
  for (int i = 0; i < 20; ++i) ASSERT_THAT(transport.Send(Get(server.Url("/"))), IsOk());
  EXPECT_EQ(server.Connections(), 1);
}

TEST(CurlTransport, ManyCallersAreServedAtOnce) {
  HttpImpostor server;
  server.When("GET", "/slow").Hold();
  CurlTransport transport(Options());
  constexpr int kCallers = 32;
  std::atomic<int> cancelled = 0;
  std::vector<std::thread> callers;
  for (int i = 0; i < kCallers; ++i) {
    callers.emplace_back([&] {
      const auto response = transport.Send(Get(server.Url("/slow")));
      if (!response && response.error().code == Code::kCancelled) ++cancelled;
    });
  }
  // Nobody is answered: all of them must have been sent without waiting for another's end.
  EXPECT_TRUE(server.WaitForRequests(kCallers));
  transport.CancelAll();
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(cancelled, kCallers);
}

TEST(CurlTransport, NoMoreConnectionsThanAllowedAreMadeAndTheRestWaits) {
  HttpImpostor server;
  server.When("GET", "/").Reply(200).Delay(20ms);
  CurlTransportOptions options = Options();
  options.max_connections_per_host = 2;
  CurlTransport transport(std::move(options));
  std::atomic<int> answered = 0;
  std::vector<std::thread> callers;
  for (int i = 0; i < 8; ++i) {
    callers.emplace_back([&] { answered += transport.Send(Get(server.Url("/"))).has_value(); });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(answered, 8);
  EXPECT_LE(server.Connections(), 2);
}

TEST(CurlTransport, AGzippedAnswerArrivesUnpacked) {
  HttpImpostor server;
  const unsigned char packed[] = {0x1f, 0x8b, 0x08, 0,    0,    0,    0,    0, 0x02,
                                  0x03, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0, 0x86,
                                  0xa6, 0x10, 0x36, 0x05, 0,    0,    0};
  const std::string bytes(std::begin(packed), std::end(packed));
  server.When("GET", "/").Reply(200, bytes, {{"Content-Encoding", "gzip"}});
  CurlTransport transport(Options());
  const auto response = transport.Send(Get(server.Url("/")));
  ASSERT_THAT(response, IsOk());
  EXPECT_EQ(response->body, "hello");
}

TEST(CurlTransport, AnAnswerOverTheLimitIsAnErrorAndNotATruncation) {
  HttpImpostor server;
  server.When("GET", "/").Reply(200, std::string(1'001, 'x'));
  CurlTransport transport(Options());
  HttpRequest request = Get(server.Url("/"));
  request.max_response_bytes = 1'001;
  EXPECT_THAT(transport.Send(request), IsOk());
  request.max_response_bytes = 1'000;
  EXPECT_THAT(
      transport.Send(request),
      FailsWith(Code::kFailedPrecondition, server.Url() + " answered with more than 1000 bytes"));
}

TEST(CurlTransport, EndlessHeadersAreRefused) {
  HttpImpostor server;
  HttpImpostor::Headers headers;
  for (int i = 0; i < 6; ++i) headers.emplace_back("X-Large", std::string(60'000, 'h'));
  server.When("GET", "/").Reply(200, "", headers);
  CurlTransport transport(Options());
  EXPECT_THAT(transport.Send(Get(server.Url("/"))),
              FailsWith(Code::kFailedPrecondition,
                        server.Url() + " answered with more than 262144 bytes of headers"));
}

TEST(CurlTransport, NobodyListeningIsUnavailableAndNothingWasSent) {
  std::string url;
  {
    const HttpImpostor server;
    url = server.Url();
  }
  CurlTransport transport(Options());
  const auto response = transport.Send(Post(url + "/secret-path?key=secret", "{}"));
  ASSERT_THAT(response, FailsWith(Code::kUnavailable, StartsWith("no answer from " + url + ": ")));
  EXPECT_THAT(response.error().message, ::testing::Not(HasSubstr("secret")));
  EXPECT_FALSE(response.error().outcome_unknown);
  EXPECT_EQ(response.error().http_status, 0);
}

TEST(CurlTransport, AnAnswerThatDoesNotComeInTimeIsDeadlineExceeded) {
  HttpImpostor server;
  server.When("POST", "/").Hold();
  CurlTransport transport(Options());
  HttpRequest request = Post(server.Url("/"), "{}");
  request.timeout = 100ms;
  const auto response = transport.Send(request);
  ASSERT_THAT(response, FailsWith(Code::kDeadlineExceeded, HasSubstr(server.Url())));
  EXPECT_TRUE(response.error().outcome_unknown);
}

TEST(CurlTransport, NoTimeAtAllSendsNothing) {
  HttpImpostor server;
  CurlTransport transport(Options());
  HttpRequest request = Get(server.Url("/"));
  request.timeout = 0ms;
  const auto response = transport.Send(request);
  ASSERT_THAT(response, FailsWith(Code::kDeadlineExceeded, "no time was left for the request"));
  EXPECT_FALSE(response.error().outcome_unknown);
  EXPECT_THAT(server.Requests(), SizeIs(0));
}

TEST(CurlTransport, AConnectionLostBeforeTheAnswerLeavesTheOutcomeUnknown) {
  HttpImpostor server;
  server.When("POST", "/").Close();
  CurlTransport transport(Options());
  const auto response = transport.Send(Post(server.Url("/"), "{}"));
  ASSERT_THAT(response,
              FailsWith(Code::kUnavailable, StartsWith("no answer from " + server.Url())));
  EXPECT_TRUE(response.error().outcome_unknown);
}

TEST(CurlTransport, AWriteIsNeverSentTwiceWhenAKeptConnectionBreaks) {
  HttpImpostor server;
  server.When("GET", "/").Reply(200);
  server.When("POST", "/").Close().Times(1);
  server.When("POST", "/").Reply(200);
  CurlTransport transport(Options());
  ASSERT_THAT(transport.Send(Get(server.Url("/"))), IsOk());
  const auto response = transport.Send(Post(server.Url("/"), "{}"));
  ASSERT_THAT(response,
              FailsWith(Code::kUnavailable, "no answer from " + server.Url() +
                                                ": the connection broke before the answer came"));
  EXPECT_TRUE(response.error().outcome_unknown);
  EXPECT_THAT(server.Requests(), SizeIs(2));
}

TEST(CurlTransport, AnAnswerThatBreaksOffIsNoAnswer) {
  HttpImpostor server;
  server.When("GET", "/").Reply(200, std::string(1'000, 'x')).CloseAfter(500);
  CurlTransport transport(Options());
  EXPECT_THAT(transport.Send(Get(server.Url("/"))),
              FailsWith(Code::kUnavailable, StartsWith("no answer from " + server.Url())));
}

TEST(CurlTransport, WhatIsNotHttpIsRefusedUnsent) {
  CurlTransport transport(Options());
  for (const char* url : {"file:///etc/passwd", "gopher://127.0.0.1/", "dict://127.0.0.1/"}) {
    EXPECT_THAT(transport.Send(Get(url)), FailsWith(Code::kInvalidArgument, HasSubstr("rotocol")))
        << url;
  }
}

TEST(CurlTransport, AHeaderWithALineBreakIsRefusedWithoutShowingIt) {
  HttpImpostor server;
  CurlTransport transport(Options());
  HttpRequest request = Get(server.Url("/"));
  request.headers.emplace_back("Authorization", "Bearer t\r\nX-Injected: 1");
  EXPECT_THAT(transport.Send(request),
              FailsWith(Code::kInternal, "header \"Authorization\" holds a line break"));
  EXPECT_THAT(server.Requests(), SizeIs(0));
}

TEST(CurlTransport, ReachesAUnixSocket) {
  HttpImpostor server;
  const testing::TempDir dir;
  server.ListenOn(dir / "s.sock");
  server.When("GET", "/x").Reply(200, "over the socket");
  CurlTransport transport(Options());
  HttpRequest request = Get("http://localhost/x");
  request.unix_socket = dir / "s.sock";
  const auto response = transport.Send(request);
  ASSERT_THAT(response, IsOk());
  EXPECT_EQ(response->body, "over the socket");
  request.unix_socket = dir / "none.sock";
  EXPECT_THAT(transport.Send(request),
              FailsWith(Code::kUnavailable, HasSubstr("http://localhost")));
}

TEST(CurlTransport, TheEnvironmentsProxyNeverStandsBeforeLoopback) {
  ASSERT_EQ(::setenv("http_proxy", "http://127.0.0.1:1", 1), 0);
  ASSERT_EQ(::setenv("no_proxy", "corp.example", 1), 0);
  HttpImpostor server;
  server.When("GET", "/").Reply(200);
  CurlTransport transport(Options());
  EXPECT_THAT(transport.Send(Get(server.Url("/"))), IsOk());
  EXPECT_THAT(transport.Send(Get("http://elsewhere.example/")),
              FailsWith(Code::kUnavailable, HasSubstr("127.0.0.1 port 1")))
      << "the proxy is used for everything else";
  ASSERT_EQ(::unsetenv("http_proxy"), 0);
  ASSERT_EQ(::unsetenv("no_proxy"), 0);
}

TEST(CurlTransport, CancelAllEndsWhatIsUnderWayAndRefusesWhatComes) {
  HttpImpostor server;
  server.When("POST", "/").Hold();
  CurlTransport transport(Options());
  std::atomic<int> cancelled = 0;
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&] {
      const auto response = transport.Send(Post(server.Url("/"), "{}"));
      if (!response && response.error().code == Code::kCancelled &&
          response.error().outcome_unknown) {
        ++cancelled;
      }
    });
  }
  ASSERT_TRUE(server.WaitForRequests(4));
  transport.CancelAll();
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(cancelled, 4);

  const auto later = transport.Send(Get(server.Url("/")));
  ASSERT_THAT(later, FailsWith(Code::kCancelled, "cancelled: shutting down"));
  EXPECT_FALSE(later.error().outcome_unknown);
}

TEST(CurlTransport, TheObserverHearsOfEveryExchange) {
  HttpImpostor server;
  server.When("GET", "/").Reply(404);
  server.When("GET", "/lost").Close();
  std::vector<HttpExchange> seen;
  CurlTransportOptions options = Options();
  options.observer = [&seen](const HttpExchange& exchange) { seen.push_back(exchange); };
  {
    CurlTransport transport(std::move(options));
    HttpRequest request = Get(server.Url("/"));
    request.service = "backupdr";
    request.operation = "getIamPolicy";
    ASSERT_THAT(transport.Send(request), IsOk());
    request.url = server.Url("/lost");
    ASSERT_FALSE(transport.Send(request));
  }
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0].service, "backupdr");
  EXPECT_EQ(seen[0].operation, "getIamPolicy");
  EXPECT_EQ(seen[0].method, "GET");
  EXPECT_EQ("http://" + seen[0].host, server.Url());
  EXPECT_EQ(seen[0].status, 404);
  EXPECT_GT(seen[0].duration, 0ns);
  EXPECT_EQ(seen[1].status, 0);
}

}  // namespace
}  // namespace bindery::cloud
