#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <optional>
#include <stdexcept>
#include <thread>

#include "httpd/router.h"
#include "httpd/server.h"
#include "support/http_client.h"
#include "support/matchers.h"
#include "unit/httpd/patience.h"

namespace bindery::httpd {
namespace {

using ::testing::ElementsAre;
using testing::HttpConnection;
using testing::HttpResult;
using testing::kPatience;
using namespace std::chrono_literals;

/// A server that begins a stream for each request and hands it to the test.
class Streaming : public ::testing::Test {
 protected:
  void Start(std::size_t backlog = 256U << 10U) {
    ServerOptions options;
    options.listen = "127.0.0.1:0";
    options.max_stream_backlog = backlog;
    auto server = Server::Start(options, [this](const Request&, const Responder& responder) {
      began_.set_value(responder.Begin({200, {{"Content-Type", "text/event-stream"}}, "first\n"}));
    });
    if (!server) throw std::runtime_error(ToString(server.error()));
    server_ = std::move(*server);
    connection_.emplace(server_->Address());
  }

  Stream Begun(const std::string& method = "GET") {
    connection_->SendRequest(method, "/");
    auto begun = began_.get_future();
    if (begun.wait_for(kPatience) != std::future_status::ready) throw std::runtime_error("no");
    return begun.get();
  }

  static void AwaitEnd(const Stream& stream) {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    while (stream.is_open() && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::yield();
    }
    EXPECT_FALSE(stream.is_open());
  }

  std::promise<Stream> began_;
  std::unique_ptr<Server> server_;
  std::optional<HttpConnection> connection_;
};

TEST_F(Streaming, SendsWhatIsWrittenAndEndsWithTheConnection) {
  Start();
  const Stream stream = Begun();
  const HttpResult head = connection_->Read();
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.Header("Content-Type"), "text/event-stream");
  EXPECT_EQ(head.Header("Content-Length"), "");
  EXPECT_EQ(head.Header("Connection"), "close");
  EXPECT_EQ(connection_->ReadBytes(6), "first\n");
  EXPECT_TRUE(stream.Write("second\n"));
  EXPECT_EQ(connection_->ReadBytes(7), "second\n");
  EXPECT_TRUE(stream.Write("third\n"));
  EXPECT_TRUE(stream.Write("fourth\n"));
  stream.Close();
  EXPECT_EQ(connection_->ReadBytes(13), "third\nfourth\n");
  EXPECT_TRUE(connection_->Closed());
  EXPECT_FALSE(stream.Write("more"));
}

TEST_F(Streaming, APeerThatGoesIsNoticed) {
  Start();
  const Stream stream = Begun();
  connection_.reset();
  AwaitEnd(stream);
  EXPECT_FALSE(stream.Write("more"));
}

TEST_F(Streaming, APeerThatReadsTooSlowlyIsDropped) {
  Start(1000);
  const Stream stream = Begun();
  EXPECT_TRUE(stream.Write(std::string(999, 'x')));
  EXPECT_FALSE(stream.Write(std::string(1001, 'y')));
  EXPECT_FALSE(stream.is_open());
  EXPECT_EQ(connection_->Read().status, 200);
  while (!connection_->ReadBytes(1).empty()) {
  }
  EXPECT_TRUE(connection_->Closed());
}

TEST_F(Streaming, StoppingEndsStreamsAtOnce) {
  Start();
  const Stream stream = Begun();
  EXPECT_EQ(connection_->Read().status, 200);
  server_->Stop(20s);
  EXPECT_FALSE(stream.is_open());
  EXPECT_FALSE(stream.Write("more"));
  server_.reset();
  EXPECT_FALSE(stream.Write("more"));
}

TEST_F(Streaming, HeadHasNoBody) {
  Start();
  const Stream stream = Begun("HEAD");
  EXPECT_EQ(connection_->Read(true).status, 200);
  EXPECT_TRUE(connection_->Closed());
  AwaitEnd(stream);
}

TEST(RouterRoutes, AreListedAsTheyWereAdded) {
  Router router;
  const auto handler = [](const Request&, const PathParams&, const Responder&) {};
  router.Add("GET", "/a/{name}", handler);
  router.Add("POST", "/b/{rest...}", handler);
  EXPECT_THAT(router.Routes(), ElementsAre("GET /a/{name}", "POST /b/{rest...}"));
}

}  // namespace
}  // namespace bindery::httpd
