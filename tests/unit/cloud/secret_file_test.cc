#include "cloud/credentials/secret_file.h"

#include "support/fake_clock.h"
#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery::cloud {
namespace {

using bindery::testing::FakeClock;
using bindery::testing::IsOk;
using bindery::testing::TempDir;
using ::testing::Optional;
using namespace std::chrono_literals;

TEST(SecretFile, IsAtHandForASecondAfterALookAtTheFile) {
  const TempDir dir;
  dir.Write("secret", "first");
  const auto clock = std::make_shared<FakeClock>();
  SecretFile file(dir / "secret", clock);
  EXPECT_EQ(file.TryGet(), std::nullopt) << "nobody has read it yet";
  EXPECT_THAT(file.Get(), IsOk());
  dir.Write("secret", "another");
  clock->Pass(1s);
  EXPECT_THAT(file.TryGet(), Optional(std::string("first")));
  clock->Pass(1ms);
  EXPECT_EQ(file.TryGet(), std::nullopt);
  EXPECT_EQ(file.Get().value_or(""), "another");
  EXPECT_THAT(file.TryGet(), Optional(std::string("another")));
}

TEST(SecretFile, AnotherSecretIsAtHandOnceTheOldOneWasRefused) {
  const TempDir dir;
  dir.Write("secret", "first");
  SecretFile file(dir / "secret", std::make_shared<FakeClock>());
  EXPECT_THAT(file.Get(), IsOk());
  dir.Write("secret", "other");
  EXPECT_TRUE(file.HasOtherThan("first"));
  EXPECT_THAT(file.TryGet(), Optional(std::string("other")));
}

}  // namespace
}  // namespace bindery::cloud
