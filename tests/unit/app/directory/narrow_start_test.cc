// What a preview of a few resources reads of the store and the directory: enough for the same
// answer, and nothing that is outdated.

#include "app/directory/narrow_start.h"

#include <filesystem>
#include <functional>

#include "unit/app/directory_on_record.h"

namespace bindery::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::IsOk;

using Names = std::vector<std::string>;

class NarrowStartTest : public testing::DirectoryOnRecord {
 protected:
  /// The resources that are known then; none where all are needed.
  Names Narrow(const Names& names) {
    const auto store = store::OpenStore(config_.store, store::StoreAccess::kReadOnly, clock_);
    EXPECT_THAT(store, IsOk());
    run_ = std::make_unique<controller::DryRun>(kinds_, MakeEngineSettings(config_, {}), Moment());
    const Expected<bool> begun = StartNarrow(config_, **store, names, *run_);
    EXPECT_THAT(begun, IsOk());
    return begun && *begun ? Known() : Names();
  }
};

TEST_F(NarrowStartTest, WhatIsAsOnRecordIsReadByTargetAndByWhatItNeeds) {
  EXPECT_THAT(Narrow({"a"}), ElementsAre("a", "b"));
  EXPECT_THAT(Narrow({"c"}), ElementsAre("c"));
  EXPECT_THAT(Narrow({"d"}), ElementsAre("c", "d"));
  EXPECT_THAT(Narrow({"b", "c"}), ElementsAre("a", "b", "c"));
  EXPECT_TRUE(run_->catalog().claims().FindResource("b")->accepted);
  EXPECT_TRUE(run_->problems().empty());
}

TEST_F(NarrowStartTest, AFileThatChangedSinceIsReadAnew) {
  Write("a", "one", "roles/viewer", "", "user:bob@example.com");
  EXPECT_THAT(Narrow({"a"}), ElementsAre("a", "b"));
  EXPECT_THAT(FindManifest("a").spec, HasSubstr("bob"));
  EXPECT_THAT(Narrow({"c"}), ElementsAre("a", "b", "c")) << "what changed is always part of it";
}

TEST_F(NarrowStartTest, ANewFileCountsWhereverItDeclares) {
  Write("e", "two", "roles/viewer");
  EXPECT_THAT(Narrow({"c"}), ElementsAre("c", "e"));
  EXPECT_TRUE(run_->catalog().claims().FindResource("c")->accepted) << "it came first";
  EXPECT_FALSE(run_->catalog().claims().FindResource("e")->accepted);
  EXPECT_FALSE(run_->problems().empty());
  EXPECT_THAT(Narrow({"e"}), ElementsAre("c", "e"));
}

struct AllCase {
  const char* name;
  std::function<void(const testing::TempDir& temp)> change;
  const char* asked;
};

void PrintTo(const AllCase& tested, std::ostream* out) { *out << tested.name; }

class NarrowStartAll : public NarrowStartTest, public ::testing::WithParamInterface<AllCase> {};

TEST_P(NarrowStartAll, AllResourcesAreNeeded) {
  GetParam().change(temp_);
  EXPECT_THAT(Narrow({GetParam().asked}), ElementsAre());
}

INSTANTIATE_TEST_SUITE_P(
    Cases, NarrowStartAll,
    ::testing::Values(
        AllCase{"AManifestIsGone",
                [](const testing::TempDir& temp) { std::filesystem::remove(temp / "m/b.yaml"); },
                "a"},
        AllCase{"AnotherManifestIsGone",
                [](const testing::TempDir& temp) { std::filesystem::remove(temp / "m/d.yaml"); },
                "a"},
        AllCase{"AFileIsBlank", [](const testing::TempDir& temp) { temp.Write("m/b.yaml", "\n"); },
                "a"},
        AllCase{"AFileCannotBeDecoded",
                [](const testing::TempDir& temp) { temp.Write("m/x.yaml", "\xff\xfe\xff"); }, "a"},
        AllCase{"TheNameIsNotKnown", [](const testing::TempDir&) {}, "nobody"}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST_F(NarrowStartTest, AllResourcesAreNeededUnderOtherRules) {
  Configure("other");
  EXPECT_THAT(Narrow({"a"}), ElementsAre());
}

TEST_F(NarrowStartTest, AllResourcesAreNeededWhereAProjectGoesByItsNumber) {
  temp_.Write("m/n.yaml",
              "apiVersion: cloudnative:networksecurity/v1\n"
              "kind: AuthorizationPolicyIamBinding\nmetadata: {name: n}\nspec:\n"
              "  name: projects/415104041262/locations/l/authorizationPolicies/one\n"
              "  role: roles/owner\n  members: [\"user:ana@example.com\"]\n");
  EXPECT_THAT(Narrow({"a"}), ElementsAre()) << "it may be the same policy";
}

}  // namespace
}  // namespace bindery::app
