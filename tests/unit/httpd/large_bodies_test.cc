// Bodies that may be larger than those of other requests.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "httpd/server.h"
#include "support/http_client.h"

namespace bindery::httpd {
namespace {

using testing::HttpConnection;
using testing::HttpResult;

/// "/large" takes bodies of up to 1000 bytes, one at a time; everything else 100 bytes.
ServerOptions WithLargeBodies() {
  ServerOptions options;
  options.listen = "127.0.0.1:0";
  options.max_body_bytes = 100;
  options.large = [](std::string_view path) { return path == "/large"; };
  options.max_large_body_bytes = 1000;
  options.large_bodies = 1;
  return options;
}

std::unique_ptr<Server> Start(Handler handler) {
  auto server = Server::Start(WithLargeBodies(), std::move(handler));
  if (!server) throw std::runtime_error(ToString(server.error()));
  return std::move(*server);
}

std::string Post(const std::string& path, std::size_t size) {
  return "POST " + path + " HTTP/1.1\r\nHost: t\r\nContent-Length: " + std::to_string(size) +
         "\r\n\r\n" + std::string(size, 'x');
}

std::string PostInChunks(const std::string& path, std::size_t size) {
  std::ostringstream text;
  text << "POST " << path << " HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n"
       << std::hex << size << "\r\n"
       << std::string(size, 'x') << "\r\n0\r\n\r\n";
  return text.str();
}

TEST(HttpServer, BodiesMayBeLargerAtSomePaths) {
  const auto server = Start([](const Request& request, const Responder& responder) {
    responder.Send(TextResponse(200, std::to_string(request.body.size())));
  });
  struct Case {
    std::string bytes;
    int status;
    std::string body;
  };
  const std::string too_large = "413 Payload Too Large: request body too large";
  const Case cases[] = {
      {Post("/large", 1000), 200, "1000"},
      {Post("/large", 1001), 413, too_large + ": at most 1000 bytes\n"},
      {PostInChunks("/large", 1000), 200, "1000"},
      {PostInChunks("/large", 1001), 413, too_large + "\n"},
      {Post("/other", 100), 200, "100"},
      {Post("/other", 101), 413, too_large + "\n"},
      {PostInChunks("/other", 100), 200, "100"},
      {PostInChunks("/other", 101), 413, too_large + "\n"},
      {"GET /large HTTP/1.1\r\nHost: t\r\n\r\n", 200, "0"},
  };
  for (const Case& one : cases) {
    HttpConnection connection(server->Address());
    connection.Send(one.bytes);
    const HttpResult result = connection.Read();
    EXPECT_EQ(result.status, one.status) << one.bytes;
    EXPECT_EQ(result.body, one.body) << one.bytes;
  }
}

TEST(HttpServer, OnlySoManyLargeBodiesAreHeldAtOnce) {
  std::vector<std::promise<Responder>> large(2);
  std::atomic<std::size_t> taken = 0;
  const auto server = Start([&](const Request& request, const Responder& responder) {
    if (request.body.size() > 100) return large.at(taken++).set_value(responder);
    responder.Send(TextResponse(200, "small"));
  });
  HttpConnection first(server->Address());
  first.Send(Post("/large", 200));
  const Responder held = large.at(0).get_future().get();
  HttpConnection second(server->Address());
  second.Send(Post("/large", 200));
  const HttpResult refused = second.Read();
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.body, "503 Service Unavailable: too many large requests\n");
  HttpConnection small(server->Address());
  small.Send(Post("/large", 100));
  EXPECT_EQ(small.Read().body, "small");
  held.Send(TextResponse(200, "done"));
  EXPECT_EQ(first.Read().body, "done");
  first.Send(Post("/large", 200));
  large.at(1).get_future().get().Send(TextResponse(200, "again"));
  EXPECT_EQ(first.Read().body, "again");
}

}  // namespace
}  // namespace bindery::httpd
