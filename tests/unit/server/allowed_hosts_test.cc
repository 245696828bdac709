#include "server/requests/allowed_hosts.h"

#include "server_fixture.h"

namespace bindery::server {
namespace {

using ::testing::ElementsAre;
using testing::Fetch;
using ::testing::HasSubstr;
using testing::HttpConnection;
using testing::HttpHeaders;
using testing::HttpResult;
using testing::IsOk;

struct HostCase {
  const char* host;
  bool allowed;
};

class Hosts : public ::testing::TestWithParam<HostCase> {};

TEST_P(Hosts, AreThoseThatNobodyElseCanPointHere) {
  const AllowedHosts hosts("bindery.example:9817",
                           {"Other.example", "*.corp.example", "192.0.2.7"});
  httpd::Request request;
  request.host = GetParam().host;
  request.headers = {{"Host", request.host}};
  request.peer.local = "::ffff:10.1.2.3";
  EXPECT_EQ(hosts.Allow(request), GetParam().allowed) << GetParam().host;
  request.peer.is_unix = true;
  EXPECT_TRUE(hosts.Allow(request));
}

INSTANTIATE_TEST_SUITE_P(
    , Hosts,
    ::testing::Values(
        HostCase{"localhost", true}, HostCase{"LOCALHOST:1", true}, HostCase{"localhost.", true},
        HostCase{"a.localhost:9817", true}, HostCase{"127.0.0.1:9817", true},
        HostCase{"127.8.8.8", true}, HostCase{"[::1]:9817", true}, HostCase{"[::1]", true},
        HostCase{"[0:0:0:0:0:0:0:1]", true}, HostCase{"[::ffff:127.0.0.1]", true},
        HostCase{"10.1.2.3:9817", true}, HostCase{"[::ffff:10.1.2.3]", true},
        HostCase{"bindery.example:80", true}, HostCase{"other.EXAMPLE", true},
        HostCase{"a.corp.example", true}, HostCase{"a.b.corp.example.", true},
        HostCase{"192.0.2.7:9817", true},
        // What follows is somebody else's, or nobody's.
        HostCase{"evil.example", false}, HostCase{"evil.example:9817", false},
        HostCase{"corp.example", false}, HostCase{"evilcorp.example", false},
        HostCase{".corp.example", false}, HostCase{"localhost.evil.example", false},
        HostCase{"127.0.0.1.evil.example", false}, HostCase{"evillocalhost", false},
        HostCase{"10.1.2.4", false}, HostCase{"0.0.0.0", false}, HostCase{"[::]", false},
        HostCase{"0x7f.1", false}, HostCase{"2130706433", false}, HostCase{"0177.0.0.1", false},
        HostCase{"", false}, HostCase{":9817", false}, HostCase{"localhost:", true},
        HostCase{"localhost:x", false}, HostCase{"localhost:9817:1", false},
        HostCase{"a@localhost", false}, HostCase{"localhost/evil", false},
        HostCase{"[localhost]", false}, HostCase{"[::1", false}, HostCase{"[::1]x", false},
        HostCase{"::1", false}, HostCase{"local host", false}, HostCase{"localhost,evil", false},
        HostCase{"*", false}, HostCase{"*.corp.example", false}));

TEST(AllowedHosts, AStarAllowsAll) {
  httpd::Request request;
  request.host = "evil.example";
  request.headers = {{"Host", "evil.example"}};
  EXPECT_TRUE(AllowedHosts(":9817", {"*"}).Allow(request));
  EXPECT_FALSE(AllowedHosts(":9817", {}).Allow(request));
  request.host = "0.0.0.0";
  EXPECT_FALSE(AllowedHosts("0.0.0.0:9817", {}).Allow(request));
}

TEST(AllowedHosts, HttpWithoutHostsNeedsNone) { EXPECT_TRUE(AllowedHosts(":9817", {}).Allow({})); }

class HostCheck : public testing::ServerTest {
 protected:
  void SetUp() override {
    ServerTest::SetUp();
    server_.reset();
    ApiParts parts = Parts();
    parts.refused = [this](std::string_view reason) { refusals_.emplace_back(reason); };
    auto started = ApiServer::Start({"127.0.0.1:0", dir_ / "bindery.sock"}, parts);
    ASSERT_THAT(started, IsOk());
    server_ = std::move(*started);
  }
  [[nodiscard]] HttpResult As(const std::string& path, HttpHeaders headers) const {
    return Fetch("GET", "http://" + server_->Address() + path, std::move(headers));
  }
  std::vector<std::string> refusals_;
};

TEST_F(HostCheck, APageWhoseNameWasPointedHereGetsNothing) {
  for (const char* path : {"/", "/metrics", "/livez", "/api/v1/drift", "/api/v1/events/stream",
                           "/nothing", "/assets/x", "/access?principal=x"}) {
    const HttpResult answer = As(path, {{"Host", "evil.example:9817"}});
    EXPECT_EQ(answer.status, 421) << path;
    EXPECT_THAT(answer.body, HasSubstr("server.allowedHosts")) << path;
    EXPECT_EQ(Fetch("GET", "unix:" + dir_ / "bindery.sock" + ":/livez", {{"Host", "evil.example"}})
                  .status,
              200);
  }
  EXPECT_EQ(refusals_.size(), 8U);
  EXPECT_EQ(refusals_.front(), "host");
}

TEST_F(HostCheck, TheRequestLineIsJudgedToo) {
  HttpConnection connection(server_->Address());
  connection.Send("GET http://evil.example/livez HTTP/1.1\r\nHost: evil.example\r\n\r\n");
  EXPECT_EQ(connection.Read().status, 421);
  connection.Send("GET HTTP://localhost/livez HTTP/1.1\r\nHost: LOCALHOST\r\n\r\n");
  EXPECT_EQ(connection.Read().status, 200);
  connection.Send("GET http://evil.example/livez HTTP/1.0\r\n\r\n");
  EXPECT_EQ(connection.Read().status, 421);
  HttpConnection old(server_->Address());
  old.Send("GET /livez HTTP/1.0\r\n\r\n");
  EXPECT_EQ(old.Read().status, 200);
}

TEST_F(HostCheck, WhatAnotherSitesPageHoldsIsNotServed) {
  const HttpHeaders held = {{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Mode", "no-cors"}};
  EXPECT_EQ(As("/api/v1/plan", held).status, 403);
  EXPECT_EQ(As("/api/v1/events/stream", held).status, 403);
  EXPECT_EQ(As("/", {{"Sec-Fetch-Site", "same-site"}, {"Sec-Fetch-Mode", "cors"}}).status, 403);
  EXPECT_EQ(As("/", {{"Sec-Fetch-Site", "cross-site"},
                     {"Sec-Fetch-Mode", "navigate"},
                     {"Sec-Fetch-Dest", "iframe"}})
                .status,
            403);
  EXPECT_THAT(refusals_, ElementsAre("cross-site", "cross-site", "cross-site", "cross-site"));
  // A link is followed by the user, who may read what there is.
  EXPECT_EQ(As("/", {{"Sec-Fetch-Site", "cross-site"},
                     {"Sec-Fetch-Mode", "navigate"},
                     {"Sec-Fetch-Dest", "document"}})
                .status,
            200);
  EXPECT_EQ(As("/livez", {{"Sec-Fetch-Site", "same-origin"}, {"Sec-Fetch-Mode", "cors"}}).status,
            200);
  EXPECT_THAT(control_.TakeCalls(), ElementsAre());
}

}  // namespace
}  // namespace bindery::server
