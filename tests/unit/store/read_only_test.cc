#include <SQLiteCpp/SQLiteCpp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <functional>

#include "fixture.h"
#include "support/begin_write.h"

namespace bindery::store {
namespace {

using testing::At;
using testing::EventChange;
using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;
using ::testing::SizeIs;
using testing::StoreTest;

class ReadOnlyStore : public StoreTest {
 protected:
  Expected<std::unique_ptr<Store>> OpenReader() {
    return OpenStore(path(), StoreAccess::kReadOnly, clock_);
  }

  std::string folder() const { return dir_ / "state"; }

  /// Runs `check` in a process that may read the folder and the files, but change neither. 0 is
  /// good.
  int AsStranger(const std::function<int()>& check) {
    using std::filesystem::perms;
    std::filesystem::permissions(dir_.path(), perms(0755));
    for (const auto& entry : std::filesystem::directory_iterator(folder())) {
      std::filesystem::permissions(entry.path(), perms(0444));
    }
    std::filesystem::permissions(folder(), perms(0555));
    const pid_t child = ::fork();
    if (child == 0) {
      constexpr uid_t kNobody = 65534;
      if (::getuid() == 0 && ::setuid(kNobody) != 0) ::_exit(99);
      ::_exit(check());
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    std::filesystem::permissions(folder(), perms(0755));
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  int CountEventsIs(std::size_t expected) {
    auto reader = OpenReader();
    if (!reader) return 1;
    const auto events = (*reader)->Events({});
    if (!events) return 2;
    return events->size() == expected ? 0 : 3;
  }
};

TEST_F(ReadOnlyStore, NeverMakesAStore) {
  store_.reset();
  const std::string missing = dir_ / "state/none.db";
  EXPECT_THAT(OpenStore(missing, StoreAccess::kReadOnly, clock_),
              FailsWith(Code::kNotFound, "there is no database \"" + missing + "\""));
  EXPECT_FALSE(std::filesystem::exists(missing));
  EXPECT_FALSE(std::filesystem::exists(missing + ".lock"));
}

TEST_F(ReadOnlyStore, ReadsBesideARunningDaemonAndSeesWhatItCommits) {
  ASSERT_THAT(store().Apply(EventChange("Before")), IsOk());
  auto reader = OpenReader();
  ASSERT_THAT(reader, IsOk());
  EXPECT_THAT(Value((*reader)->Events({})), SizeIs(1));

  ASSERT_THAT(store().Apply(EventChange("After")), IsOk());
  EXPECT_THAT(Value((*reader)->Events({})), SizeIs(2));
}

TEST_F(ReadOnlyStore, ReadsWhileNoDaemonRuns) {
  ASSERT_THAT(store().Apply(EventChange("Kept")), IsOk());
  store_.reset();
  auto reader = OpenReader();
  ASSERT_THAT(reader, IsOk());
  EXPECT_THAT(Value((*reader)->Events({})), SizeIs(1));
}

TEST_F(ReadOnlyStore, DoesNotKeepADaemonFromStarting) {
  store_.reset();
  auto reader = OpenReader();
  ASSERT_THAT(reader, IsOk());
  Reopen();
  ASSERT_THAT(store().Apply(EventChange("Written")), IsOk());
  EXPECT_THAT(Value((*reader)->Events({})), SizeIs(1));
}

TEST_F(ReadOnlyStore, ReadsInAFolderItMayNotWriteWhileNoDaemonRuns) {
  ASSERT_THAT(store().Apply(EventChange("Kept")), IsOk());
  store_.reset();
  EXPECT_EQ(AsStranger([this] { return CountEventsIs(1); }), 0);
}

TEST_F(ReadOnlyStore, ReadsInAFolderItMayNotWriteBesideARunningDaemon) {
  ASSERT_THAT(store().Apply(EventChange("Kept")), IsOk());
  EXPECT_EQ(AsStranger([this] { return CountEventsIs(1); }), 0);
}

TEST_F(ReadOnlyStore, ReadsUnderANameThatLooksLikeAUri) {
  const std::string odd = folder() + "/100%25 odd?mode=memory#.db";
  {
    auto opened = OpenStore(odd, StoreAccess::kReadWrite, clock_);
    ASSERT_THAT(opened, IsOk());
    ASSERT_THAT((*opened)->Apply(EventChange("Kept")), IsOk());
  }
  EXPECT_EQ(AsStranger([&] {
              auto reader = OpenStore(odd, StoreAccess::kReadOnly, clock_);
              if (!reader) return 1;
              const auto events = (*reader)->Events({});
              return events && events->size() == 1 ? 0 : 2;
            }),
            0);
}

TEST_F(ReadOnlyStore, EveryWriteIsRefused) {
  auto reader = OpenReader();
  ASSERT_THAT(reader, IsOk());
  Store& store = **reader;
  const auto refused =
      FailsWith(Code::kFailedPrecondition, std::string("the store is open for reading only"));
  EXPECT_THAT(store.Apply(EventChange("No")), refused);
  EXPECT_THAT(store.Apply({}), refused);
  EXPECT_THAT(testing::BeginWrite(store, {}), refused);
  EXPECT_THAT(store.Flush(), refused);
  EXPECT_THAT(store.Retain(At(0), 1), refused);
  bool called = false;
  store.Submit(EventChange("No"), [&](const Expected<void>& result) {
    called = true;
    EXPECT_THAT(result, refused);
  });
  EXPECT_TRUE(called);
}

}  // namespace
}  // namespace bindery::store
