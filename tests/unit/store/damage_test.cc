#include <filesystem>
#include <fstream>

#include "fixture.h"

namespace bindery::store {
namespace {

using ::testing::ElementsAre;
using testing::EventChange;
using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::StoreTest;

struct DamageCase {
  const char* name;
  const char* why;
  void (*damage)(const std::string& path);
};

void Overwrite(const std::string& path, std::streamoff offset, std::size_t size) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(offset);
  file << std::string(size, 'x');
}

void CutAfter(const std::string& path, std::uintmax_t size) {
  std::filesystem::resize_file(path, size);
}

const DamageCase kCases[] = {
    {"NotADatabase", "someone wrote another file over it",
     [](const std::string& path) { std::ofstream(path) << "this is a text, not a database\n"; }},
    {"GarbageHeader", "the first sector is lost",
     [](const std::string& path) { Overwrite(path, 0, 512); }},
    {"GarbageHalfway", "a page in the middle is lost",
     [](const std::string& path) { Overwrite(path, 4096, 3 * 4096); }},
    {"CutInTheHeader", "the file system lost all but the beginning",
     [](const std::string& path) { CutAfter(path, 50); }},
    {"CutToOnePage", "the file system lost all but the first page",
     [](const std::string& path) { CutAfter(path, 4096); }},
    {"CutWithinAPage", "the copy was broken off",
     [](const std::string& path) { CutAfter(path, 3 * 4096 + 100); }},
};

class DamagedStore : public StoreTest, public ::testing::WithParamInterface<DamageCase> {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    StoreChange change;
    for (int i = 0; i < 200; ++i) change.events.push_back(testing::EventNamed("Old"));
    ASSERT_THAT(store().Apply(change), IsOk());
    store_.reset();
    GetParam().damage(path());
  }

  Expected<void> OpenAndReadAll() {
    auto reader = OpenStore(path(), StoreAccess::kReadOnly, clock_);
    if (!reader) return Fail(reader.error());
    if (auto targets = (*reader)->Targets(); !targets) return Fail(targets.error());
    if (auto events = (*reader)->Events({}); !events) return Fail(events.error());
    return {};
  }
};

TEST_P(DamagedStore, IsSetAsideUnderADatedNameAndBegunAnew) {
  SCOPED_TRACE(GetParam().why);
  const std::string damaged = dir_.Read("state/bindery.db");
  Reopen();
  const std::string aside = path() + ".damaged-20261121T102030Z";
  EXPECT_EQ(store().recovered_from(), aside);
  EXPECT_EQ(dir_.Read("state/bindery.db.damaged-20261121T102030Z"), damaged);

  EXPECT_THAT(EventReasons(), ElementsAre());
  ASSERT_THAT(store().Apply(EventChange("New")), IsOk());
  Reopen();
  EXPECT_EQ(store().recovered_from(), "") << "the new store is sound";
  EXPECT_THAT(EventReasons(), ElementsAre("New"));
}

TEST_P(DamagedStore, IsNeverMovedByAReader) {
  SCOPED_TRACE(GetParam().why);
  const std::string damaged = dir_.Read("state/bindery.db");
  // A page in the middle shows only when it is read.
  EXPECT_THAT(OpenAndReadAll(), FailsWith(Code::kInternal, HasSubstr("is damaged")));
  EXPECT_EQ(dir_.Read("state/bindery.db"), damaged);
}

INSTANTIATE_TEST_SUITE_P(Cases, DamagedStore, ::testing::ValuesIn(kCases),
                         [](const ::testing::TestParamInfo<DamageCase>& tested) {
                           return std::string(tested.param.name);
                         });

class StoreWithOtherHeader : public StoreTest,
                             public ::testing::WithParamInterface<std::streamoff> {};

TEST_P(StoreWithOtherHeader, IsSetAsideThoughSqliteStillReadsTheFile) {
  ASSERT_THAT(store().Apply(EventChange("Old")), IsOk());
  store_.reset();
  Overwrite(path(), GetParam(), 1);
  Reopen();
  EXPECT_EQ(store().recovered_from(), path() + ".damaged-20261121T102030Z");
  ASSERT_THAT(store().Apply(EventChange("New")), IsOk());
  EXPECT_THAT(EventReasons(), ElementsAre("New"));
}

// The bytes of the versions that write and read, and the first and last one of the schema's format.
INSTANTIATE_TEST_SUITE_P(Bytes, StoreWithOtherHeader, ::testing::Values(18, 19, 44, 47));

class StoreBehindALink : public StoreTest, public ::testing::WithParamInterface<const char*> {};

TEST_P(StoreBehindALink, IsRefusedAndTheOtherFileIsNotTouched) {
  store_.reset();
  const std::string file = "state/bindery.db" + std::string(GetParam());
  std::filesystem::remove(dir_ / file);
  dir_.Write("other", "");
  std::filesystem::create_symlink(dir_ / "other", dir_ / file);
  EXPECT_THAT(OpenStore(path(), StoreAccess::kReadWrite, clock_),
              FailsWith(Code::kFailedPrecondition, HasSubstr("it is a link")));
  EXPECT_EQ(dir_.Read("other"), "");
}

INSTANTIATE_TEST_SUITE_P(Files, StoreBehindALink, ::testing::Values("", ".lock"));

using StoreOfItsOwner = StoreTest;

TEST_F(StoreOfItsOwner, IsClosedToOthersWhoCouldReadIt) {
  store_.reset();
  for (const char* file : {"state/bindery.db", "state/bindery.db.lock"}) {
    std::filesystem::permissions(dir_ / file, std::filesystem::perms(0644));
  }
  Reopen();
  for (const char* file : {"state/bindery.db", "state/bindery.db.lock"}) {
    const auto mode = std::filesystem::status(dir_ / file).permissions();
    EXPECT_EQ(mode & std::filesystem::perms::others_all, std::filesystem::perms::none) << file;
  }
}

class TwiceDamagedStore : public StoreTest {};

TEST_F(TwiceDamagedStore, WithinOneSecondBothAreKept) {
  for (const char* expected : {".damaged-20261121T102030Z", ".damaged-20261121T102030Z-2"}) {
    store_.reset();
    dir_.Write("state/bindery.db", "garbage, long enough to be looked at as a database file");
    Reopen();
    EXPECT_EQ(store().recovered_from(), path() + expected);
    EXPECT_TRUE(std::filesystem::exists(path() + expected));
  }
}

TEST_F(TwiceDamagedStore, ItsWalGoesWithIt) {
  store_.reset();
  dir_.Write("state/bindery.db", "garbage, long enough to be looked at as a database file");
  dir_.Write("state/bindery.db-wal", "what had not reached the database");
  Reopen();
  EXPECT_EQ(dir_.Read("state/bindery.db.damaged-20261121T102030Z-wal"),
            "what had not reached the database");
}

}  // namespace
}  // namespace bindery::store
