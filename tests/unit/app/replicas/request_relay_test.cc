#include "app/replicas/request_relay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <map>
#include <mutex>
#include <thread>

#include "app/replicas/request_desk.h"
#include "fakes/fake_control.h"
#include "support/fake_clock.h"
#include "support/matchers.h"

namespace bindery::app {
namespace {

using bindery::testing::FailsWith;
using bindery::testing::FakeClock;
using bindery::testing::FakeControl;
using bindery::testing::IsOk;
using State = store::RequestProgress::State;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// The table, with the other replica played by the test. Thread-safe.
class FakeTable {
 public:
  void Set(State state, std::string answer = "") {
    const std::scoped_lock lock(mutex);
    progress = {state, std::move(answer)};
  }
  void Fail() {
    const std::scoped_lock lock(mutex);
    away = true;
  }
  std::mutex mutex;
  store::RequestProgress progress{State::kWaits};
  bool away = false;
  std::vector<store::RequestRecord> asked;
  int looks = 0;
};

class FakeOutbox final : public store::RequestOutbox {
 public:
  explicit FakeOutbox(FakeTable& table) : table_(table) {}

  Expected<void> Ask(const store::RequestRecord& request) override {
    const std::scoped_lock lock(table_.mutex);
    if (table_.away) return Fail(Code::kUnavailable, "the database is away");
    table_.asked.push_back(request);
    return {};
  }
  Expected<store::RequestProgress> Progress(const std::string& /*id*/) override {
    const std::scoped_lock lock(table_.mutex);
    ++table_.looks;
    if (table_.away) return Fail(Code::kUnavailable, "the database is away");
    return table_.progress;
  }
  Expected<bool> Withdraw(const std::string& /*id*/) override {
    const std::scoped_lock lock(table_.mutex);
    if (table_.away) return Fail(Code::kUnavailable, "the database is away");
    return table_.progress.state == State::kWaits;
  }

 private:
  FakeTable& table_;
};

class RequestRelayTest : public ::testing::Test {
 protected:
  std::future<Expected<Json>> Ask() {
    auto answered = std::make_shared<std::promise<Expected<Json>>>();
    relay_.Ask(ForwardedCall(server::command::Forget{{"a"}}), "ana",
               [answered](Expected<Json> result) { answered->set_value(std::move(result)); });
    return answered->get_future();
  }
  /// Until the relay has looked for the answer in vain.
  void AwaitLook() {
    const auto looks = [this] {
      const std::scoped_lock lock(table_.mutex);
      return table_.looks;
    };
    for (const int before = looks(); looks() < before + 2;) std::this_thread::yield();
  }

  FakeTable table_;
  FakeClock clock_;
  RequestRelay relay_{std::make_unique<FakeOutbox>(table_), clock_};
};

TEST_F(RequestRelayTest, GivesTheAnswerOfTheReplicaAtWork) {
  auto answer = Ask();
  AwaitLook();
  table_.Set(State::kTaken);
  clock_.Pass(std::chrono::minutes(10));
  AwaitLook();
  table_.Set(State::kAnswered, TextOfAnswer(Json{{"names", {"a"}}}));
  EXPECT_EQ(*answer.get(), (Json{{"names", {"a"}}}));
  ASSERT_EQ(table_.asked.size(), 1U) << "asked once";
  EXPECT_EQ(table_.asked.front().actor, "ana");
  EXPECT_EQ(table_.asked.front().text, R"({"call":"forget","names":["a"]})");
}

TEST_F(RequestRelayTest, GivesTheErrorOfTheReplicaAtWork) {
  auto answer = Ask();
  table_.Set(State::kAnswered, TextOfAnswer(Fail(Code::kNotFound, "no such resource")));
  EXPECT_THAT(answer.get(), FailsWith(Code::kNotFound, "no such resource"));
}

TEST_F(RequestRelayTest, WithdrawsWhatNobodyTakes) {
  auto answer = Ask();
  AwaitLook();
  clock_.Pass(RequestRelay::kLongestUntaken + std::chrono::seconds(1));
  EXPECT_THAT(answer.get(),
              FailsWith(Code::kUnavailable, "no replica is at work: nothing was done, ask again"));
}

TEST_F(RequestRelayTest, SaysThatItIsNotKnownWhenTheOtherOneEnded) {
  auto answer = Ask();
  table_.Set(State::kLeft);
  EXPECT_THAT(answer.get(), FailsWith(Code::kUnavailable, HasSubstr("look whether it was done")));
}

TEST_F(RequestRelayTest, SaysThatItIsNotKnownWhenTheDatabaseGoes) {
  auto answer = Ask();
  AwaitLook();
  table_.Fail();
  clock_.Pass(RequestRelay::kLongestUntaken + std::chrono::seconds(1));
  EXPECT_THAT(answer.get(), FailsWith(Code::kUnavailable, AllOf(HasSubstr("database is away"),
                                                                HasSubstr("is not known"))));
}

TEST_F(RequestRelayTest, AsksForNothingWithoutTheDatabase) {
  table_.Fail();
  EXPECT_THAT(Ask().get(), FailsWith(Code::kUnavailable, HasSubstr("could not be recorded")));
}

TEST_F(RequestRelayTest, AnswersAllAtItsEnd) {
  auto answer = Ask();
  AwaitLook();
  relay_.Finish();
  EXPECT_THAT(answer.get(),
              FailsWith(Code::kUnavailable, HasSubstr("nothing was done, ask again")));
  EXPECT_THAT(Ask().get(), FailsWith(Code::kUnavailable, HasSubstr("takes over or ends")));
}

TEST_F(RequestRelayTest, DoesNotSayThatWhatWasTakenWasNotDone) {
  auto answer = Ask();
  AwaitLook();
  table_.Set(State::kTaken);
  relay_.Finish();
  EXPECT_THAT(answer.get(), FailsWith(Code::kUnavailable, HasSubstr("is not known")));
}

TEST_F(RequestRelayTest, RefusesMoreThanAFew) {
  std::vector<std::future<Expected<Json>>> answers;
  for (std::size_t i = 0; i < RequestRelay::kMostWaiting; ++i) answers.push_back(Ask());
  EXPECT_THAT(Ask().get(), FailsWith(Code::kResourceExhausted, HasSubstr("too many")));
  table_.Set(State::kAnswered, TextOfAnswer(Json::object()));
  for (auto& answer : answers) EXPECT_THAT(answer.get(), IsOk());
  EXPECT_THAT(Ask().get(), IsOk()) << "there is room again";
}

/// Gives two requests at once, and loses the first try to answer.
class FakeInbox final : public store::RequestInbox {
 public:
  explicit FakeInbox(std::promise<std::map<std::string, std::string>>& answered)
      : answered_(answered) {}
  Expected<std::vector<store::RequestRecord>> Take() override {
    if (std::exchange(given_, true)) return std::vector<store::RequestRecord>();
    return std::vector<store::RequestRecord>{
        {"1", ForwardedCall(server::command::Deny{"d"}).text(), "ana"}, {"2", "{}", "bob"}};
  }
  Expected<void> Answer(const std::string& id, const std::string& answer) override {
    if (!std::exchange(failed_, true)) return Fail(Code::kUnavailable, "away");
    answers_[id] = answer;
    if (answers_.size() == 2) answered_.set_value(answers_);
    return {};
  }

 private:
  std::promise<std::map<std::string, std::string>>& answered_;
  bool given_ = false;
  bool failed_ = false;
  std::map<std::string, std::string> answers_;
};

TEST(RequestDesk, CarriesOutWhatIsAskedAndAnswersInTheEnd) {
  std::promise<std::map<std::string, std::string>> answered;
  FakeControl control;
  telemetry::Logger log({.sink = [](std::string_view /*line*/) {}});
  const RequestDesk desk(std::make_unique<FakeInbox>(answered), control, log);
  const auto answers = answered.get_future().get();
  EXPECT_EQ(*AnswerOfText(answers.at("1")), (Json{{"fake", true}}));
  EXPECT_THAT(AnswerOfText(answers.at("2")), FailsWith(Code::kUnimplemented, HasSubstr("upgrade")));
  EXPECT_THAT(control.TakeCalls(), ::testing::ElementsAre("deny d by ana"));
}

}  // namespace
}  // namespace bindery::app
