#include "emulator/google/etag.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bindery::emulator {
namespace {

using ::testing::Optional;

TEST(Etag, IsSpelledAsTheRealServicesDo) {
  EXPECT_EQ(EtagText(0), "ACAB");
  // The documentation's examples read as times of the last change.
  for (const char* text : {"BwWWja0YfJA=", "BwUjMhCsNvY=", "BwWKmjvelug="}) {
    const auto bytes = DecodeBase64(text);
    ASSERT_TRUE(bytes.has_value());
    const auto micros = EtagFromBytes(*bytes);
    ASSERT_TRUE(micros.has_value()) << text;
    EXPECT_EQ(EtagText(*micros), text);
    EXPECT_GT(*micros, 1'400'000'000'000'000);
    EXPECT_LT(*micros, 1'800'000'000'000'000);
  }
}

TEST(Etag, OtherBytesAreNone) {
  EXPECT_THAT(EtagFromBytes(*DecodeBase64("ACAB")), Optional(EtagMicros{0}));
  EXPECT_EQ(EtagFromBytes(""), std::nullopt);
  EXPECT_EQ(EtagFromBytes("hello"), std::nullopt);
  EXPECT_EQ(EtagFromBytes("\x08_______"), std::nullopt);
}

TEST(DecodeBase64, TakesBothAlphabetsAndMissingPadding) {
  EXPECT_THAT(DecodeBase64("aGk="), Optional(std::string("hi")));
  EXPECT_THAT(DecodeBase64("aGk"), Optional(std::string("hi")));
  EXPECT_EQ(DecodeBase64("+/+/"), DecodeBase64("-_-_"));
  EXPECT_THAT(DecodeBase64(""), Optional(std::string()));
  for (const char* bad : {"a", "a!==", "aGk=x"}) EXPECT_EQ(DecodeBase64(bad), std::nullopt) << bad;
}

}  // namespace
}  // namespace bindery::emulator
