// The dashboard and the API behind it, of the real program.

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

class Dashboard : public ::testing::Test {
 protected:
  Dashboard() : world_(kSeed) {
    world_.dir().Write("manifests/a.yaml",
                       Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
    world_.dir().Write("manifests/b.yaml",
                       Binding("broken", "roles/editor", "[user:<script>@example.com]"));
    world_.StartDaemon();
    world_.Eventually("ready", [&] { return world_.IsReady("viewers"); });
  }
  [[nodiscard]] std::string Page(const std::string& path) const {
    return Fetch("GET", "http://" + world_.Address() + path).body;
  }

  World world_;
};

TEST_F(Dashboard, AnIndependentJudgeFindsTheApiAsDescribed) {
  const std::string log = world_.dir() / "judge.txt";
  const std::string command =
      std::string("python3 " BINDERY_SOURCE "/tests/support/validate_api.py " BINDERY_SOURCE
                  "/docs/openapi.yaml http://") +
      world_.Address() +
      " check=loop kind=AuthorizationPolicyIamBinding revision=1 file=style.css " +
      "name@{kind}=" + kPayments + " name=viewers > " + log + " 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << world_.dir().Read("judge.txt");
  EXPECT_THAT(world_.dir().Read("judge.txt"), EndsWith(" paths, 0 faults\n"));
}

TEST_F(Dashboard, ShowsWhatIsWrongWithAManifestAndWhere) {
  const std::string page = Page("/problems");
  EXPECT_THAT(page, HasSubstr("b.yaml:"));
  EXPECT_THAT(page, HasSubstr("user:&lt;script&gt;@example.com"));
  EXPECT_EQ(page.find("<script>"), std::string::npos);
}

TEST_F(Dashboard, TellsOfDriftAsItIsFound) {
  HttpConnection stream(world_.Address());
  stream.SendRequest("GET", "/api/v1/events/stream");
  ASSERT_EQ(stream.Read().status, 200);
  world_.SetPolicy(kPayments, Holders("roles/owner", {"allUsers"}));
  EXPECT_EQ(world_.Run({"reconcile", "viewers"}).exit_code, 1)
      << "b.yaml cannot be read and may declare what is to be removed";
  std::string heard;
  while (heard.find("DriftFound") == std::string::npos) {
    const std::string byte = stream.ReadBytes(1);
    ASSERT_FALSE(byte.empty()) << heard;
    heard += byte;
  }
  EXPECT_THAT(Page("/drift"), HasSubstr("granted"));
}

TEST_F(Dashboard, KeepsTheHistoryOfAnEarlierRun) {
  const auto today = [&] {
    const auto history = ParseJson(Page("/api/v1/history"));
    return history && !(*history)["spans"].empty() ? (*history)["spans"].back() : Json();
  };
  world_.SetPolicy(kPayments, Holders("roles/viewer", {"user:eve@example.com"}));
  EXPECT_EQ(world_.Run({"reconcile", "viewers"}).exit_code, 1);
  EXPECT_EQ(world_.Kill(SIGTERM), 0);
  world_.StartDaemon();
  world_.Eventually("the history is there", [&] { return !today().is_null(); });
  const Json before = today();
  EXPECT_GT(before["calls"], 0) << before.dump();
  EXPECT_GT(before["found"], 0) << before.dump();
  EXPECT_EQ(world_.Run({"reconcile", "viewers"}).exit_code, 1);
  EXPECT_EQ(world_.Kill(SIGTERM), 0) << "what the last minute brought is recorded at the end";
  world_.StartDaemon();
  world_.Eventually("both runs count", [&] { return today()["calls"] > before["calls"]; });
  EXPECT_EQ(today()["found"], before["found"]) << "what was known counts once";
  EXPECT_THAT(Page("/history"), HasSubstr("Numbers"));
}

TEST_F(Dashboard, StopsWithStreamsOpen) {
  HttpConnection stream(world_.Address());
  stream.SendRequest("GET", "/api/v1/events/stream");
  ASSERT_EQ(stream.Read().status, 200);
  EXPECT_EQ(world_.Kill(SIGTERM), 0);
  while (!stream.ReadBytes(1).empty()) {
  }
  EXPECT_TRUE(stream.Closed());
}

}  // namespace
}  // namespace bindery::testing
