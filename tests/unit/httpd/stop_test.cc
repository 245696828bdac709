#include <gtest/gtest.h>

#include <string>

#include "httpd/server.h"
#include "support/http_client.h"
#include "unit/httpd/patience.h"

namespace bindery::httpd {
namespace {

TEST(HttpServerStop, MayComeWhileConnectionsDo) {
  for (int round = 0; round < 300; ++round) {
    ServerOptions options;
    options.listen = "127.0.0.1:0";
    options.io_threads = 2;
    const auto server = Server::Start(
        options,
        [](const Request& /*request*/, const Responder& responder) { responder.Send({}); });
    ASSERT_TRUE(server);
    const std::string address = (*server)->Address();
    ASSERT_TRUE(testing::HttpConnection(address).connected());
    (*server)->Stop(testing::kPatience);
    EXPECT_FALSE(testing::HttpConnection(address).connected());
  }
}

}  // namespace
}  // namespace bindery::httpd
