// Signatures of tokens: which key of a set is taken, and what is not.

#include "identity/key_set.h"

#include <gtest/gtest.h>

#include "support/matchers.h"
#include "support/token_signer.h"

namespace bindery::identity {
namespace {

using testing::KeySetOf;
using testing::TokenSigner;
using Verdict = KeySet::Verdict;

const TokenSigner& Rsa() {
  static const TokenSigner kSigner = TokenSigner::Rsa("rsa-1");
  return kSigner;
}
const TokenSigner& Curve() {
  static const TokenSigner kSigner = TokenSigner::Curve("ec-1");
  return kSigner;
}

Verdict VerdictOf(const std::string& set, const std::string& text) {
  const auto keys = KeySet::Parse(set);
  EXPECT_THAT(keys, testing::IsOk());
  const auto token = ParseToken(text);
  EXPECT_THAT(token, testing::IsOk());
  return keys && token ? keys->Verify(*token) : Verdict::kBad;
}

Json With(Json jwk, const std::string& name, const Json& value) {
  jwk[name] = value;
  if (value.is_null()) jwk.erase(name);
  return jwk;
}

TEST(KeySet, KnowsBothKindsOfSignatures) {
  const std::string set = KeySetOf({Rsa().Jwk(), Curve().Jwk()});
  for (const TokenSigner* signer : {&Rsa(), &Curve()}) {
    const std::string token = signer->Sign({{"sub", "2440"}});
    EXPECT_EQ(VerdictOf(set, token), Verdict::kGood);
    std::string changed = token;
    const std::size_t at = changed.find('.') + 10;
    changed[at] = changed[at] == 'A' ? 'B' : 'A';
    const auto parsed = ParseToken(changed);
    if (parsed) {
      EXPECT_EQ(VerdictOf(set, changed), Verdict::kBad);
    }
    EXPECT_EQ(VerdictOf(set, token.substr(0, token.rfind('.') + 1) + "AAAA"), Verdict::kBad);
    EXPECT_EQ(VerdictOf(set, token.substr(0, token.rfind('.') + 1)), Verdict::kBad);
  }
}

TEST(KeySet, TakesTheKeyByItsName) {
  const TokenSigner other = TokenSigner::Curve("ec-2");
  const std::string set = KeySetOf({Curve().Jwk(), other.Jwk()});
  EXPECT_EQ(VerdictOf(set, other.Sign(Json::object())), Verdict::kGood);
  const auto named = [](const char* key) { return Json{{"alg", "ES256"}, {"kid", key}}; };
  EXPECT_EQ(VerdictOf(set, other.Sign(Json::object(), named("ec-1"))), Verdict::kBad);
  EXPECT_EQ(VerdictOf(set, other.Sign(Json::object(), named("ec-3"))), Verdict::kUnknownKey);
  // Without a name there must be one key only.
  const Json nameless = {{"alg", "ES256"}};
  EXPECT_EQ(VerdictOf(set, other.Sign(Json::object(), nameless)), Verdict::kUnknownKey);
  EXPECT_EQ(VerdictOf(KeySetOf({other.Jwk(), Rsa().Jwk()}), other.Sign(Json::object(), nameless)),
            Verdict::kGood);
}

TEST(KeySet, ANameDoesNotLendAKeyToAnotherAlgorithm) {
  // The public key of a set as the secret of an HMAC is refused before: see TokenTest.
  const Json header = {{"alg", "RS256"}, {"kid", "ec-1"}};
  EXPECT_EQ(VerdictOf(KeySetOf({Curve().Jwk()}), Curve().Sign(Json::object(), header)),
            Verdict::kUnknownKey);
}

TEST(KeySet, LeavesOutKeysThatAreForSomethingElse) {
  const Json curve = Curve().Jwk();
  const Json rsa = Rsa().Jwk();
  for (const Json& jwk :
       {With(curve, "use", "enc"), With(rsa, "use", "enc"), With(curve, "alg", "ES384"),
        With(rsa, "alg", "RSA-OAEP"), With(curve, "key_ops", {"sign"}), With(curve, "key_ops", 7),
        With(curve, "kty", "oct"), With(curve, "crv", "P-384"), With(curve, "x", "AAAA"),
        With(curve, "y", curve["x"]), With(rsa, "n", ""), With(rsa, "n", 7),
        With(rsa, "e", nullptr), Json("text"), Json(), TokenSigner::Curve("c", "P-384").Jwk(),
        TokenSigner::Rsa("r", 1024).Jwk()}) {
    const auto keys = KeySet::Parse(KeySetOf({jwk}));
    ASSERT_THAT(keys, testing::IsOk());
    EXPECT_TRUE(keys->empty()) << jwk;
  }
  for (const Json& jwk : {With(curve, "use", nullptr), With(curve, "alg", "ES256"),
                          With(curve, "key_ops", Json::array({"verify"}))}) {
    const auto keys = KeySet::Parse(KeySetOf({jwk}));
    ASSERT_THAT(keys, testing::IsOk());
    EXPECT_FALSE(keys->empty()) << jwk;
  }
}

TEST(KeySet, IsNotMadeOfAnotherText) {
  for (const char* text : {"", "[]", "{}", R"({"keys":{}})", "<html>"}) {
    EXPECT_FALSE(KeySet::Parse(text)) << text;
  }
}

}  // namespace
}  // namespace bindery::identity
