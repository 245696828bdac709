#include "manifests/watch/open_writes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/inotify.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "support/temp_dir.h"

namespace bindery::manifests {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class OpenWritesTest : public ::testing::Test {
 protected:
  std::string Made(const std::string& name) {
    std::ofstream(dir_ / name) << "x";
    return dir_ / name;
  }

  testing::TempDir dir_;
  OpenWrites writes_;
};

TEST_F(OpenWritesTest, EndWithTheClosing) {
  const std::string a = Made("a.yaml");
  const std::string b = Made("b.yaml");
  writes_.Note(b, IN_MODIFY);
  writes_.Note(a, IN_MODIFY);
  EXPECT_THAT(writes_.FindBelow(dir_.path().string()), ElementsAre("a.yaml", "b.yaml"));
  writes_.Note(a, IN_CLOSE_WRITE);
  EXPECT_THAT(writes_.FindBelow(dir_.path().string()), ElementsAre("b.yaml"));
}

TEST_F(OpenWritesTest, EndWithTheFile) {
  constexpr std::array<std::uint32_t, 2> kEnds = {IN_DELETE, IN_MOVED_FROM};
  for (const std::uint32_t mask : kEnds) {
    const std::string file = Made("a.yaml");
    writes_.Note(file, IN_MODIFY);
    writes_.Note(file, mask);
    EXPECT_THAT(writes_.FindBelow(dir_.path().string()), IsEmpty());
  }
}

TEST_F(OpenWritesTest, BeginWithTheWritingOnly) {
  const std::string file = Made("a.yaml");
  constexpr std::array<std::uint32_t, 3> kOthers = {IN_CREATE, IN_MOVED_TO, IN_ATTRIB};
  for (const std::uint32_t mask : kOthers) writes_.Note(file, mask);
  EXPECT_THAT(writes_.FindBelow(dir_.path().string()), IsEmpty());
}

TEST_F(OpenWritesTest, OfWhatIsGoneAreForgotten) {
  const std::string file = Made("a.yaml");
  writes_.Note(file, IN_MODIFY);
  std::filesystem::remove(file);
  EXPECT_THAT(writes_.FindBelow(dir_.path().string()), IsEmpty());
  Made("a.yaml");
  EXPECT_THAT(writes_.FindBelow(dir_.path().string()), IsEmpty());
}

TEST_F(OpenWritesTest, ElsewhereAreForgotten) {
  writes_.Note(Made("a.yaml"), IN_MODIFY);
  EXPECT_THAT(writes_.FindBelow(""), IsEmpty());
  EXPECT_THAT(writes_.FindBelow(dir_.path().string()), IsEmpty());
}

TEST_F(OpenWritesTest, AreUnknownOnceEventsWereLost) {
  writes_.Note(Made("a.yaml"), IN_MODIFY);
  writes_.Clear();
  EXPECT_THAT(writes_.FindBelow(dir_.path().string()), IsEmpty());
}

}  // namespace
}  // namespace bindery::manifests
