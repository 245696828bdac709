// Long bodies, compressed while they wait.

#include "httpd/coding/packed_body.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "httpd/server.h"
#include "support/http_client.h"

namespace bindery::httpd {
namespace {

using testing::HttpConnection;
using testing::HttpResult;

std::string Line(int number) { return "{\"name\":\"resource-" + std::to_string(number) + "\"},"; }

std::string Unpacked(PackedBody body) {
  body.Finish();
  PackedBody::Reader reader(std::make_shared<const PackedBody>(std::move(body)));
  std::string text;
  for (std::string_view piece = reader.Next(); !piece.empty(); piece = reader.Next()) text += piece;
  return text;
}

TEST(PackedBody, GivesBackWhatWasAppended) {
  for (const int lines : {0, 1, 1'000, 100'000}) {
    PackedBody body;
    std::string text;
    for (int i = 0; i < lines; ++i) {
      body.Append(Line(i));
      text += Line(i);
    }
    EXPECT_EQ(body.size(), text.size());
    EXPECT_EQ(Unpacked(std::move(body)), text) << lines;
  }
}

TEST(PackedBody, NeedsAFractionOfItsSize) {
  PackedBody body;
  for (int i = 0; i < 500'000; ++i) body.Append(Line(i));
  body.Finish();
  EXPECT_GT(body.size(), 10'000'000U);
  EXPECT_LT(body.packed_size(), body.size() / 5);
}

TEST(PackedBody, IsSentInPiecesHoweverItCame) {
  constexpr std::size_t kMost = 256U << 10U;
  PackedBody body;
  body.Append(std::string(1'000'000, 'x'));
  body.Finish();
  PackedBody::Reader reader(std::make_shared<const PackedBody>(std::move(body)));
  std::size_t size = 0;
  for (std::string_view piece = reader.Next(); !piece.empty(); piece = reader.Next()) {
    EXPECT_LE(piece.size(), kMost);
    size += piece.size();
  }
  EXPECT_EQ(size, 1'000'000U);
}

TEST(PackedBody, IsPutTogetherFromOthers) {
  PackedBody body;
  body.Append("a");
  PackedBody other;
  other.Append("b");
  body.Append(std::move(other));
  body.Append(PackedBody());
  body.Append("c");
  EXPECT_EQ(body.size(), 3U);
  EXPECT_EQ(Unpacked(std::move(body)), "abc");
}

/// A server that answers with a long body.
class PackedAnswers : public ::testing::Test {
 protected:
  PackedAnswers() {
    auto body = std::make_shared<PackedBody>();
    for (int i = 0; i < 50'000; ++i) {
      body->Append(Line(i));
      text_ += Line(i);
    }
    body->Finish();
    ServerOptions options;
    options.listen = "127.0.0.1:0";
    auto server =
        Server::Start(options, [body](const Request& request, const Responder& responder) {
          Response response = TextResponse(200, "short");
          if (request.path == "/long") {
            response.body.clear();
            response.packed = body;
          }
          responder.Send(std::move(response));
        });
    if (!server) throw std::runtime_error(ToString(server.error()));
    server_ = std::move(*server);
  }

  std::string text_;
  std::unique_ptr<Server> server_;
};

TEST_F(PackedAnswers, AreSentWholeWithTheirLengthAndTheConnectionGoesOn) {
  HttpConnection connection(server_->Address());
  for (int i = 0; i < 2; ++i) {
    connection.SendRequest("GET", "/long");
    const HttpResult answer = connection.Read();
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.Header("Content-Length"), std::to_string(text_.size()));
    EXPECT_TRUE(answer.body == text_);
    connection.SendRequest("GET", "/");
    EXPECT_EQ(connection.Read().body, "short");
  }
}

TEST_F(PackedAnswers, HaveNoBodyForHead) {
  HttpConnection connection(server_->Address());
  connection.SendRequest("HEAD", "/long");
  EXPECT_EQ(connection.Read(true).Header("Content-Length"), std::to_string(text_.size()));
  connection.SendRequest("GET", "/");
  EXPECT_EQ(connection.Read().body, "short");
}

TEST_F(PackedAnswers, EndWithAPeerThatGoes) {
  for (int i = 0; i < 3; ++i) {
    HttpConnection connection(server_->Address());
    connection.SendRequest("GET", "/long");
  }
  HttpConnection connection(server_->Address());
  connection.SendRequest("GET", "/");
  EXPECT_EQ(connection.Read().body, "short");
}

}  // namespace
}  // namespace bindery::httpd
