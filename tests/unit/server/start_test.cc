#include <future>

#include "server_fixture.h"

namespace bindery::server {
namespace {

using testing::FailsWith;
using testing::IsOk;

using ApiServerStart = testing::ServerTest;

TEST_F(ApiServerStart, OpenListenersAreRefusedUnlessAskedForInWords) {
  for (const char* listen : {"0.0.0.0:0", "[::]:0", ":0"}) {
    EXPECT_THAT(ApiServer::Start({listen, ""}, Parts()),
                FailsWith(Code::kFailedPrecondition,
                          "\"" + std::string(listen) +
                              "\" can be reached from other machines without authentication: "
                              "listen on 127.0.0.1, name users in server.webConfigFile, or set "
                              "server.insecure: true"));
  }
  EXPECT_THAT(ApiServer::Start({"0.0.0.0:0", "", {}, true}, Parts()), IsOk());
}

TEST_F(ApiServerStart, FailsLikeTheListenersFail) {
  EXPECT_THAT(ApiServer::Start({"nowhere", ""}, Parts()),
              FailsWith(Code::kInvalidArgument, ::testing::HasSubstr("nowhere")));
  EXPECT_THAT(ApiServer::Start({"", dir_ / "bindery.sock"}, Parts()),
              FailsWith(Code::kAlreadyExists, ::testing::HasSubstr("another process listens")));
}

/// A controller that answers when the test says so.
class SlowControl final : public Control {
 public:
  void Execute(OperatorCommand, std::string, Reply reply) override {
    asked.set_value(std::move(reply));
  }
  void Metrics(std::function<void(std::string)>) override {}
  [[nodiscard]] report::ActivityReport Activity() const override { return {}; }
  [[nodiscard]] std::vector<HealthCheck> Health() const override { return {}; }
  [[nodiscard]] report::DriftSettings ReportSettings() const override { return {}; }
  void Plan(std::vector<std::string>, PlanAsker, std::shared_ptr<PlanLines>, Reply reply) override {
    asked.set_value(std::move(reply));
  }

  void PlanDirectory(PlanUpload, PlanAsker, Reply) override {}

  std::promise<Reply> asked;
};

TEST_F(ApiServerStart, ASlowAnswerHoldsUpNobodyElse) {
  SlowControl slow;
  ApiOptions options;
  options.listen = "127.0.0.1:0";
  options.workers = 1;
  auto server = ApiServer::Start(options, {*store_, slow, clock_, logger_, changes_, {}});
  ASSERT_THAT(server, IsOk());
  testing::HttpConnection waiting((*server)->Address());
  waiting.SendRequest("GET", "/api/v1/plan");
  const Control::Reply reply = slow.asked.get_future().get();
  EXPECT_EQ(testing::Fetch("GET", "http://" + (*server)->Address() + "/livez").body, "ok");
  reply(Json{{"late", true}});
  EXPECT_EQ(waiting.Read().body, "{\"late\":true}\n");
}

/// Also for the sanitizers: nothing of the server is there any more.
TEST_F(ApiServerStart, AnAnswerAfterTheEndGoesNowhere) {
  struct Case {
    const char* method;
    const char* path;
    const char* body;
  };
  const Case cases[] = {{"GET", "/api/v1/plan", ""},
                        {"GET", "/api/v1/plan?name=a", ""},
                        {"POST", "/api/v1/guard/approve", R"({"digest":"a"})"},
                        {"POST", "/actions/approve", "digest=a"}};
  const Expected<Json> answers[] = {Json{{"late", true}}, Fail(Code::kResourceExhausted, "late")};
  for (const Case& asked : cases) {
    for (const Expected<Json>& answer : answers) {
      SCOPED_TRACE(asked.path);
      SlowControl slow;
      const std::string socket = dir_ / "slow.sock";
      auto server = ApiServer::Start({"", socket}, {*store_, slow, clock_, logger_, changes_, {}});
      ASSERT_THAT(server, IsOk());
      testing::HttpConnection waiting(socket);
      waiting.SendRequest(asked.method, asked.path, {{"Origin", "http://localhost"}}, asked.body);
      const Control::Reply reply = slow.asked.get_future().get();
      (*server)->Stop(std::chrono::milliseconds(0));
      server->reset();
      EXPECT_TRUE(waiting.Closed());
      reply(answer);
    }
  }
}

}  // namespace
}  // namespace bindery::server
