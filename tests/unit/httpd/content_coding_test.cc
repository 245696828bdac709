#include "httpd/coding/content_coding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/gzip.h"

namespace bindery::httpd {
namespace {

using testing::Deflate;
using testing::Gzip;

Request WithBody(const std::string& coding, std::string body) {
  Request request;
  request.headers = {{"Content-Type", "application/json"}, {"content-encoding", coding}};
  request.body = std::move(body);
  return request;
}

/// The decoded body; else the status and the reason.
std::string Decoded(const std::string& coding, std::string body, const DecodeLimits& limits = {}) {
  Request request = WithBody(coding, std::move(body));
  const auto done = DecodeBody(request, limits);
  if (!done) return std::to_string(done.error().status) + " " + done.error().message;
  EXPECT_EQ(request.headers.Find("Content-Encoding"), nullptr);
  EXPECT_EQ(request.headers.Get("Content-Type"), "application/json");
  return request.body;
}

TEST(DecodeBody, TakesTheCodingsOfClients) {
  const std::string text = R"({"policy": {"bindings": []}})";
  EXPECT_EQ(Decoded("gzip", Gzip(text)), text);
  EXPECT_EQ(Decoded("GZIP", Gzip(text)), text);
  EXPECT_EQ(Decoded("x-gzip", Gzip(text)), text);
  EXPECT_EQ(Decoded("identity", text), text);
  EXPECT_EQ(Decoded("deflate", Deflate(text)), text);
  EXPECT_EQ(Decoded("gzip", Gzip("")), "");
}

TEST(DecodeBody, TakesWhatZlibItselfMade) {
  // Python: gzip.compress(b"hello", mtime=0), and zlib.compress(b"hello").
  const std::string gzip(
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff\xcb\x48\xcd\xc9\xc9\x07\x00\x86\xa6\x10\x36\x05\x00"
      "\x00\x00",
      25);
  const std::string zlib("\x78\x9c\xcb\x48\xcd\xc9\xc9\x07\x00\x06\x2c\x02\x15", 13);
  EXPECT_EQ(Decoded("gzip", gzip), "hello");
  EXPECT_EQ(Decoded("deflate", zlib), "hello");
}

TEST(DecodeBody, TakesEveryPartOfAHeaderAndSeveralMembers) {
  std::string named = Gzip("a");
  named[3] = 0x1E;  // Extra field, name, comment and a checksum of the header.
  named.insert(10, std::string("\x02\x00xyname\0comment\0\x12\x34", 19));
  EXPECT_EQ(Decoded("gzip", named), "a");
  EXPECT_EQ(Decoded("gzip", Gzip("one ") + Gzip("two")), "one two");
}

TEST(DecodeBody, RefusesDamage) {
  const std::string good = Gzip("hello, hello, hello");
  for (std::size_t cut = 1; cut <= good.size(); ++cut) {
    EXPECT_EQ(Decoded("gzip", good.substr(0, good.size() - cut)), "400 the body is not valid gzip")
        << cut;
  }
  for (const std::size_t at : {0U, 1U, 2U, 12U}) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x55);
    EXPECT_EQ(Decoded("gzip", bad), "400 the body is not valid gzip") << at;
  }
  for (std::size_t at = good.size() - 8; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x55);
    EXPECT_EQ(Decoded("gzip", bad), "400 the body is not valid gzip") << at;
  }
  EXPECT_EQ(Decoded("gzip", good + "x"), "400 the body is not valid gzip");
  EXPECT_EQ(Decoded("deflate", "\xFF\xFF"), "400 the body is not valid deflate");
}

TEST(DecodeBody, StopsABombBeforeItIsMade) {
  DecodeLimits limits;
  limits.small_bytes = 1000;
  limits.max_ratio = 10;
  limits.max_bytes = 100'000;
  EXPECT_EQ(Decoded("gzip", Gzip(std::string(900, 'a')), limits).size(), 900U);
  EXPECT_THAT(Decoded("gzip", Gzip(std::string(2000, 'a')), limits),
              ::testing::StartsWith("413 the body is larger than 1000 bytes when decoded"));
  EXPECT_THAT(Decoded("deflate", Deflate(std::string(2000, 'a')), limits),
              ::testing::StartsWith("413 "));
  // The second member counts with the first.
  EXPECT_THAT(Decoded("gzip", Gzip(std::string(600, 'a')) + Gzip(std::string(600, 'a')), limits),
              ::testing::StartsWith("413 "));
  const std::string bomb = Gzip(std::string(std::size_t{2} << 20U, '\0'));
  EXPECT_THAT(Decoded("gzip", bomb), ::testing::StartsWith("413 "));
  EXPECT_LT(bomb.size(), std::size_t{8} << 10U);
}

TEST(DecodeBody, RefusesOtherCodings) {
  EXPECT_EQ(Decoded("br", "x"), "415 Content-Encoding \"br\" is not known");
  EXPECT_EQ(Decoded("gzip, gzip", "x"), "415 Content-Encoding \"gzip, gzip\" is not known");
}

TEST(DecodeBody, LeavesABodyWithoutACodingAlone) {
  Request request;
  request.body = Gzip("x");
  const std::string before = request.body;
  ASSERT_TRUE(DecodeBody(request));
  EXPECT_EQ(request.body, before);
}

}  // namespace
}  // namespace bindery::httpd
