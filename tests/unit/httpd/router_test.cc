#include "httpd/router.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/http_client.h"
#include "support/matchers.h"

namespace bindery::httpd {
namespace {

using testing::Fetch;
using testing::HttpResult;
using testing::IsOk;

class RouterTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto echo = [](std::string name) {
      return [name](const Request&, const PathParams& params, const Responder& responder) {
        std::string text = name;
        for (const auto& [key, value] : params) text += " " + key + "=" + value;
        responder.Send(TextResponse(200, text));
      };
    };
    router_.Add("GET", "/", echo("root"));
    router_.Add("GET", "/things/special", echo("special"));
    router_.Add("GET", "/things/{id}", echo("thing"));
    router_.Add("POST", "/things/{id}", echo("post"));
    router_.Add("GET", "/files/{path...}", echo("files"));
    ServerOptions options;
    options.listen = "127.0.0.1:0";
    auto server = Server::Start(options, [this](Request request, Responder responder) {
      router_.Serve(std::move(request), std::move(responder));
    });
    ASSERT_THAT(server, IsOk());
    server_ = std::move(*server);
  }
  HttpResult Send(const char* method, const std::string& path) {
    return Fetch(method, "http://" + server_->Address() + path);
  }

  Router router_;
  std::unique_ptr<Server> server_;
};

TEST_F(RouterTest, FirstMatchingRouteCountsAndSegmentsAreDecodedOneByOne) {
  EXPECT_EQ(Send("GET", "/").body, "root");
  EXPECT_EQ(Send("GET", "/things/special").body, "special");
  EXPECT_EQ(Send("GET", "/things/a%2Fb%20c?q=1").body, "thing id=a/b c");
  EXPECT_EQ(Send("POST", "/things/x").body, "post id=x");
  EXPECT_EQ(Send("GET", "/files/a/b%20c").body, "files path=a/b c");
  EXPECT_EQ(Send("GET", "/files/").body, "files path=");
}

TEST_F(RouterTest, UnknownPathsAre404AndKnownOnesWithAnotherMethod405) {
  EXPECT_EQ(Send("GET", "/things").status, 404);
  EXPECT_EQ(Send("GET", "/things/").status, 404);
  EXPECT_EQ(Send("GET", "/things/a/b").status, 404);
  const HttpResult refused = Send("DELETE", "/things/a");
  EXPECT_EQ(refused.status, 405);
  EXPECT_EQ(refused.Header("Allow"), "GET, POST");
}

TEST_F(RouterTest, AHandlerOfItsOwnMaySayThatTheMethodIsWrong) {
  router_.SetOtherMethod(
      [](const Request& request, const std::string& allowed, const Responder& responder) {
        responder.Send(TextResponse(405, request.method + ": use " + allowed));
      });
  EXPECT_EQ(Send("DELETE", "/things/a").body, "DELETE: use GET, POST");
}

TEST_F(RouterTest, HeadIsServedByGet) {
  const HttpResult result = Send("HEAD", "/things/a");
  EXPECT_EQ(result.status, 200);
  EXPECT_EQ(result.Header("Content-Length"), "10");
  EXPECT_EQ(result.body, "");
}

}  // namespace
}  // namespace bindery::httpd
