#include "store/witness/witness.h"

#include <SQLiteCpp/Backup.h>
#include <sys/stat.h>

#include <fstream>

#include "fixture.h"

namespace bindery::store {
namespace {

using testing::EventChange;
using testing::IsOk;
using testing::StoreTest;
using testing::TempDir;

const StoreMark kMark{"run-7", 7, 100};

class StoreWitnessFile : public ::testing::Test {
 protected:
  [[nodiscard]] std::string path() const { return dir_ / "state/witness/store"; }
  [[nodiscard]] std::optional<StoreMark> InFile() const { return StoreWitness(path()).seen(); }

  TempDir dir_;
};

TEST_F(StoreWitnessFile, OfNothingIsMadeForItsOwnerAlone) {
  StoreWitness witness(path());
  EXPECT_EQ(witness.seen(), std::nullopt);
  witness.Keep(kMark);
  EXPECT_EQ(witness.failure(), std::nullopt);
  EXPECT_EQ(InFile(), kMark);
  struct stat found = {};
  ASSERT_EQ(::stat(path().c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777U, 0600U);
  ASSERT_EQ(::stat((dir_ / "state").c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777U, 0700U);
}

TEST_F(StoreWitnessFile, HoldsWhatWasNotedLast) {
  StoreWitness witness(path());
  witness.Keep(kMark);
  StoreMark later = kMark;
  later.writes = 200;
  witness.Note(later, /*settled=*/true);
  EXPECT_EQ(InFile(), later);
  later.last = true;
  later.database = "system/database/table";
  witness.Keep(later);
  EXPECT_EQ(InFile(), later);
}

TEST_F(StoreWitnessFile, IsNoLinkThatIsFollowed) {
  StoreWitness(dir_ / "elsewhere").Keep(kMark);
  std::filesystem::create_directories(dir_ / "state/witness");
  std::filesystem::create_symlink(dir_ / "elsewhere", path());
  EXPECT_EQ(InFile(), std::nullopt);
  StoreMark other = kMark;
  other.run = "other";
  StoreWitness(path()).Keep(other);
  EXPECT_EQ(InFile(), other);
  EXPECT_EQ(StoreWitness(dir_ / "elsewhere").seen(), kMark);
}

TEST_F(StoreWitnessFile, ThatCannotBeWrittenIsToldAndRemembered) {
  std::ofstream(dir_ / "state") << "a file where a folder would be";
  StoreWitness witness(path());
  witness.Keep(kMark);
  ASSERT_NE(witness.failure(), std::nullopt);
  EXPECT_THAT(witness.failure()->message, ::testing::HasSubstr(path()));
  EXPECT_EQ(witness.seen(), kMark);
}

struct TextCase {
  const char* name;
  const char* text;
};

class StoreWitnessText : public StoreWitnessFile, public ::testing::WithParamInterface<TextCase> {};

TEST_P(StoreWitnessText, ThatIsNoWitnessProvesNothing) {
  std::filesystem::create_directories(dir_ / "state/witness");
  std::ofstream(path()) << GetParam().text;
  EXPECT_EQ(InFile(), std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, StoreWitnessText,
    ::testing::Values(TextCase{"Empty", ""}, TextCase{"NoJson", "run-7 100\n"},
                      TextCase{"CutOff", R"({"run":"run-7","number":7,"wri)"},
                      TextCase{"List", "[1, 2]"}, TextCase{"NoRun", R"({"number":7,"writes":1})"},
                      TextCase{"Below", R"({"run":"r","number":7,"writes":-1})"},
                      TextCase{"Texts", R"({"run":"r","number":"7","writes":"1"})"}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(StoreWitnessMemory, FollowsAnotherReplicaForwardOnly) {
  StoreWitness witness;
  witness.Follow(kMark);
  EXPECT_EQ(witness.seen(), kMark);
  witness.Follow({"run-7", 7, 99});
  EXPECT_EQ(witness.seen(), kMark) << "it was put back";
  witness.Follow({"run-7", 7, 101});
  EXPECT_EQ(witness.seen()->writes, 101);
  witness.Follow({"run-8", 8, 0});
  EXPECT_EQ(witness.seen()->run, "run-8");
}

TEST_F(StoreWitnessFile, OfAnotherStoreDoesNotMakeANewOneOld) {
  StoreSharing sharing;
  sharing.witness = std::make_shared<StoreWitness>();
  sharing.witness->Keep(kMark);
  const testing::FixedClock clock;
  const auto opened = OpenStore(dir_ / "new.db", StoreAccess::kReadWrite, clock, sharing);
  ASSERT_THAT(opened, IsOk());
  EXPECT_FALSE((*opened)->replaced());
}

/// A store that was written to by a run, and that knows manifests.
class OlderStore : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    if (IsSkipped()) return;
    StoreChange change = EventChange("Written");
    change.evidence = EvidenceRecord{};
    change.evidence->look = 1;
    OpenWith(witness_);
    ASSERT_THAT(store().Apply(change), IsOk());
    store_.reset();
  }

  void OpenWith(const std::shared_ptr<StoreWitness>& witness) {
    store_.reset();
    StoreSharing sharing;
    sharing.witness = witness;
    auto opened = OpenStore(location_, StoreAccess::kReadWrite, clock_, sharing);
    ASSERT_THAT(opened, IsOk());
    store_ = std::move(*opened);
  }
  void OpenAfter(const StoreMark& seen) {
    const auto witness = std::make_shared<StoreWitness>();
    witness->Keep(seen);
    OpenWith(witness);
  }
  [[nodiscard]] std::string Question() { return Value(store().Evidence()).question; }

  std::shared_ptr<StoreWitness> witness_ = std::make_shared<StoreWitness>();
};

struct SeenCase {
  const char* name;
  StoreMark (*seen)(StoreMark mark);  ///< Of the mark that the last run left.
  bool older;
};

class OlderStoreThan : public OlderStore, public ::testing::WithParamInterface<SeenCase> {};

TEST_P(OlderStoreThan, WhatWasSeenAsksBeforeItIsBelieved) {
  OpenAfter(GetParam().seen(*witness_->seen()));
  EXPECT_EQ(store().replaced(), GetParam().older);
  EXPECT_EQ(!Question().empty(), GetParam().older) << Question();
}

INSTANTIATE_TEST_SUITE_P(Cases, OlderStoreThan,
                         ::testing::Values(SeenCase{"TheLastWrite",
                                                    [](StoreMark mark) { return mark; }, false},
                                           SeenCase{"EarlierWrites",
                                                    [](StoreMark mark) {
                                                      --mark.writes;
                                                      mark.last = false;
                                                      return mark;
                                                    },
                                                    false},
                                           SeenCase{"LaterWrites",
                                                    [](StoreMark mark) {
                                                      ++mark.writes;
                                                      return mark;
                                                    },
                                                    true},
                                           SeenCase{"AnotherRun",
                                                    [](StoreMark mark) {
                                                      mark.run = "another";
                                                      return mark;
                                                    },
                                                    true},
                                           SeenCase{"ARunTooLongAgo",
                                                    [](StoreMark mark) {
                                                      mark.run = "another";
                                                      mark.number -= 1000;
                                                      return mark;
                                                    },
                                                    false},
                                           SeenCase{"TheEndInOtherTables",
                                                    [](StoreMark mark) {
                                                      mark.database = "another";
                                                      return mark;
                                                    },
                                                    false},
                                           SeenCase{"AMomentInOtherTables",
                                                    [](StoreMark mark) {
                                                      mark.database = "another";
                                                      mark.last = false;
                                                      return mark;
                                                    },
                                                    true}),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST_F(OlderStore, AsksUntilItIsAnswered) {
  StoreMark later = *witness_->seen();
  ++later.writes;
  OpenAfter(later);
  ASSERT_TRUE(store().replaced());
  OpenWith(std::make_shared<StoreWitness>());
  EXPECT_FALSE(store().replaced()) << "without a witness nothing is known";
  EXPECT_THAT(Question(), ::testing::HasSubstr("1 of ")) << "but what was asked stays so";
}

TEST_F(OlderStore, NumbersItsRunsAfterThoseThatItDoesNotKnow) {
  OpenAfter({"another", 7, 100});
  EXPECT_EQ(Count("runs WHERE no = 8"), 1);
}

TEST_F(OlderStore, IsWitnessedOverItsRuns) {
  for (int i = 0; i < 3; ++i) {
    OpenWith(witness_);
    EXPECT_FALSE(store().replaced());
    ASSERT_THAT(store().Apply(EventChange("Again")), IsOk());
    EXPECT_EQ(witness_->seen()->writes, 1);
    EXPECT_FALSE(witness_->seen()->last);
  }
  store_.reset();
  EXPECT_TRUE(witness_->seen()->last);
}

/// What `.restore` of the sqlite3 program does: the pages of a copy, in place, under a running
/// daemon.
class StorePutBackInPlace : public OlderStore {
 protected:
  void SetUp() override {
    OlderStore::SetUp();
    OpenWith(witness_);
    SQLite::Database store(path(), SQLite::OPEN_READONLY);
    SQLite::Database copy(dir_ / "copy.db", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    SQLite::Backup(copy, store).executeStep();
    ASSERT_THAT(this->store().Apply(EventChange("Later")), IsOk());
    ASSERT_EQ(this->store().Examine(false), std::nullopt);
  }

  void PutBack() {
    SQLite::Database store(path(), SQLite::OPEN_READWRITE);
    SQLite::Database copy(dir_ / "copy.db", SQLite::OPEN_READONLY);
    SQLite::Backup(store, copy).executeStep();
  }
};

TEST_F(StorePutBackInPlace, IsNoticedThoughNothingIsWritten) {
  PutBack();
  const auto fault = store().Examine(false);
  ASSERT_NE(fault, std::nullopt);
  EXPECT_TRUE(fault->lost);
  EXPECT_TRUE(fault->older);
}

TEST_F(StorePutBackInPlace, TakesNoWrites) {
  PutBack();
  EXPECT_FALSE(store().Apply(EventChange("Lost")).has_value());
  EXPECT_TRUE(store().Examine(false)->lost);
  EXPECT_EQ(EventReasons(), (std::vector<std::string>{"Written"}));
}

TEST_F(StorePutBackInPlace, AsksWhenItIsOpenedAgain) {
  PutBack();
  OpenWith(witness_);
  EXPECT_TRUE(store().replaced());
  EXPECT_NE(Question(), "");
}

TEST_F(StorePutBackInPlace, WithOtherTablesIsLost) {
  {
    SQLite::Database copy(dir_ / "copy.db", SQLite::OPEN_READWRITE);
    copy.exec("DROP TABLE runs");
  }
  PutBack();
  EXPECT_TRUE(store().Examine(false)->lost);
}

}  // namespace
}  // namespace bindery::store
