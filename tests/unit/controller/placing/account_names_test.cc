// Service accounts: one policy under an e-mail address and a unique id.

#include "controller/placing/account_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bindery::controller {
namespace {

using ::testing::HasSubstr;

const std::string kByNumber = "projects/acme/serviceAccounts/107734218812345678901";
const std::string kByAddress = "projects/acme/serviceAccounts/ci@acme.iam.gserviceaccount.com";

/// Nothing where the name is known, or no account's.
std::optional<Code> FindFault(const std::optional<Expected<std::string>>& name) {
  return name && !*name ? std::optional(name->error().code) : std::nullopt;
}

TEST(AccountNames, AUniqueIdIsAskedForOnce) {
  AccountNames names;
  EXPECT_TRUE(names.NoteName(kByNumber));
  EXPECT_EQ(FindFault(names.Canonical(kByNumber)), Code::kUnavailable);
  EXPECT_TRUE(names.Learn(kByNumber, kByAddress));
  EXPECT_FALSE(names.Learn(kByNumber, kByAddress));
  EXPECT_FALSE(names.NoteName(kByNumber));
  EXPECT_EQ(names.Canonical(kByNumber), Expected<std::string>(kByAddress));
}

TEST(AccountNames, WhoMayBeTheSameAccountWaits) {
  struct Case {
    std::string noted;
    std::string other;
    bool waits;
  };
  const std::string account = "/serviceAccounts/107734218812345678901";
  const Case cases[] = {
      {"projects/acme" + account, kByAddress, true},
      {"projects/-" + account, kByAddress, true},
      {"projects/415104041262" + account, kByAddress, true},
      {"projects/acme" + account, "projects/415104041262/serviceAccounts/ci@a.example", true},
      {"projects/other" + account, kByAddress, false},
      {"projects/acme" + account, "projects/acme/topics/t", false},
      {"projects/acme" + account, "projects/acme", false},
  };
  for (const Case& each : cases) {
    AccountNames names;
    EXPECT_TRUE(names.NoteName(each.noted));
    EXPECT_EQ(names.IsInDoubt(each.other), each.waits) << each.noted << " " << each.other;
    EXPECT_EQ(FindFault(names.Canonical(each.other)),
              each.waits ? std::optional(Code::kUnavailable) : std::nullopt);
    names.BeginScan();
    EXPECT_FALSE(names.IsInDoubt(each.other)) << "no manifest names it by its unique id any more";
  }
}

TEST(AccountNames, WhereItIsNotToldOnlyTheUniqueIdIsRefused) {
  AccountNames names;
  EXPECT_TRUE(names.NoteName(kByNumber));
  names.GiveUp(kByNumber, "no");
  EXPECT_EQ(FindFault(names.Canonical(kByNumber)), Code::kInvalidArgument);
  EXPECT_THAT(names.Canonical(kByNumber)->error().message, HasSubstr("by its e-mail address"));
  EXPECT_FALSE(names.Canonical(kByAddress));
  EXPECT_FALSE(names.NoteName(kByNumber)) << "not asked again";
  EXPECT_THAT(names.TakeFailures(), ::testing::ElementsAre(kByNumber));
  EXPECT_TRUE(names.NoteName(kByNumber)) << "until somebody looks again";
}

}  // namespace
}  // namespace bindery::controller
