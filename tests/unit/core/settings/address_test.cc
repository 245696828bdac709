#include "core/settings/address.h"

#include "support/matchers.h"

namespace bindery {
namespace {

using testing::FailsWith;
using testing::IsOk;

TEST(ListenAddress, TextAndParseAreInverse) {
  for (const char* text :
       {"127.0.0.1:9817", "[::1]:9817", ":9817", "localhost:0", "a-b.example:65535"}) {
    const auto address = ParseListenAddress(text);
    ASSERT_THAT(address, IsOk()) << text;
    EXPECT_EQ(address->Text(), text);
  }
}

TEST(ListenAddress, WhatIsNotOneIsRefused) {
  for (const char* text :
       {"", "9817", "127.0.0.1", "::1:9817", "[::1]", "[::1", "[host]:1", "a b:1", "/run/x:1"}) {
    EXPECT_FALSE(ParseListenAddress(text)) << text;
  }
  EXPECT_THAT(
      ParseListenAddress("127.0.0.1"),
      FailsWith(Code::kInvalidArgument, "\"127.0.0.1\" is not an address such as 127.0.0.1:9817"));
}

TEST(ListenAddress, APortIsAWholeNumberOfSixteenBits) {
  for (const char* text : {"h:65536", "h:-1", "h:", "h:http", "h:80x"}) {
    EXPECT_THAT(ParseListenAddress(text),
                FailsWith(Code::kInvalidArgument,
                          "\"" + std::string(text) +
                              "\" has a bad port: expected a number from 0 to 65535"))
        << text;
  }
}

TEST(Loopback, IsJudgedByTheWholeHost) {
  for (const char* host :
       {"localhost", "LOCALHOST", "a.localhost", "127.0.0.1", "127.255.0.9", "::1"}) {
    EXPECT_TRUE(IsLoopbackHost(host)) << host;
  }
  for (const char* host : {"", "0.0.0.0", "::", "127.evil.example", "127.0.0.1.example",
                           "128.0.0.1", "127.0.0", "127.0.0.256", "notlocalhost",
                           "localhost.example", "0127.0.0.1", "127.0.0.01", "127.00.0.1"}) {
    EXPECT_FALSE(IsLoopbackHost(host)) << host;
  }
}

TEST(ServiceUrl, LosesItsTrailingSlashes) {
  EXPECT_EQ(*ParseServiceUrl("https://api.datadoghq.eu//"), "https://api.datadoghq.eu");
  EXPECT_EQ(*ParseServiceUrl("https://proxy.example:8443/google/"),
            "https://proxy.example:8443/google");
}

TEST(ServiceUrl, PlainHttpIsForLoopbackOnly) {
  EXPECT_THAT(ParseServiceUrl("http://127.0.0.1:9818"), IsOk());
  EXPECT_THAT(ParseServiceUrl("http://[::1]:9818"), IsOk());
  EXPECT_THAT(
      ParseServiceUrl("http://backupdr.example"),
      FailsWith(Code::kInvalidArgument,
                "\"http://backupdr.example\" must begin with https:// (plain http is accepted "
                "only for localhost)"));
}

TEST(ServiceUrl, WhatIsNotAPlainBaseIsRefused) {
  struct Case {
    const char* url;
    const char* message;
  };
  const Case cases[] = {
      {"backupdr.example", "\"backupdr.example\" is not a URL such as https://host.example"},
      {"ftp://h", "\"ftp://h\" is not a URL such as https://host.example"},
      {"https://", "\"https://\" names no host"},
      {"https:///x", "\"https:///x\" names no host"},
      {"https://h:0", "\"https://h:0\" has a bad port"},
      {"https://h:99999", "\"https://h:99999\" has a bad port"},
      {"https://h?x=1", "\"https://h?x=1\" must not hold a query or a fragment"},
      {"https://u:secret@h", "a service URL must not hold a user or a password"},
      {"https://h/a b", "\"https://h/a b\" holds white space or quotes"},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(ParseServiceUrl(c.url), FailsWith(Code::kInvalidArgument, c.message)) << c.url;
  }
}

}  // namespace
}  // namespace bindery
