// What is kept of reports is what would be made anew.

#include "report/reports/kept_reports.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/mutex.h"
#include "core/base/thread_work.h"
#include "report/reports/overview_report.h"
#include "unit/report/report_fixture.h"

namespace bindery::report {
namespace {

using testing::Binding;
using testing::FailsWith;
using testing::IamTarget;
using testing::IsOk;
using testing::Now;

class KeptReportsTest : public testing::ReportTest {
 protected:
  void PutDrift(const Target& target, std::vector<DriftItem> items) {
    store::StoreChange change;
    change.drift.push_back({target, Now() - std::chrono::hours(1), std::move(items)});
    Apply(std::move(change));
  }

  static DriftItem Undeclared(const std::string& principal, Severity severity = Severity::kHigh) {
    DriftItem item;
    item.drift_class = DriftClass::kUndeclared;
    item.severity = severity;
    item.grant = {"roles/viewer", principal};
    return item;
  }

  template <typename Report>
  static Json Of(const Expected<Report>& report) {
    EXPECT_THAT(report, IsOk());
    return report ? report::MakeJson(*report) : Json();
  }

  void ExpectAllAsMadeAnew(const std::string& when) {
    EXPECT_EQ(Of(OverviewReport(*store_, Now(), kept_)), Of(OverviewReport(*store_, Now())))
        << when;
    const DriftScope scope{Now(), Now() - kRecentlyCorrected};
    for (const ListPage& page : {ListPage{0, 100}, ListPage{1, 1}, ListPage{0, std::nullopt},
                                 ListPage{1'100, 2}, ListPage{990, 20}}) {
      const std::string where = when + " from " + std::to_string(page.offset);
      EXPECT_EQ(Of(DriftReport(*store_, scope, page, kept_)), Of(DriftReport(*store_, scope, page)))
          << where;
      ResourceList list;
      list.page = page;
      EXPECT_EQ(Of(ResourcesReport(*store_, {}, Now(), list, kept_)),
                Of(ResourcesReport(*store_, {}, Now(), list)))
          << where;
    }
    for (const bool descending : {false, true}) ExpectPagesOfEachOrder(descending, when);
  }

  /// Two pages of each order are the whole list.
  void ExpectPagesOfEachOrder(bool descending, const std::string& when) {
    for (const ResourceOrder order :
         {ResourceOrder::kName, ResourceOrder::kKind, ResourceOrder::kTarget,
          ResourceOrder::kManifest, ResourceOrder::kState, ResourceOrder::kChanged}) {
      const auto names = [&](const ListPage& page) {
        std::vector<std::string> list;
        const auto report = ResourcesReport(*store_, {}, Now(), {order, descending, page}, kept_);
        EXPECT_THAT(report, IsOk());
        for (const ReportedResource& one : report->resources) list.push_back(one.name);
        return list;
      };
      std::vector<std::string> pages = names({0, 1});
      std::ranges::move(names({1, 100}), std::back_inserter(pages));
      EXPECT_EQ(pages, names({0, std::nullopt})) << when << ", order " << static_cast<int>(order);
    }
  }

  KeptReports kept_;
};

TEST_F(KeptReportsTest, TellTheSameAsIfNothingWasKept) {
  ExpectAllAsMadeAnew("empty");
  Put({Binding("b", "roles/b"), Binding("a", "roles/a")});
  ExpectAllAsMadeAnew("two resources");
  store::ResourceRecord failing = Binding("c", "roles/viewer");
  failing.target = IamTarget(testing::kOrders);
  failing.status = {ResourceState::kStalled, "PERMISSION_DENIED", "no"};
  Put({failing});
  Observe(IamTarget(), 3, "2026-11-21T11:58:00Z");
  ExpectAllAsMadeAnew("one fails");
  PutDrift(IamTarget(), {Undeclared("user:ana@example.com"), Undeclared("user:bob@example.com")});
  PutDrift(IamTarget(testing::kOrders), {Undeclared("user:cem@example.com", Severity::kCritical)});
  ExpectAllAsMadeAnew("differences, one where something fails");
  PutDrift(IamTarget(), {Undeclared("user:bob@example.com")});
  ExpectAllAsMadeAnew("one is over");
  std::vector<DriftItem> many;
  for (int i = 0; i < 1'200; ++i) {
    many.push_back(Undeclared("user:" + std::to_string(i) + "@example.com"));
  }
  PutDrift(IamTarget(), many);
  ExpectAllAsMadeAnew("more than are kept");
}

struct Number {
  int value = 0;
  bool small = true;
  [[nodiscard]] bool IsSmall() const { return small; }
};

class KeptValueTest : public testing::ReportTest {
 protected:
  int Ask(WallTime now, const std::string& question = "") {
    return AskWhole(now, question).answer->value;
  }

  KeptAnswer<Number> AskWhole(WallTime now, const std::string& question = "") {
    const auto answer = kept_.Get(*store_, now, question, [this]() -> Expected<Number> {
      const auto begun = WorkOfThread();
      while (WorkOfThread() - begun < work_) continue;
      return Number{++made_, small_};
    });
    EXPECT_THAT(answer, IsOk());
    return answer ? *answer : KeptAnswer<Number>{std::make_shared<const Number>(), now};
  }

  Mutex making_;
  std::atomic<int> made_ = 0;
  bool small_ = true;
  std::chrono::milliseconds work_{0};  // Of the processor, for an answer.
  KeptValue<Number> kept_{making_};    // Last: its thread uses the others.
};

TEST_F(KeptValueTest, IsMadeAgainWhenSomethingChanges) {
  EXPECT_EQ(Ask(Now()), 1);
  EXPECT_EQ(Ask(Now()), 1);
  Put({Binding("a")});
  EXPECT_EQ(Ask(Now()), 2);
  EXPECT_EQ(Ask(Now()), 2);
}

TEST_F(KeptValueTest, IsGivenForTenTimesItsWorkAlthoughSomethingChanges) {
  work_ = std::chrono::milliseconds(60);
  const KeptAnswer<Number> made = AskWhole(Now());
  Put({Binding("a")});
  const KeptAnswer<Number> late = AskWhole(Now() + std::chrono::milliseconds(599));
  EXPECT_EQ(late->value, 1);
  EXPECT_EQ(late.as_of, made.as_of) << "what is late says so";
  EXPECT_FALSE(late.is_current);
  // However slow this machine is.
  const WallTime later = Now() + std::chrono::seconds(14);
  const KeptAnswer<Number> again = AskWhole(later);
  EXPECT_EQ(again->value, 2);
  EXPECT_EQ(again.as_of, later);
  EXPECT_TRUE(again.is_current);
}

TEST_F(KeptValueTest, IsMadeByAThreadForWhoeverAsksAlways) {
  work_ = std::chrono::milliseconds(800);  // At least: it is given for seven seconds.
  AskWhole(Now());
  Put({Binding("a")});
  const WallTime later = Now() + std::chrono::seconds(8);
  EXPECT_EQ(Ask(later), 1) << "the answer of before, without a wait";
  while (Ask(later) == 1) std::this_thread::yield();
  EXPECT_EQ(Ask(later), 2);
  EXPECT_EQ(AskWhole(later).as_of, later);
}

TEST_F(KeptValueTest, IsMadeAgainInTimeWhereNothingChanges) {
  work_ = std::chrono::milliseconds(60);
  AskWhole(Now());
  const WallTime later = Now() + std::chrono::seconds(31);
  EXPECT_EQ(Ask(later), 1);
  while (Ask(later) == 1) std::this_thread::yield();
  EXPECT_EQ(Ask(Now() + std::chrono::seconds(61)), 2) << "nobody waited for the minute's end";
}

TEST_F(KeptValueTest, IsAsOfNowWhileNothingChanges) {
  AskWhole(Now());
  const WallTime later = Now() + std::chrono::seconds(30);
  EXPECT_EQ(AskWhole(later).as_of, later);
}

TEST_F(KeptValueTest, ThatTakesLongIsNotWaitedForWhereAnotherThreadMakesOne) {
  work_ = std::chrono::milliseconds(60);
  AskWhole(Now());
  Put({Binding("a")});
  const WallTime later = Now() + std::chrono::seconds(20);
  making_.Lock();
  const KeptAnswer<Number> meanwhile = AskWhole(later);
  making_.Unlock();
  EXPECT_EQ(meanwhile->value, 1);
  EXPECT_FALSE(meanwhile.is_current);
  EXPECT_EQ(Ask(later), 2);
}

TEST_F(KeptValueTest, IsMadeAgainAfterAMinuteAndWhereTheClockWasSetBack) {
  EXPECT_EQ(Ask(Now()), 1);
  EXPECT_EQ(Ask(Now() + std::chrono::minutes(1)), 1);
  EXPECT_EQ(Ask(Now() + std::chrono::seconds(61)), 2);
  EXPECT_EQ(Ask(Now()), 3);
}

TEST_F(KeptValueTest, IsKeptForAFewQuestions) {
  EXPECT_EQ(Ask(Now(), "a"), 1);
  EXPECT_EQ(Ask(Now(), "b"), 2);
  EXPECT_EQ(Ask(Now(), "a"), 1);
  for (const char* more : {"c", "d", "e"}) Ask(Now(), more);
  EXPECT_EQ(Ask(Now(), "e"), 5);
  EXPECT_EQ(Ask(Now(), "a"), 6) << "the oldest of five is not kept";
}

TEST_F(KeptValueTest, IsNotKeptWhereItIsLarge) {
  small_ = false;
  EXPECT_EQ(Ask(Now()), 1);
  EXPECT_EQ(Ask(Now()), 2);
}

TEST_F(KeptValueTest, IsNotKeptOfAStoreThatOthersWrite) {
  store_.reset();
  auto reader = store::OpenStore(dir_ / "state.db", store::StoreAccess::kReadOnly, clock_);
  ASSERT_THAT(reader, IsOk());
  store_ = std::move(*reader);
  EXPECT_EQ(Ask(Now()), 1);
  EXPECT_EQ(Ask(Now()), 2);
}

TEST_F(KeptValueTest, FailsAsTheAnswerDoes) {
  const auto failed = kept_.Get(
      *store_, Now(), "", []() -> Expected<Number> { return Fail(Code::kUnavailable, "not now"); });
  EXPECT_THAT(failed, FailsWith(Code::kUnavailable, ::testing::HasSubstr("not now")));
  EXPECT_EQ(Ask(Now()), 1);
}

}  // namespace
}  // namespace bindery::report
