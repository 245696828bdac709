#include "httpd/url.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "httpd/message.h"

namespace bindery::httpd {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;
using ::testing::Pair;

TEST(PercentDecode, ReplacesEscapesAndRefusesBrokenOnes) {
  EXPECT_THAT(PercentDecode("dashboard%3Aabc"), Optional(std::string("dashboard:abc")));
  EXPECT_THAT(PercentDecode("%c3%A9"), Optional(std::string("é")));
  EXPECT_THAT(PercentDecode("a+b"), Optional(std::string("a+b")));
  EXPECT_THAT(PercentDecode("a+b", true), Optional(std::string("a b")));
  EXPECT_THAT(PercentDecode(""), Optional(std::string()));
  for (const char* broken : {"%", "%4", "%4g", "%zz", "a%", "%00", "%-1"}) {
    EXPECT_EQ(PercentDecode(broken), std::nullopt) << broken;
  }
}

TEST(PercentEncode, IsUndoneByDecoding) {
  EXPECT_EQ(PercentEncode("a b/c:ü~"), "a%20b%2Fc%3A%C3%BC~");
  EXPECT_EQ(PercentEncode("a/b:c", "/:"), "a/b:c");
  EXPECT_THAT(PercentDecode(PercentEncode("\x01 %+&=?#é")), Optional(std::string("\x01 %+&=?#é")));
}

TEST(ParseQuery, KeepsOrderAndRepetitions) {
  const auto query = ParseQuery("b=1&a=x%20y+z&&b=2&flag&e=");
  ASSERT_TRUE(query.has_value());
  EXPECT_THAT(*query, ElementsAre(Pair("b", "1"), Pair("a", "x y z"), Pair("b", "2"),
                                  Pair("flag", ""), Pair("e", "")));
  EXPECT_EQ(ParseQuery("a=%x"), std::nullopt);
}

TEST(Headers, NamesCompareWithoutRegardToCase) {
  Headers headers{{"Content-Type", "a"}, {"X", "1"}, {"x", "2"}};
  EXPECT_EQ(headers.Get("content-TYPE"), "a");
  EXPECT_EQ(headers.Get("none"), "");
  EXPECT_EQ(headers.Find("none"), nullptr);
  headers.Set("x", "3");
  EXPECT_THAT(headers.fields(), ElementsAre(Pair("Content-Type", "a"), Pair("x", "3")));
}

}  // namespace
}  // namespace bindery::httpd
