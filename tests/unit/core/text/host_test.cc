#include "core/text/host.h"

#include <gtest/gtest.h>

namespace bindery {
namespace {

TEST(HostOfAuthority, HasOneFormForEachHost) {
  const auto of = [](std::string_view text) { return HostOfAuthority(text).value_or("none"); };
  EXPECT_EQ(of("Example.COM:80"), "example.com");
  EXPECT_EQ(of("example.com."), "example.com");
  EXPECT_EQ(of("10.0.0.1"), "10.0.0.1");
  EXPECT_EQ(of("[2001:DB8:0:0::1]:80"), "2001:db8::1");
  EXPECT_EQ(of("[::ffff:10.0.0.1]"), "10.0.0.1");
  EXPECT_EQ(of("[fe80::1%eth0]"), "fe80::1");
  for (const char* bad : {"", ":80", ".", "a b", "a@b", "[::1", "[a]", "::1", "a:x", "a:123456",
                          "a:1:2", "a/b", "*.example.com", "..", "\u00e9.example"}) {
    EXPECT_EQ(of(bad), "none") << bad;
  }
  EXPECT_EQ(of(std::string(256, 'a')), "none");
}

TEST(HostPattern, IsAHostOrWhatIsBelowOne) {
  for (const char* good :
       {"*", "a", "a.example", "*.example", "10.0.0.1", "::1", "A_b-c.example."}) {
    EXPECT_TRUE(IsHostPattern(good)) << good;
  }
  for (const char* bad :
       {"", "*.", "**", "a*.example", "a:80", "[::1]", "http://a", "a/b", "a b"}) {
    EXPECT_FALSE(IsHostPattern(bad)) << bad;
  }
  EXPECT_TRUE(MatchesHost("*.Example", "a.example"));
  EXPECT_FALSE(MatchesHost("*.example", "example"));
  EXPECT_FALSE(MatchesHost("*.example", "anexample"));
  EXPECT_TRUE(MatchesHost("0:0:0:0:0:0:0:1", "::1"));
  EXPECT_TRUE(MatchesHost("*", "anything"));
}

}  // namespace
}  // namespace bindery
