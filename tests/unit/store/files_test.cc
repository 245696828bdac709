// What happens to the files of a store while it is open.

#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>

#include "fixture.h"
#include "store/sqlite/store_files.h"

namespace bindery::store {
namespace {

using testing::At;
using ::testing::ElementsAre;
using testing::EventChange;
using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::PolicyTarget;
using testing::StoreTest;

namespace fs = std::filesystem;

class StoreFilesTest : public StoreTest {
 protected:
  Expected<std::int64_t> BeginWrite() {
    IntentRecord intent;
    intent.target = PolicyTarget("p");
    intent.started = At(0);
    std::promise<Expected<std::int64_t>> begun;
    store().BeginWrite(std::move(intent),
                       [&](Expected<std::int64_t> id) { begun.set_value(std::move(id)); });
    return begun.get_future().get();
  }

  [[nodiscard]] std::string folder() const { return dir_ / "state"; }
};

TEST_F(StoreFilesTest, AnUntouchedStoreHasNoFault) {
  EXPECT_FALSE(store().Examine(/*try_write=*/false));
  EXPECT_FALSE(store().Examine(/*try_write=*/true));
  EXPECT_THAT(BeginWrite(), IsOk());
}

struct Loss {
  const char* name;
  std::function<void(const std::string& path)> lose;
  bool gone;
};

class LostStore : public StoreFilesTest, public ::testing::WithParamInterface<Loss> {};

TEST_P(LostStore, IsNoticedAndTakesNoIntent) {
  ASSERT_THAT(store().Apply(EventChange("First")), IsOk());
  GetParam().lose(path());
  EXPECT_THAT(BeginWrite(), FailsWith(Code::kUnavailable, HasSubstr("while")));
  EXPECT_THAT(store().Apply(EventChange("Second")), FailsWith(Code::kUnavailable, HasSubstr("")));
  const auto fault = store().Examine(/*try_write=*/false);
  ASSERT_TRUE(fault);
  EXPECT_TRUE(fault->lost) << ToString(fault->error);
  EXPECT_EQ(fault->gone, GetParam().gone) << ToString(fault->error);
}

TEST_P(LostStore, IsOpenedAnewWithoutDamage) {
  ASSERT_THAT(store().Apply(EventChange("First")), IsOk());
  GetParam().lose(path());
  if (GetParam().gone) {
    EXPECT_EQ(Value(store().PutBack()), true);
  }
  Reopen();
  EXPECT_THAT(store().Apply(EventChange("Third")), IsOk());
  EXPECT_FALSE(store().Examine(/*try_write=*/true));
  if (GetParam().gone) {
    EXPECT_THAT(EventReasons(), ElementsAre("First", "Third"));
  }
}

void MoveAll(const std::string& path, const std::string& where) {
  fs::create_directories(where);
  for (const char* suffix : {"", "-wal", "-shm", ".lock"}) {
    fs::rename(path + suffix, where + "/bindery.db" + suffix);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Losses, LostStore,
    ::testing::Values(
        Loss{"Deleted", [](const std::string& path) { fs::remove(path); }, true},
        Loss{"DeletedWithItsCompanions",
             [](const std::string& path) {
               for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(path + suffix);
             },
             true},
        Loss{"MovedAway", [](const std::string& path) { MoveAll(path, path + ".moved"); }, true},
        Loss{"FolderRenamed",
             [](const std::string& path) {
               const fs::path folder = fs::path(path).parent_path();
               fs::rename(folder, folder.string() + ".old");
             },
             true},
        Loss{"ReplacedByACopy",
             [](const std::string& path) {
               fs::copy_file(path, path + ".copy");
               fs::rename(path + ".copy", path);
             },
             false},
        Loss{"ReplacedByAnEmptyFile",
             [](const std::string& path) {
               std::ofstream(path + ".new").close();
               fs::rename(path + ".new", path);
             },
             false},
        Loss{"Emptied", [](const std::string& path) { fs::resize_file(path, 0); }, false}),
    [](const auto& test) { return std::string(test.param.name); });

TEST_F(StoreFilesTest, ALostWalFileIsALoss) {
  ASSERT_THAT(store().Apply(EventChange("First")), IsOk());
  fs::remove(path() + "-wal");
  EXPECT_THAT(BeginWrite(), FailsWith(Code::kUnavailable, HasSubstr("-wal")));
  EXPECT_TRUE(store().Examine(false)->lost);
}

TEST_F(StoreFilesTest, AFolderThatComesBackEndsTheFault) {
  fs::rename(folder(), folder() + ".old");
  EXPECT_TRUE(store().Examine(false));
  fs::rename(folder() + ".old", folder());
  EXPECT_FALSE(store().Examine(true));
  EXPECT_THAT(BeginWrite(), IsOk());
}

TEST_F(StoreFilesTest, ALockFileThatIsRemovedIsTakenAnew) {
  fs::remove(path() + ".lock");
  EXPECT_THAT(BeginWrite(), FailsWith(Code::kUnavailable, HasSubstr("lock file")));
  EXPECT_FALSE(store().Examine(false));
  EXPECT_THAT(BeginWrite(), IsOk());
  EXPECT_THAT(OpenStore(path(), StoreAccess::kReadWrite, clock_),
              FailsWith(Code::kFailedPrecondition, HasSubstr("in use by process")));
}

TEST_F(StoreFilesTest, ASecondDaemonIsRefusedWithoutTheLockFileToo) {
  fs::remove(path() + ".lock");
  EXPECT_THAT(OpenStore(path(), StoreAccess::kReadWrite, clock_),
              FailsWith(Code::kFailedPrecondition, HasSubstr("in use by another process")));
  EXPECT_THAT(BeginWrite(), FailsWith(Code::kUnavailable, HasSubstr("lock file")));
  const auto fault = store().Examine(false);
  ASSERT_TRUE(fault);
  EXPECT_TRUE(fault->lost);
  EXPECT_THAT(fault->error.message, HasSubstr("another daemon"));
}

TEST_F(StoreFilesTest, PutBackReplacesNothing) {
  ASSERT_THAT(store().Apply(EventChange("First")), IsOk());
  EXPECT_EQ(Value(store().PutBack()), false);
  fs::remove(path());
  dir_.Write("state/bindery.db", "somebody's");
  EXPECT_EQ(Value(store().PutBack()), false);
  EXPECT_EQ(dir_.Read("state/bindery.db"), "somebody's");
}

TEST(RoomNeeded, IsAShareOfASmallFileSystem) {
  EXPECT_EQ(RoomNeeded(0), 0U);
  EXPECT_EQ(RoomNeeded(1U << 20U), 1U << 16U) << "one that is no larger has never more free";
  EXPECT_EQ(RoomNeeded(16U << 20U), 1U << 20U);
  EXPECT_EQ(RoomNeeded(std::uint64_t{1} << 40U), 1U << 20U);
}

// A full disk and any other failing write: the limit stands in for them.
TEST_F(StoreFilesTest, AFailingWriteIsTriedUntilItSucceeds) {
  ASSERT_THAT(store().Apply(EventChange("First")), IsOk());
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit none = before;
  none.rlim_cur = 0;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &none), 0);
  const auto intent = BeginWrite();
  const auto fault = store().Examine(/*try_write=*/true);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_FALSE(intent);
  ASSERT_TRUE(fault);
  EXPECT_FALSE(fault->lost) << ToString(fault->error);
  EXPECT_FALSE(store().Examine(/*try_write=*/true));
  EXPECT_THAT(BeginWrite(), IsOk());
}

}  // namespace
}  // namespace bindery::store
