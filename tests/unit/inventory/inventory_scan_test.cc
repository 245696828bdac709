// A scan: page by page into the store, carried on where it was cut off.

#include "inventory/inventory_scan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <memory>

#include "store/open_store.h"
#include "support/fake_clock.h"
#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery::inventory {
namespace {

using ::testing::ElementsAre;
using testing::FailsWith;
using testing::FakeClock;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::TempDir;

constexpr providers::InventoryStep kTwoSteps[] = {{"the hierarchy", false}, {"policies", true}};
constexpr providers::InventoryStep kOptionalSteps[] = {{"the hierarchy", false},
                                                       {"policies", false}};

/// Answers what the test says.
class FakeSource final : public providers::InventorySource {
 public:
  [[nodiscard]] std::string_view provider_type() const override { return "fake"; }
  [[nodiscard]] Expected<std::string> ReadScope(const std::string& text) const override {
    if (text == "nowhere") return Fail(Code::kInvalidArgument, "no scope");
    return text;
  }
  [[nodiscard]] providers::InventoryPlan ComposePlan(
      const providers::ProviderConfig& /*config*/) const override {
    return {};
  }
  [[nodiscard]] std::span<const providers::InventoryStep> Steps() const override { return steps; }
  [[nodiscard]] Expected<InventoryPage> Read(
      const cloud::Connection& /*connection*/,
      const providers::InventoryQuestion& question) const override {
    asked.push_back(std::to_string(question.step) + ":" + question.token +
                    (question.compare ? "?" : ""));
    if (answers.empty()) return Fail(Code::kCancelled, "the test ends");
    auto answer = std::move(answers.front());
    answers.pop_front();
    return answer;
  }
  [[nodiscard]] std::string JudgedAs() const override { return ""; }
  [[nodiscard]] std::chrono::hours MayBeOld() const override { return std::chrono::hours(1); }
  [[nodiscard]] std::vector<std::string> NotLookedAt(
      const InventoryRecord& /*scan*/) const override {
    return {};
  }

  std::span<const providers::InventoryStep> steps = kTwoSteps;
  mutable std::deque<Expected<InventoryPage>> answers;
  mutable std::vector<std::string> asked;
};

InventoryPage Hierarchy() {
  InventoryPage page;
  page.containers = {{"projects/acme", "", "organizations/1", "", "ACTIVE"}};
  page.others = {{"deny", 2}};
  return page;
}

InventoryPage Policies(const std::string& resource, const std::string& next) {
  InventoryPage page;
  page.policies = {{resource, "a/B", "", "", "projects/acme", "[]"}};
  page.next = next;
  return page;
}

class InventoryScan : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened =
        store::OpenStore(StoreLocation(dir_ / "state.db"), store::StoreAccess::kReadWrite, clock_);
    ASSERT_THAT(opened, IsOk());
    store_ = std::move(*opened);
    connection_.provider = "cloud";
  }

  Expected<InventoryRecord> Scan(const std::string& scope = "organizations/1") {
    ScanParts parts{store_->inventory(), source_, connection_, clock_,
                    [this](std::chrono::milliseconds time) {
                      waits_.push_back(time.count());
                      return patient_;
                    }};
    if (remembers_) parts.memory = &memory_;
    return ScanInventory(parts, scope);
  }
  std::vector<InventoryRecord> OnRecord() {
    return store_->inventory().Inventories().value_or(std::vector<InventoryRecord>{});
  }

  TempDir dir_;
  FakeClock clock_;
  FakeSource source_;
  cloud::Connection connection_;
  std::unique_ptr<store::Store> store_;
  std::vector<std::int64_t> waits_;
  bool patient_ = true;
  bool remembers_ = false;
  ScanMemory memory_;
};

TEST_F(InventoryScan, ReadsEveryPageOfEveryList) {
  source_.answers = {Hierarchy(), Policies("a", "p2"), Policies("b", "")};
  const auto scan = Scan();
  ASSERT_THAT(scan, IsOk());
  EXPECT_THAT(source_.asked, ElementsAre("0:", "1:", "1:p2"));
  EXPECT_EQ(scan->pages, 3);
  EXPECT_EQ(scan->policies, 2);
  EXPECT_EQ(scan->others.at("deny"), 2);
  const auto facts = store_->inventory().Inventory(scan->id);
  ASSERT_THAT(facts, IsOk());
  EXPECT_EQ(facts->policies.size(), 2U);
  EXPECT_EQ(facts->containers.size(), 1U);
  EXPECT_TRUE(facts->scan.finished);
}

TEST_F(InventoryScan, GoesOnWhereItWasCutOff) {
  source_.answers = {Hierarchy(), Policies("a", "p2")};
  EXPECT_THAT(Scan(), FailsWith(Code::kCancelled, HasSubstr("policies")));
  EXPECT_FALSE(OnRecord().front().finished);
  source_.answers = {Policies("b", "")};
  source_.asked.clear();
  const auto scan = Scan();
  ASSERT_THAT(scan, IsOk());
  EXPECT_THAT(source_.asked, ElementsAre("1:p2"));
  EXPECT_EQ(scan->policies, 2);
}

TEST_F(InventoryScan, BeginsAnewWhenTheServiceForgotWhereItWas) {
  source_.answers = {Hierarchy(), Policies("a", "p2")};
  EXPECT_THAT(Scan(), FailsWith(Code::kCancelled, HasSubstr("policies")));
  source_.answers = {Fail(Code::kInvalidArgument, "no such token"), Hierarchy(), Policies("b", "")};
  source_.asked.clear();
  const auto scan = Scan();
  ASSERT_THAT(scan, IsOk());
  EXPECT_THAT(source_.asked, ElementsAre("1:p2", "0:", "1:"));
  EXPECT_EQ(scan->policies, 1) << "nothing is counted twice";
  EXPECT_EQ(OnRecord().size(), 1U);
}

TEST_F(InventoryScan, BeginsAnewAfterAnHour) {
  source_.answers = {Hierarchy()};
  EXPECT_THAT(Scan(), FailsWith(Code::kCancelled, HasSubstr("policies")));
  clock_.Pass(kScanResumable);
  source_.answers = {Hierarchy(), Policies("b", "")};
  source_.asked.clear();
  ASSERT_THAT(Scan(), IsOk());
  EXPECT_THAT(source_.asked, ElementsAre("0:", "1:"));
}

TEST_F(InventoryScan, PagesThatNameEachOtherInACircleEndTheScan) {
  source_.answers = {Hierarchy(), Policies("a", "p2"), Policies("b", "p3"), Policies("c", "p2")};
  EXPECT_THAT(Scan(), FailsWith(Code::kInternal, HasSubstr("read before")));
  source_.answers = {Policies("b", "p3"), Policies("c", "p3")};
  EXPECT_THAT(Scan(), FailsWith(Code::kInternal, HasSubstr("read before"))) << "carried on";
}

TEST_F(InventoryScan, WaitsForAQuotaAsLongAsItIsTold) {
  Error busy{Code::kResourceExhausted, "quota"};
  busy.retry_after = std::chrono::seconds(20);
  source_.answers = {Fail(busy), Fail(Code::kUnavailable, "away"), Hierarchy(), Policies("a", "")};
  ASSERT_THAT(Scan(), IsOk());
  EXPECT_THAT(waits_, ElementsAre(20'000, 2'000));
}

TEST_F(InventoryScan, EndsWhenItIsToldToAndWhenTheServiceStaysAway) {
  source_.answers = {Fail(Code::kUnavailable, "away")};
  patient_ = false;
  EXPECT_THAT(Scan(), FailsWith(Code::kCancelled, HasSubstr("ended")));
  patient_ = true;
  source_.answers.clear();
  for (int i = 0; i < 50; ++i) source_.answers.emplace_back(Fail(Code::kUnavailable, "away"));
  EXPECT_THAT(Scan(), FailsWith(Code::kUnavailable, HasSubstr("away")));
  EXPECT_FALSE(source_.answers.empty()) << "it gives up";
}

TEST_F(InventoryScan, AScanThatIsRefusedEverythingLeavesTheScanBefore) {
  source_.steps = kOptionalSteps;
  source_.answers = {Hierarchy(), Policies("a", "")};
  ASSERT_THAT(Scan(), IsOk());
  for (int i = 0; i < 2; ++i) {
    source_.answers = {Fail(Code::kPermissionDenied, "bad key"),
                       Fail(Code::kPermissionDenied, "bad key")};
    EXPECT_THAT(Scan(), FailsWith(Code::kPermissionDenied, HasSubstr("every list: the hier")));
    EXPECT_THAT(source_.answers, IsEmpty()) << "it is asked anew each time";
    EXPECT_EQ(OnRecord().back().policies, 1);
  }
  for (const Code code : {Code::kPermissionDenied, Code::kNotFound, Code::kInvalidArgument}) {
    source_.answers = {Fail(code, "no list"), Policies("a", "")};
    EXPECT_THAT(Scan(), IsOk()) << "some lists are better than none";
  }
}

TEST_F(InventoryScan, NotesAListThatIsRefusedAndFailsWithoutOneThatItNeeds) {
  source_.answers = {Fail(Code::kPermissionDenied, "no searchAllResources"), Policies("a", "")};
  const auto scan = Scan();
  ASSERT_THAT(scan, IsOk());
  EXPECT_THAT(scan->unread, ElementsAre("the hierarchy: no searchAllResources"));
  source_.answers = {Hierarchy(), Fail(Code::kPermissionDenied, "no searchAllIamPolicies")};
  EXPECT_THAT(Scan(), FailsWith(Code::kPermissionDenied, HasSubstr("policies: no search")));
  EXPECT_TRUE(OnRecord().back().finished) << "the scan before it is still there";
  EXPECT_THAT(Scan("nowhere"), FailsWith(Code::kInvalidArgument, HasSubstr("no scope")));
}

TEST_F(InventoryScan, AScanThatShowsTheSameTakesOverTheRecordOfTheScanBefore) {
  remembers_ = true;
  source_.answers = {Hierarchy(), Policies("a", "p2"), Policies("b", "")};
  const auto first = Scan();
  ASSERT_THAT(first, IsOk());
  EXPECT_FALSE(memory_.same);
  clock_.Pass(std::chrono::hours(1));
  source_.asked.clear();
  // The token of a page is of its answer only.
  source_.answers = {Hierarchy(), Policies("a", "p3"), Policies("b", "")};
  const auto second = Scan();
  ASSERT_THAT(second, IsOk());
  EXPECT_TRUE(memory_.same);
  EXPECT_THAT(source_.asked, ElementsAre("0:?", "1:?", "1:p3?"));
  EXPECT_EQ(second->id, first->id);
  ASSERT_EQ(OnRecord().size(), 1U);
  EXPECT_EQ(OnRecord().front(), *second);
  EXPECT_EQ(second->started, clock_.Wall());
  EXPECT_EQ(second->policies, 2);
  EXPECT_EQ(store_->inventory().Inventory(second->id)->policies.size(), 2U);
}

TEST_F(InventoryScan, AnyDifferenceFromTheScanBeforeIsReadAnew) {
  InventoryPage renamed = Policies("b", "");
  renamed.policies.front().bindings = R"([{"role": "x"}])";
  InventoryPage moved = Hierarchy();
  moved.containers.front().parent = "folders/1";
  // The pages, and how many are compared until a difference shows.
  const std::vector<std::pair<std::vector<InventoryPage>, std::size_t>> cases = {
      {{moved, Policies("a", "p2"), Policies("b", "")}, 1},
      {{Hierarchy(), Policies("a", "p2"), renamed}, 3},
      {{Hierarchy(), Policies("a", "")}, 2},
      {{Hierarchy(), Policies("a", "p2"), Policies("b", "p3"), Policies("c", "")}, 4},
  };
  remembers_ = true;
  for (const auto& [pages, compared] : cases) {
    memory_ = {};
    source_.answers = {Hierarchy(), Policies("a", "p2"), Policies("b", "")};
    ASSERT_THAT(Scan(), IsOk());
    source_.answers.assign(pages.begin(), pages.begin() + static_cast<std::ptrdiff_t>(compared));
    source_.answers.insert(source_.answers.end(), pages.begin(), pages.end());
    const auto scan = Scan();
    ASSERT_THAT(scan, IsOk());
    EXPECT_THAT(source_.answers, IsEmpty());
    EXPECT_FALSE(memory_.same);
    EXPECT_EQ(memory_.scan, scan->id);
    EXPECT_EQ(scan->pages, static_cast<std::int64_t>(pages.size()));
  }
}

TEST_F(InventoryScan, OnlyAScanReadFromBeginningToEndIsRemembered) {
  remembers_ = true;
  source_.answers = {Hierarchy(), Policies("a", "p2")};
  EXPECT_THAT(Scan(), FailsWith(Code::kCancelled, HasSubstr("policies")));
  EXPECT_EQ(memory_.scan, 0);
  source_.answers = {Policies("b", "")};
  ASSERT_THAT(Scan(), IsOk());
  EXPECT_EQ(memory_.scan, 0) << "some pages are older";
  source_.answers = {Hierarchy(), Policies("a", "p2"), Policies("b", "")};
  source_.asked.clear();
  const auto scan = Scan();
  ASSERT_THAT(scan, IsOk());
  EXPECT_THAT(source_.asked, ElementsAre("0:", "1:", "1:p2")) << "nothing to compare with";
  EXPECT_EQ(memory_.scan, scan->id);
  source_.answers = {Hierarchy(), Fail(Code::kCancelled, "the daemon ends")};
  EXPECT_THAT(Scan(), FailsWith(Code::kCancelled, HasSubstr("ends")));
  EXPECT_TRUE(OnRecord().front().finished) << "a comparison leaves nothing to be carried on";
}

TEST_F(InventoryScan, WhatIsRefusedIsNotComparedButNoted) {
  remembers_ = true;
  source_.answers = {Hierarchy(), Policies("a", "")};
  ASSERT_THAT(Scan(), IsOk());
  const Error refused{Code::kPermissionDenied, "no"};
  source_.answers = {Fail(refused), Fail(refused), Policies("a", "")};
  const auto scan = Scan();
  ASSERT_THAT(scan, IsOk());
  EXPECT_FALSE(memory_.same);
  EXPECT_THAT(scan->unread, ElementsAre("the hierarchy: no"));
}

}  // namespace
}  // namespace bindery::inventory
