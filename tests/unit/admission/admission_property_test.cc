// What holds for any directory, whatever was in force before.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>

#include "support/admission_fixture.h"

namespace bindery::admission {
namespace {

using testing::AcceptedNames;
using testing::AdmissionFixture;
using testing::OneWord;
using testing::RejectedTexts;

constexpr int kRounds = 600;

bool OverlapsWithAny(const Placement& placement, const std::vector<Placement>& others) {
  return std::any_of(others.begin(), others.end(),
                     [&](const Placement& other) { return other.Overlaps(placement); });
}

class RandomDirectory {
 public:
  explicit RandomDirectory(unsigned seed) : random_(seed) {}

  AdmissionFixture Make() {
    AdmissionFixture world;
    std::vector<Placement> claims;
    std::map<std::string, std::string> providers;
    for (int i = 0; i < 5; ++i) {
      const Placement placement = AdmissionFixture::Place(Spec());
      const std::string key = placement.target.Key();
      // What is in force was admitted once: no two overlap, one provider for a target.
      if (OverlapsWithAny(placement, claims)) continue;
      claims.push_back(placement);
      const std::string provider = providers.emplace(key, placement.provider).first->second;
      world.InForce("m" + std::to_string(i),
                    placement.target.name + " " + OneWord(placement.role) + " " + provider,
                    "f" + std::to_string(Pick(4)) + ".yaml", i + 1);
    }
    for (int i = 0; i < 8; ++i) {
      const int what = Pick(10);
      const std::string name = "m" + std::to_string(Pick(7));
      const std::string file = "f" + std::to_string(Pick(4)) + ".yaml";
      if (what == 0) {
        world.Problem(file, Pick(2) == 0 ? name : "");
      } else if (what == 1) {
        world.input.broken_files.insert(file);
      } else {
        world.Declare(name, Spec(), file, i + 1);
      }
    }
    return world;
  }

  std::mt19937& random() { return random_; }

 private:
  int Pick(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random_); }
  std::string Spec() {
    constexpr std::array<const char*, 12> kParts = {"r0",
                                                    "r1",
                                                    "r2",
                                                    "r0",
                                                    "r1",
                                                    "r0_user:a_if_-",
                                                    "r0_user:b_if_-",
                                                    "r1_user:a_if_*",
                                                    "r1_if_-",
                                                    "*",
                                                    "*+",
                                                    "auditConfigs/x"};
    return "t" + std::to_string(Pick(3)) + " " +
           kParts.at(static_cast<std::size_t>(Pick(static_cast<int>(kParts.size())))) + " " +
           (Pick(6) == 0 ? "q" : "p");
  }
  std::mt19937 random_;
};

/// Everything that is in force after a scan: what was accepted, and what fell back.
std::vector<Placement> InForceAfter(const AdmissionFixture& world, const AdmissionResult& result) {
  std::vector<Placement> placements;
  std::set<std::string> done;
  for (const Admitted& admitted : result.accepted) {
    placements.push_back(admitted.placement);
    done.insert(admitted.manifest->name);
  }
  done.insert(result.missing.begin(), result.missing.end());
  for (const InForce& resource : world.input.in_force) {
    if (!done.contains(resource.name)) placements.push_back(resource.placement);
  }
  return placements;
}

TEST(AdmissionProperty, NeverTwoInForceOnOneClaimNorTwoProvidersOnOneTarget) {
  RandomDirectory directory(20261121);
  int conflicts = 0;
  for (int round = 0; round < kRounds; ++round) {
    SCOPED_TRACE(round);
    const AdmissionFixture world = directory.Make();
    const AdmissionResult result = world.Run();
    std::vector<Placement> claims;
    std::map<std::string, std::string> providers;
    for (const Placement& placement : InForceAfter(world, result)) {
      ASSERT_FALSE(OverlapsWithAny(placement, claims)) << placement.role;
      claims.push_back(placement);
      const auto known = providers.emplace(placement.target.Key(), placement.provider).first;
      ASSERT_EQ(known->second, placement.provider);
    }
    conflicts += result.rejected.empty() ? 0 : 1;
  }
  EXPECT_GT(conflicts, kRounds / 4) << "the generator makes too few conflicts to prove anything";
}

TEST(AdmissionProperty, EveryManifestIsAcceptedOrRejectedAndEveryIncumbentAccountedFor) {
  RandomDirectory directory(7);
  for (int round = 0; round < kRounds; ++round) {
    SCOPED_TRACE(round);
    const AdmissionFixture world = directory.Make();
    const AdmissionResult result = world.Run();
    std::multiset<std::string> fates;
    for (const Admitted& admitted : result.accepted) fates.insert(admitted.manifest->name);
    std::set<std::string> rejected;
    for (const Rejected& one : result.rejected) rejected.insert(one.name);
    fates.insert(rejected.begin(), rejected.end());
    fates.insert(result.missing.begin(), result.missing.end());
    fates.insert(result.frozen.begin(), result.frozen.end());
    for (const auto& manifest : world.input.manifests) ASSERT_EQ(fates.count(manifest->name), 1U);
    for (const InForce& resource : world.input.in_force) ASSERT_EQ(fates.count(resource.name), 1U);
  }
}

TEST(AdmissionProperty, TheOrderOfTheInputDecidesNothing) {
  RandomDirectory directory(42);
  for (int round = 0; round < kRounds; ++round) {
    SCOPED_TRACE(round);
    AdmissionFixture world = directory.Make();
    const AdmissionResult before = world.Run();
    std::shuffle(world.input.manifests.begin(), world.input.manifests.end(), directory.random());
    std::shuffle(world.input.in_force.begin(), world.input.in_force.end(), directory.random());
    const AdmissionResult after = world.Run();
    ASSERT_EQ(AcceptedNames(before), AcceptedNames(after));
    ASSERT_EQ(RejectedTexts(before), RejectedTexts(after));
    ASSERT_EQ(std::set(before.missing.begin(), before.missing.end()),
              std::set(after.missing.begin(), after.missing.end()));
    ASSERT_EQ(std::set(before.frozen.begin(), before.frozen.end()),
              std::set(after.frozen.begin(), after.frozen.end()));
    ASSERT_EQ(before.unknown_content, after.unknown_content);
  }
}

}  // namespace
}  // namespace bindery::admission
