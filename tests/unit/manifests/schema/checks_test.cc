#include "manifests/schema/checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace bindery::manifests {
namespace {

std::string Said(const std::optional<CheckFailure>& failure) {
  if (!failure) return "";
  return failure->code + (failure->warning ? " (warning): " : ": ") + failure->message;
}

TEST(CheckManifestName, AcceptsNamesOfUpTo253Characters) {
  for (const std::string& name :
       {std::string("a"), std::string("0"), std::string("a.b-c"), std::string(253, 'x')}) {
    EXPECT_EQ(Said(CheckManifestName(name)), "") << name;
  }
}

TEST(CheckManifestName, JudgesEachPartBetweenDots) {
  for (const char* name : {"a..b", "a.-b", "a-.b", ".a", "a.", "-a", "A", "a_b", ""}) {
    EXPECT_THAT(Said(CheckManifestName(name)), ::testing::HasSubstr("BadName")) << name;
  }
}

}  // namespace
}  // namespace bindery::manifests
