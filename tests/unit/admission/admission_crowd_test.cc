// Hundreds of manifests that declare the same: what each of them is told.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "support/admission_fixture.h"

namespace bindery::admission {
namespace {

using testing::AdmissionFixture;
using ::testing::HasSubstr;
using testing::RejectedTexts;

/// A generator went wrong: `count` manifests that declare the same.
AdmissionFixture Crowd(int count) {
  AdmissionFixture world;
  for (int i = 0; i < count; ++i) {
    std::string name = "m" + std::to_string(100'000 + i);
    world.Declare(name, "t viewer", name + ".yaml");
  }
  return world;
}

TEST(AdmissionCrowd, OfManyTheFirstAreNamedAndTheOthersCounted) {
  const AdmissionResult result = Crowd(10).Run();
  ASSERT_EQ(result.rejected.size(), 10U);
  EXPECT_EQ(RejectedTexts(result).front(),
            "m100000 RoleConflict: role \"viewer\" on \"t\" is also declared by \"m100001\" "
            "(m100001.yaml:1) and \"m100002\" (m100002.yaml:1) and \"m100003\" (m100003.yaml:1) "
            "and \"m100004\" (m100004.yaml:1) and \"m100005\" (m100005.yaml:1) and \"m100006\" "
            "(m100006.yaml:1) and \"m100007\" (m100007.yaml:1) and \"m100008\" (m100008.yaml:1) "
            "and 1 more: one binding per role" +
                testing::kWayOut);
}

TEST(AdmissionCrowd, OfManyTheOneInForceIsNamedFirst) {
  AdmissionFixture world = Crowd(30);
  world.InForce("m100029", "t viewer", "m100029.yaml");
  EXPECT_THAT(RejectedTexts(world.Run()).front(),
              HasSubstr("is also declared by \"m100029\" (m100029.yaml:1) and \"m100001\""));
}

TEST(AdmissionCrowd, MessagesAboutManyGrowNoFasterThanTheirNumber) {
  const auto size = [](const AdmissionFixture& world) {
    std::size_t sum = 0;
    for (const std::string& text : RejectedTexts(world.Run())) sum += text.size();
    return sum;
  };
  const auto twins = [](int count) {
    AdmissionFixture world;
    for (int i = 0; i < count; ++i) {
      world.Declare("x", "t viewer", std::to_string(100'000 + i) + ".yaml");
    }
    return world;
  };
  const auto providers = [](int count) {
    AdmissionFixture world;
    for (int i = 0; i < count; ++i) {
      const std::string number = std::to_string(100'000 + i);
      world.Declare("m" + number, "t role" + number + " p" + std::to_string(i % 2), "a.yaml");
    }
    return world;
  };
  EXPECT_LT(size(Crowd(800)), 5 * size(Crowd(200)));
  EXPECT_LT(size(twins(800)), 5 * size(twins(200)));
  EXPECT_LT(size(providers(800)), 5 * size(providers(200)));
}

}  // namespace
}  // namespace bindery::admission
