// Which tokens are believed, by their form and their claims.

#include "identity/token.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/text/time_text.h"
#include "support/matchers.h"
#include "support/token_signer.h"

namespace bindery::identity {
namespace {

using testing::Base64UrlOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const WallTime kNow = ParseRfc3339("2026-11-21T12:00:00Z").value_or(WallTime());

std::int64_t Seconds(std::int64_t from_now) {
  return std::chrono::duration_cast<std::chrono::seconds>(kNow.time_since_epoch()).count() +
         from_now;
}

Json GoodClaims() {
  return {{"iss", "https://id.example.com"},
          {"aud", "bindery"},
          {"sub", "2440"},
          {"nonce", "n-1"},
          {"iat", Seconds(-10)},
          {"exp", Seconds(300)}};
}

const TokenRules kRules{"https://id.example.com", "bindery", "n-1"};

std::string GetToken(const Json& header, const std::string& claims = "{}",
                     const std::string& signature = "c2ln") {
  return Base64UrlOf(header.dump()) + "." + Base64UrlOf(claims) + "." + signature;
}

TEST(Token, IsTakenApart) {
  const auto token = ParseToken(GetToken({{"alg", "ES256"}, {"kid", "k1"}}, R"({"sub":"2440"})"));
  ASSERT_THAT(token, testing::IsOk());
  EXPECT_EQ(token->algorithm, "ES256");
  EXPECT_EQ(token->key_id, "k1");
  EXPECT_EQ(StringMember(token->claims, "sub"), "2440");
  EXPECT_EQ(token->signature, "sig");
}

TEST(Token, OfAnotherFormIsRefusedWithoutRepeatingIt) {
  const std::string good = GetToken({{"alg", "RS256"}});
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "three parts"},
      {"a.b", "three parts"},
      {good + ".x", "three parts"},
      {"!." + Base64UrlOf("{}") + ".c2ln", "cannot be read"},
      {GetToken({{"alg", "RS256"}}, "[]"), "cannot be read"},
      {GetToken({{"alg", "RS256"}}, R"({"sub":"a","sub":"b"})"), "cannot be read"},
      {GetToken({{"alg", "RS256"}}, "{}", "c2ln="), "cannot be read"},
      {GetToken({{"alg", "RS256"}}, "{}", "c2+n"), "cannot be read"},
      {GetToken({{"alg", "none"}}, "{}", ""), "neither RS256 nor ES256"},
      {GetToken({{"alg", "HS256"}}), "neither RS256 nor ES256"},
      {GetToken({{"alg", "rs256"}}), "neither RS256 nor ES256"},
      {GetToken({{"typ", "JWT"}}), "neither RS256 nor ES256"},
      {GetToken({{"alg", "RS256"}, {"crit", {"b64"}}, {"b64", false}}), "extension"},
      {GetToken({{"alg", "RS256"}}, Json{{"x", std::string(70'000, 'x')}}.dump()), "64 KiB"},
  };
  for (const auto& [text, why] : cases) {
    const auto token = ParseToken(text);
    ASSERT_FALSE(token) << text.substr(0, 80);
    EXPECT_EQ(token.error().code, Code::kUnauthenticated);
    EXPECT_THAT(token.error().message, HasSubstr(why));
    if (text.empty()) continue;
    EXPECT_THAT(token.error().message, Not(HasSubstr(text.substr(0, 40))));
  }
}

TEST(TokenClaims, ThatFitAreAccepted) {
  EXPECT_THAT(CheckClaims(GoodClaims(), kRules, kNow), testing::IsOk());
  for (const auto& [name, value] : std::vector<std::pair<std::string, Json>>{
           {"aud", Json::array({"bindery"})},
           {"azp", "bindery"},
           {"exp", Seconds(-59)},  // Within what clocks may differ.
           {"iat", Seconds(59)},
           {"nbf", Seconds(59)},
           {"exp", static_cast<double>(Seconds(300)) + 0.5},
           {"sub", std::string(255, 's')}}) {
    Json claims = GoodClaims();
    claims[name] = value;
    EXPECT_THAT(CheckClaims(claims, kRules, kNow), testing::IsOk()) << name << " " << value;
  }
}

TEST(TokenClaims, ThatDoNotFitAreRefusedByName) {
  for (const auto& [name, value, why] : std::vector<std::tuple<std::string, Json, std::string>>{
           {"iss", "https://id.example.com/", "\"iss\""},
           {"iss", nullptr, "\"iss\""},
           {"aud", "other", "\"aud\""},
           {"aud", Json::array(), "\"aud\""},
           {"aud", Json::array({"bindery", "other"}), "\"aud\""},
           {"aud", nullptr, "\"aud\""},
           {"azp", "other", "\"azp\""},
           {"exp", Seconds(-60), "expired"},
           {"exp", "soon", "\"exp\""},
           {"exp", 1e300, "\"exp\""},
           {"exp", nullptr, "\"exp\""},
           {"iat", Seconds(61), "in the future"},
           {"iat", -5, "\"iat\""},
           {"nbf", Seconds(61), "not valid yet"},
           {"nbf", "x", "not valid yet"},
           {"nonce", "n-2", "\"nonce\""},
           {"nonce", nullptr, "\"nonce\""},
           {"sub", "", "\"sub\""},
           {"sub", 2440, "\"sub\""},
           {"sub", std::string(256, 's'), "\"sub\""}}) {
    Json claims = GoodClaims();
    claims[name] = value;
    if (value.is_null()) claims.erase(name);
    const auto checked = CheckClaims(claims, kRules, kNow);
    ASSERT_FALSE(checked) << name << " " << value;
    EXPECT_EQ(checked.error().code, Code::kUnauthenticated);
    EXPECT_THAT(checked.error().message, HasSubstr(why));
  }
}

TEST(TokenGroups, AreFoundWhereProvidersPutThem) {
  const Json claims = {{"groups", {"sre", "/sre/oncall"}},
                       {"one", "sre"},
                       {"none", Json::array()},
                       {"https://acme.example/groups", {"a"}},
                       {"realm_access", {{"roles", {"r1"}}}}};
  const auto groups = [&](const char* path) {
    const auto found = GroupsIn(claims, path);
    EXPECT_THAT(found, testing::IsOk());
    return found && *found ? **found : std::vector<std::string>{"(nothing)"};
  };
  EXPECT_THAT(groups("groups"), ElementsAre("sre", "/sre/oncall"));
  EXPECT_THAT(groups("one"), ElementsAre("sre"));
  EXPECT_THAT(groups("none"), ElementsAre());
  EXPECT_THAT(groups("https://acme.example/groups"), ElementsAre("a"));
  EXPECT_THAT(groups("realm_access.roles"), ElementsAre("r1"));
  EXPECT_THAT(groups("realm_access.groups"), ElementsAre("(nothing)"));
  EXPECT_THAT(groups("absent"), ElementsAre("(nothing)"));
}

TEST(TokenGroups, ThatWereLeftOutAreNotTakenForNone) {
  for (const Json& claims :
       {Json{{"_claim_names", {{"groups", "src1"}}}, {"_claim_sources", Json::object()}},
        Json{{"hasgroups", true}}}) {
    const auto groups = GroupsIn(claims, "groups");
    ASSERT_FALSE(groups);
    EXPECT_EQ(groups.error().code, Code::kPermissionDenied);
    EXPECT_THAT(groups.error().message, HasSubstr("too many"));
  }
  for (const Json& odd : {Json(7), Json{{"a", 1}}, Json::array({"a", 7})}) {
    EXPECT_FALSE(GroupsIn({{"groups", odd}}, "groups")) << odd;
  }
}

}  // namespace
}  // namespace bindery::identity
