#include "app/planning/plan_desk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "fakes/engine_world.h"
#include "support/matchers.h"

namespace bindery::app {
namespace {

using ::testing::_;
using testing::EngineWorld;
using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::kViewer;
using namespace std::chrono_literals;

constexpr std::size_t kTargetsOfPart = 3;
constexpr int kManyTargets = 7;

/// The lines of a plan, as JSON.
class TakenLines final : public server::PlanLines {
 public:
  void Add(const std::string& line) override { lines.push_back(line); }
  void Clear() override {
    lines.clear();
    ++cleared;
  }

  std::vector<std::string> lines;
  int cleared = 0;
};

/// A desk whose loop is any thread, one at a time, and whose time is the real one.
class Desk : public ::testing::Test {
 protected:
  using Answer = std::future<Expected<report::PassPlan>>;

  void Declare(int targets) {
    for (int i = 0; i < targets; ++i) {
      const std::string id = "t" + std::to_string(i);
      world_.cloud->AddTarget(EngineWorld::TargetName(id));
      world_.Declare("m" + std::to_string(i), id, kViewer, {"user:ana@example.com"});
    }
    world_.Pass();
  }
  void Open(std::size_t targets_of_part = kTargetsOfPart) {
    desk_.emplace(
        [this](std::function<void(controller::Engine&, const controller::Now&)> task) {
          const std::lock_guard lock(mutex_);
          if (!before_task_()) return;
          const auto passed = std::chrono::steady_clock::now() - begun_;
          task(*world_.engine, {world_.now.mono + passed, world_.now.wall});
        },
        [] { return std::string(); }, world_.Policies(),
        [this](report::PassPlan&, const std::vector<std::string>&) -> Expected<void> {
          const std::lock_guard lock(held_up_);
          ++made_;
          return {};
        },
        targets_of_part);
  }
  Answer Ask(std::vector<std::string> names,
             server::PlanAsker asker = server::PlanAsker::kNetwork) {
    auto promise = std::make_shared<std::promise<Expected<report::PassPlan>>>();
    Answer answer = promise->get_future();
    desk_->Ask(std::move(names), asker, /*lines=*/nullptr,
               [promise](const Expected<report::PassPlan>& plan) { promise->set_value(plan); });
    return answer;
  }
  /// Of a directory that holds only that text.
  Answer AskAboutUpload(const std::string& text) {
    auto promise = std::make_shared<std::promise<Expected<report::PassPlan>>>();
    Answer answer = promise->get_future();
    desk_->AskAboutUpload(
        {{}, {{"uploaded.yaml", text}}, {}}, server::PlanAsker::kNetwork,
        [promise](const Expected<report::PassPlan>& plan) { promise->set_value(plan); });
    return answer;
  }
  static std::string FindManifest(int target, const std::string& member) {
    const std::string id = std::to_string(target);
    return "apiVersion: cloudnative:networksecurity/v1\nkind: AuthorizationPolicyIamBinding\n"
           "metadata: {name: m" +
           id + "}\nspec: {name: \"" + EngineWorld::TargetName("t" + id) +
           "\", role: roles/viewer, members: [\"" + member + "\"]}\n";
  }
  /// A plan that is under way until the lock is given up.
  Answer AskAndHold(std::unique_lock<std::mutex>& lock) {
    lock = std::unique_lock(held_up_);
    const int before = Reads();
    Answer answer = Ask({"m0"});
    while (Reads() == before) std::this_thread::yield();
    return answer;
  }

  [[nodiscard]] int Reads() const { return world_.cloud->Calls("getIamPolicy"); }

  EngineWorld world_;
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::mutex held_up_;
  std::function<bool()> before_task_ = [] { return true; };  ///< False: the loop drops the task.
  std::atomic<int> made_ = 0;
  std::optional<PlanDesk> desk_;
};

TEST_F(Desk, MakesAPlan) {
  Declare(2);
  Open();
  const auto plan = Ask({}).get();
  ASSERT_THAT(plan, IsOk());
  EXPECT_EQ(plan->changes.size(), 2U);
  EXPECT_TRUE(plan->errors.empty());
  EXPECT_THAT(Ask({"nobody"}).get(), FailsWith(Code::kNotFound, _));
}

class DeskOfMany : public Desk {
 protected:
  /// Of one run of all claims, as JSON.
  std::string PlanAtOnce() {
    controller::DryRun run(*world_.engine, world_.now);
    controller::DryRun::Reads reads;
    reads.stored = world_.Policies();
    return ToJson(*MakePlan(run, {}, reads)).dump();
  }
  /// By the desk, whose lines are taken.
  std::string PlanInLines(TakenLines& taken) {
    const auto lines = std::make_shared<TakenLines>();
    std::promise<Expected<report::PassPlan>> promise;
    desk_->Ask({}, server::PlanAsker::kNetwork, lines,
               [&promise](const Expected<report::PassPlan>& plan) { promise.set_value(plan); });
    const auto plan = promise.get_future().get();
    EXPECT_THAT(plan, IsOk());
    if (!plan) return "";
    EXPECT_TRUE(plan->changes.empty());
    taken = *lines;
    Json json = ToJson(*plan);
    for (const std::string& line : taken.lines) json["changes"].push_back(Json::parse(line));
    return json.dump();
  }
  /// With a manifest on the target t3 that is on its way out.
  void DeclareLeaving() {
    Declare(kManyTargets);
    world_.Remove("m3");
    if (world_.Scan().confirm) world_.Scan();
  }
  static void Sort(Json& plan) {
    Json& lines = plan["changes"];
    std::sort(lines.begin(), lines.end(),
              [](const Json& a, const Json& b) { return a.dump() < b.dump(); });
  }
};

TEST_F(DeskOfMany, IsMadeInPartsAndReadsEachTargetOnce) {
  Declare(kManyTargets);
  const std::string expected = PlanAtOnce();
  Open();
  const int before = Reads();
  TakenLines taken;
  EXPECT_EQ(PlanInLines(taken), expected);
  EXPECT_EQ(Reads() - before, kManyTargets);
  EXPECT_EQ(taken.lines.size(), static_cast<std::size_t>(kManyTargets));
  EXPECT_EQ(taken.cleared, 0);
  const auto plan = Ask({}).get();
  ASSERT_THAT(plan, IsOk());
  EXPECT_EQ(ToJson(*plan).dump(), expected) << "without a taker the answer has the lines";
}

TEST_F(DeskOfMany, RemovalsArePlannedTogetherAtTheEnd) {
  world_.settings.guard.max_removed_grants = 1;
  world_.settings.guard.max_removed_fraction = 1;
  world_.Configure();
  Declare(kManyTargets);
  for (const char* target : {"t0", "t6"}) {  // Of two parts, each of which the guard lets through.
    world_.cloud->Grant(EngineWorld::TargetName(target), kViewer, "user:eve@example.com");
  }
  Json expected = Json::parse(PlanAtOnce());
  ASSERT_TRUE(expected.contains("guard")) << expected.dump();
  Open();
  TakenLines taken;
  Json plan = Json::parse(PlanInLines(taken));
  ASSERT_EQ(taken.lines.size(), static_cast<std::size_t>(kManyTargets));
  for (const auto& [line, target] : {std::pair(5, "t0"), {6, "t6"}}) {
    EXPECT_THAT(taken.lines.at(static_cast<std::size_t>(line)),
                HasSubstr("\"" + EngineWorld::TargetName(target) + "\""));
  }
  Sort(expected);
  Sort(plan);
  EXPECT_EQ(plan.dump(), expected.dump());
}

TEST_F(DeskOfMany, WhatNoPartIsEnoughForComesLast) {
  DeclareLeaving();
  Json expected = Json::parse(PlanAtOnce());
  Open();
  TakenLines taken;
  Json plan = Json::parse(PlanInLines(taken));
  EXPECT_EQ(taken.cleared, 0);
  ASSERT_EQ(taken.lines.size(), static_cast<std::size_t>(kManyTargets));
  EXPECT_THAT(taken.lines.back(), HasSubstr("\"" + EngineWorld::TargetName("t3") + "\""));
  Sort(expected);
  Sort(plan);
  EXPECT_EQ(plan.dump(), expected.dump());
}

TEST_F(DeskOfMany, WhatIsForgottenMeanwhileIsLeftOut) {
  DeclareLeaving();
  const auto lines = std::make_shared<TakenLines>();
  before_task_ = [&] {
    const bool at_the_end = lines->lines.size() == kManyTargets - 2U;
    if (at_the_end) world_.Pass();
    return true;
  };
  Open();
  std::promise<Expected<report::PassPlan>> promise;
  desk_->Ask({}, server::PlanAsker::kNetwork, lines,
             [&promise](const Expected<report::PassPlan>& plan) { promise.set_value(plan); });
  ASSERT_THAT(promise.get_future().get(), IsOk());
  EXPECT_EQ(world_.engine->catalog().claims().FindResource("m3"), nullptr);
  EXPECT_EQ(lines->lines.size(), kManyTargets - 1U) << "nothing is declared on t3 any more";
}

TEST_F(Desk, AfterItsEndTheLoopIsAskedNothing) {
  constexpr int kTargets = 60;
  constexpr int kHeldUp = 10;  // Tasks, until the loop stands still.
  Declare(kTargets);
  std::atomic<int> tasks = 0;
  std::atomic<bool> ends = false;
  before_task_ = [&] {
    if (++tasks == kHeldUp) {
      while (!ends) std::this_thread::yield();
    }
    return !ends;
  };
  Open(kTargets);
  Answer answer = Ask({});
  while (tasks < kHeldUp) std::this_thread::yield();
  auto closed = std::async(std::launch::async, [this] { desk_.reset(); });
  closed.wait_for(1s);  // It waits for the loop's answer.
  ends = true;
  closed.get();
  EXPECT_LE(tasks, kHeldUp + static_cast<int>(PlanDesk::kMostReads));
  EXPECT_THAT(answer.get(), FailsWith(Code::kUnavailable, _));
}

TEST_F(Desk, PlansAnUploadedDirectoryWithWhatIsInForce) {
  Declare(2);
  Open();
  const auto plan = AskAboutUpload(FindManifest(0, "user:ana@example.com")).get();
  ASSERT_THAT(plan, IsOk());
  EXPECT_EQ(plan->summary.removes, 1U) << "m1 is deleted";
  EXPECT_EQ(plan->summary.adds, 0U);
  EXPECT_EQ(plan->summary.waits, 0U) << "nothing waits for another directory to settle";
  EXPECT_EQ(plan->deletions_unknown, "");
  const auto unchanged = Ask({}).get();
  ASSERT_THAT(unchanged, IsOk());
  EXPECT_EQ(unchanged->summary.removes, 0U) << "the engine was not touched";
  EXPECT_THAT(AskAboutUpload("# nothing").get(), FailsWith(Code::kFailedPrecondition, _));
}

TEST_F(Desk, OfADirectoryWithErrorsItSaysWhatStays) {
  Declare(2);
  Open();
  const auto plan =
      AskAboutUpload(FindManifest(0, "user:ana@example.com") + "---\nkind: Nothing\n").get();
  ASSERT_THAT(plan, IsOk());
  ASSERT_FALSE(plan->problems.empty());
  EXPECT_EQ(plan->problems.front().file, "uploaded.yaml");
  EXPECT_EQ(plan->summary.removes, 0U) << "the file may declare m1";
}

TEST_F(Desk, WithNothingInForceDeletionsAreNotKnown) {
  world_.cloud->AddTarget(EngineWorld::TargetName("t0"));
  Open();
  const auto plan = AskAboutUpload(FindManifest(0, "user:ana@example.com")).get();
  ASSERT_THAT(plan, IsOk());
  EXPECT_EQ(plan->summary.adds, 1U);
  EXPECT_EQ(plan->deletions_unknown, "the daemon has no manifests in force");
}

TEST_F(Desk, OnlySoManyUploadsWait) {
  Declare(1);
  Open();
  std::unique_lock<std::mutex> lock;
  Answer first = AskAndHold(lock);
  std::list<Answer> waiting;
  for (std::size_t i = 0; i < PlanDesk::kMostUploads; ++i) {
    waiting.push_back(AskAboutUpload(FindManifest(0, "user:ana@example.com")));
  }
  EXPECT_THAT(AskAboutUpload(FindManifest(0, "user:ana@example.com")).get(),
              FailsWith(Code::kResourceExhausted, _));
  Answer named = Ask({"m0"});
  lock.unlock();
  EXPECT_THAT(first.get(), IsOk());
  EXPECT_THAT(named.get(), IsOk());
  for (Answer& answer : waiting) EXPECT_THAT(answer.get(), IsOk());
}

TEST_F(Desk, WhoAsksForTheSameMeanwhileSharesOne) {
  Declare(2);
  Open();
  std::unique_lock<std::mutex> lock;
  Answer first = AskAndHold(lock);
  std::list<Answer> others;
  for (int i = 0; i < 50; ++i)
    others.push_back(Ask(i % 2 == 0 ? std::vector<std::string>{"m1", "m0"}
                                    : std::vector<std::string>{"m0", "m1", "m0"}));
  const int before = Reads();
  lock.unlock();
  EXPECT_THAT(first.get(), IsOk());
  for (Answer& other : others) EXPECT_THAT(other.get(), IsOk());
  EXPECT_EQ(made_, 2);
  EXPECT_EQ(Reads() - before, 2);
}

TEST_F(Desk, OnlySoManyWaitAndThoseAtTheSocketComeFirst) {
  Declare(1);
  Open();
  std::unique_lock<std::mutex> lock;
  Answer first = AskAndHold(lock);
  std::list<Answer> waiting;
  for (std::size_t i = 0; i < PlanDesk::kMostWaiting; ++i) {
    waiting.push_back(Ask({"nobody" + std::to_string(i)}));
  }
  const auto refused = Ask({"m0"}).get();
  ASSERT_THAT(refused, FailsWith(Code::kResourceExhausted, _));
  EXPECT_EQ(refused.error().retry_after, 5s);
  Answer local = Ask({"m0"}, server::PlanAsker::kLocal);
  lock.unlock();
  EXPECT_THAT(first.get(), IsOk());
  EXPECT_THAT(local.get(), IsOk());
  for (Answer& answer : waiting) EXPECT_THAT(answer.get(), FailsWith(Code::kNotFound, _));
}

TEST_F(Desk, ReadsTakeHalfOfAQuota) {
  world_.settings.quotas["cloudnative"] = {100, 1, 0};
  world_.Configure();
  Declare(0);
  for (int i = 0; i < 10; ++i) {
    world_.cloud->AddTarget(EngineWorld::TargetName("t" + std::to_string(i)));
    world_.Declare("m" + std::to_string(i), "t" + std::to_string(i), kViewer, {"user:a@b.example"});
  }
  world_.Scan();
  Open();
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_THAT(Ask({}).get(), IsOk());
  // Ten calls at 50 a second.
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 180ms);
}

TEST_F(Desk, AQuotaThatIsUsedUpIsLeftAlone) {
  Declare(3);
  const controller::QuotaKey lane{"cloudnative", "acme", "http://cloud"};
  Error refusal{Code::kResourceExhausted, "quota"};
  refusal.retry_after = std::chrono::hours(1);
  world_.engine->schedule().calls().gate().Release(lane, "t", &refusal, {}, world_.now.mono);
  Open();
  const int before = Reads();
  const auto plan = Ask({}).get();
  ASSERT_THAT(plan, IsOk());
  EXPECT_EQ(plan->errors.size(), 3U);
  EXPECT_EQ(plan->errors.at(0).code, "RESOURCE_EXHAUSTED");
  EXPECT_EQ(Reads(), before);
}

TEST_F(Desk, WhoWaitsIsToldWhenItCloses) {
  Declare(1);
  Open();
  std::unique_lock<std::mutex> lock;
  Answer first = AskAndHold(lock);
  Answer waiting = Ask({"m0"});
  auto closed = std::async(std::launch::async, [this] { desk_.reset(); });
  lock.unlock();
  EXPECT_THAT(first.get(), IsOk());
  closed.get();
  const auto told = waiting.get();
  if (!told) {
    EXPECT_THAT(told, FailsWith(Code::kUnavailable, _));
  }
}

}  // namespace
}  // namespace bindery::app
