#include "controller/catalog/file_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/claims_world.h"

namespace bindery::controller {
namespace {

using testing::ClaimsWorld;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct FileMemoryTest : public ::testing::Test, public ClaimsWorld {
  FileMemoryTest() {
    settings.rules = "rules";
    Put("a", "t", "roles/one");
    file.path = "a.yaml";
    file.manifests = {claims.FindResource("a")->manifest};
  }
  /// What the store is told of the file.
  store::StoreChange Remembered() {
    ScanInput scan;
    scan.remember = {{std::make_shared<const manifests::FileContent>(file), "stamp"}};
    store::StoreChange told;
    memory.Remember(scan, told);
    return told;
  }

  CatalogSettings settings;
  FileMemory memory{claims, settings};
  manifests::FileContent file;
};

TEST_F(FileMemoryTest, AFileIsRememberedWhenAllItDeclaresIsInForceAsItStandsThere) {
  const store::StoreChange told = Remembered();
  ASSERT_EQ(told.upsert_files.size(), 1U);
  EXPECT_EQ(told.upsert_files[0].path, "a.yaml");
  EXPECT_EQ(told.upsert_files[0].stamp, "stamp");
  EXPECT_THAT(told.forget_files, IsEmpty());
}

TEST_F(FileMemoryTest, AnyOtherFileIsForgotten) {
  const auto forgotten = [this](const char* why) {
    const store::StoreChange told = Remembered();
    EXPECT_THAT(told.upsert_files, IsEmpty()) << why;
    EXPECT_THAT(told.forget_files, ElementsAre("a.yaml")) << why;
  };
  file.blank = true;
  forgotten("it is blank");
  file.blank = false;
  file.problems.emplace_back();
  forgotten("it has a fault");
  file.problems.clear();
  claims.FindResource("a")->standing.rejected = std::make_shared<const SharedStatus>();
  forgotten("a newer manifest was kept out");
  claims.FindResource("a")->standing.rejected = nullptr;
  file.manifests = {Declare("a", "t", "roles/one")};
  forgotten("another reading of it is in force");
  file.manifests = {Declare("b", "t", "roles/two")};
  forgotten("one of it is not in force");
}

TEST_F(FileMemoryTest, AfterALossTheNextStartReadsEverything) {
  ScanInput scan;
  scan.digest = "digest";
  ScanOutcome outcome;
  memory.RecordScan(scan, {}, outcome);
  EXPECT_EQ(outcome.change.generation->rules, "rules");
  memory.InvalidateSnapshot();
  EXPECT_EQ(memory.LastGeneration().rules, "") << "by no start's rules";
  EXPECT_EQ(memory.LastGeneration().digest, "digest");
  EXPECT_THAT(Remembered().upsert_files, IsEmpty());
}

TEST_F(FileMemoryTest, AScanIsRecordedWithItsProblemsAndConflicts) {
  ScanInput scan;
  scan.manifests = 3;
  scan.problems.emplace_back();
  scan.problems.back().message = "of a file";
  ScanOutcome outcome;
  outcome.conflicts.emplace_back();
  outcome.conflicts.back().message = "between two";
  memory.RecordScan(scan, {}, outcome);
  ASSERT_TRUE(outcome.change.problems.has_value());
  ASSERT_EQ(outcome.change.problems->size(), 2U);
  EXPECT_EQ((*outcome.change.problems)[1].message, "between two");
  EXPECT_EQ(outcome.change.generation->problems, 2);
  EXPECT_EQ(outcome.change.generation->manifests, 3);
}

}  // namespace
}  // namespace bindery::controller
