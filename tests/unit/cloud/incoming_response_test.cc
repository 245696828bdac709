#include "cloud/curl/incoming_response.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace bindery::cloud {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

constexpr std::size_t kMaxBody = 8;

TEST(IncomingResponse, HasWhatArrived) {
  IncomingResponse incoming(kMaxBody);
  EXPECT_TRUE(incoming.TakeHeader("HTTP/1.1 200 OK\r\n"));
  EXPECT_TRUE(incoming.TakeHeader("Content-TYPE:  text/plain \r\n"));
  EXPECT_TRUE(incoming.TakeHeader("\r\n"));
  EXPECT_TRUE(incoming.TakeBody("abc"));
  EXPECT_TRUE(incoming.TakeBody("def"));
  EXPECT_EQ(incoming.ExceededLimit(), "");
  const cloud::HttpResponse response = incoming.Take(200);
  EXPECT_EQ(response.status, 200);
  EXPECT_THAT(response.headers, ElementsAre(Pair("content-type", "text/plain")));
  EXPECT_EQ(response.body, "abcdef");
}

TEST(IncomingResponse, ForgetsTheHeadersOfAnInterimAnswer) {
  IncomingResponse incoming(kMaxBody);
  for (const char* line : {"HTTP/1.1 103 Early Hints\r\n", "Link: one\r\n", "\r\n",
                           "HTTP/1.1 204 No Content\r\n", "Date: now\r\n", "\r\n"}) {
    EXPECT_TRUE(incoming.TakeHeader(line));
  }
  EXPECT_THAT(incoming.Take(204).headers, ElementsAre(Pair("date", "now")));
}

TEST(IncomingResponse, PassesOverLinesThatAreNoHeaders) {
  IncomingResponse incoming(kMaxBody);
  EXPECT_TRUE(incoming.TakeHeader("HTTP/1.1 200 OK\r\n"));
  EXPECT_TRUE(incoming.TakeHeader("no colon\r\n"));
  EXPECT_TRUE(incoming.TakeHeader(": no name\r\n"));
  EXPECT_TRUE(incoming.Take(200).headers.empty());
}

TEST(IncomingResponse, RefusesABodyOverTheLimit) {
  IncomingResponse incoming(kMaxBody);
  EXPECT_TRUE(incoming.TakeBody("12345678"));
  EXPECT_EQ(incoming.ExceededLimit(), "");
  EXPECT_FALSE(incoming.TakeBody("9"));
  EXPECT_EQ(incoming.ExceededLimit(), "8 bytes");
}

TEST(IncomingResponse, RefusesHeadersOverTheLimit) {
  IncomingResponse incoming(kMaxBody);
  const std::string line = "a: " + std::string((128U << 10U) - 3, 'x');
  EXPECT_TRUE(incoming.TakeHeader(line));
  EXPECT_TRUE(incoming.TakeHeader(line));
  EXPECT_EQ(incoming.ExceededLimit(), "");
  EXPECT_FALSE(incoming.TakeHeader("b"));
  EXPECT_EQ(incoming.ExceededLimit(), "262144 bytes of headers");
}

}  // namespace
}  // namespace bindery::cloud
