#include "app/check/store_preflight.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "store/open_store.h"
#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery::app {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::IsOk;
using ::testing::Not;

class StorePreflight : public ::testing::Test {
 protected:
  /// A store as a daemon leaves it.
  void MakeStore() const {
    const SystemClock clock;
    EXPECT_THAT(store::OpenStore(file_, store::StoreAccess::kReadWrite, clock), IsOk());
  }
  /// Writes into the file behind everybody's back.
  void Overwrite(std::streamoff at, const std::string& bytes) const {
    std::fstream file(file_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(at);
    file << bytes;
    EXPECT_TRUE(file.flush().good());
  }
  /// As PRAGMA user_version sets it.
  void SetSchemaVersion(char version) const {
    constexpr std::streamoff kUserVersion = 60;
    Overwrite(kUserVersion, std::string("\0\0\0", 3) + version);
  }

  testing::TempDir dir_;
  std::filesystem::path file_ = dir_.path() / "state.db";
};

TEST_F(StorePreflight, AStoreThatIsSoundOrNotThereYetIsFine) {
  EXPECT_EQ(PreflightOfStore(file_).state, report::CheckState::kOk);
  EXPECT_FALSE(std::filesystem::exists(file_));
  MakeStore();
  EXPECT_EQ(PreflightOfStore(file_).state, report::CheckState::kOk);
}

TEST_F(StorePreflight, AnotherVersionsIsLeftToTheProgramThatMadeIt) {
  for (const int version : {8, 99}) {
    std::filesystem::remove(file_);
    MakeStore();
    SetSchemaVersion(static_cast<char>(version));
    const report::PreflightCheck check = PreflightOfStore(file_);
    EXPECT_EQ(check.state, report::CheckState::kFailed);
    EXPECT_THAT(check.message, HasSubstr("has schema version " + std::to_string(version)));
    EXPECT_THAT(check.action, AllOf(HasSubstr("use the version of bindery that made it"),
                                    HasSubstr("bindery store restore")));
  }
}

TEST_F(StorePreflight, ADamagedOneIsMovedAwayOnlyAsTheLastResort) {
  MakeStore();
  Overwrite(0, std::string(100, 'x'));
  const report::PreflightCheck check = PreflightOfStore(file_);
  EXPECT_THAT(check.action,
              AllOf(HasSubstr("bindery store check"), HasSubstr("bindery store restore"),
                    HasSubstr("last resort: history and the policies")));
}

TEST_F(StorePreflight, WhatIsNoStoreIsAMatterOfTheSetting) {
  std::filesystem::create_directory(file_);
  const report::PreflightCheck check = PreflightOfStore(file_);
  EXPECT_EQ(check.state, report::CheckState::kFailed);
  EXPECT_THAT(check.action, HasSubstr("correct store.url"));
}

TEST(StoreFault, TheRemedyIsThatOfTheError) {
  struct Remedy {
    Code code;
    const char* action;
  };
  const std::vector<Remedy> cases = {
      {Code::kPermissionDenied, "run as the user the daemon runs as"},
      {Code::kUnavailable, "look at the disk"},
      {Code::kResourceExhausted, "make room"},
      {Code::kFailedPrecondition, "correct store.url"},
  };
  for (const Remedy& one : cases) {
    Error error;
    error.code = one.code;
    error.message = "cannot be opened";
    const report::PreflightCheck check = StoreProblem("state.db", error);
    EXPECT_EQ(check.subject, "state.db");
    EXPECT_THAT(check.message, HasSubstr("cannot be opened"));
    EXPECT_THAT(check.action, AllOf(HasSubstr(one.action), Not(HasSubstr("away"))));
  }
}

}  // namespace
}  // namespace bindery::app
