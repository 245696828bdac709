#include <pwd.h>

#include "server/requests/actor.h"
#include "server_fixture.h"

namespace bindery::server {
namespace {

using testing::ErrorBody;
using testing::HttpResult;

using ChangeApi = testing::ServerTest;

/// How the server must call whoever runs this test.
std::string Me() {
  const passwd* entry = ::getpwuid(::getuid());
  const std::string uid = "uid " + std::to_string(::getuid());
  return entry == nullptr ? uid : "user " + std::string(entry->pw_name) + " (" + uid + ")";
}

TEST_F(ChangeApi, AsksTheControllerInTheNameOfThePeer) {
  struct Case {
    const char* path;
    const char* body;
    const char* call;
  };
  const std::vector<Case> cases = {
      {"/api/v1/reconcile", R"({"names":["a","b"]})", "reconcile [a,b]"},
      {"/api/v1/reconcile", R"({"names":[]})", "reconcile []"},
      {"/api/v1/reconcile", "{}", "reconcile []"},
      {"/api/v1/reconcile", "", "reconcile []"},
      {"/api/v1/suspend", R"({"names":["a"]})", "suspend [a]"},
      {"/api/v1/resume", R"({"names":["a"]})", "resume [a]"},
      {"/api/v1/forget", R"({"names":["a"]})", "forget [a]"},
      {"/api/v1/guard/approve", R"({"digest":"3f2a"})", "approve 3f2a"},
      {"/api/v1/rollback", R"({"name":"a","revision":7})", "rollback a to 7"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.path) + " " + c.body);
    const HttpResult result = OverSocket("POST", c.path, c.body);
    EXPECT_EQ(result.status, 200);
    EXPECT_EQ(result.body, "{\"fake\":true}\n");
    EXPECT_EQ(result.Header("Cache-Control"), "no-store");
    EXPECT_THAT(control_.TakeCalls(), ::testing::ElementsAre(c.call + (" by " + Me())));
  }
}

TEST_F(ChangeApi, OverTcpEveryChangeIsRefused) {
  for (const char* path : {"/api/v1/reconcile", "/api/v1/suspend", "/api/v1/resume",
                           "/api/v1/forget", "/api/v1/guard/approve", "/api/v1/rollback"}) {
    SCOPED_TRACE(path);
    const HttpResult result = OverTcp("POST", path, R"({"names":["a"]})");
    EXPECT_EQ(result.status, 403);
    EXPECT_EQ(result.body,
              ErrorBody("PERMISSION_DENIED",
                        "changes are accepted over the UNIX socket \"" + dir_ / "bindery.sock" +
                            "\" and from signed-in users (server.webConfigFile) only"));
  }
  EXPECT_TRUE(control_.TakeCalls().empty());
}

TEST_F(ChangeApi, AScanIsBegunAndItsBodyIsChecked) {
  EXPECT_EQ(OverSocket("POST", "/api/v1/scans", R"({"scope":"folders/20"})").status, 200);
  EXPECT_EQ(OverSocket("POST", "/api/v1/scans", R"({"scope":"folders/20","provider":"c"})").status,
            200);
  for (const char* body : {"", "{}", R"({"scope":""})", R"({"scope":"a","provider":7})",
                           R"({"scope":"a","all":true})"}) {
    EXPECT_EQ(OverSocket("POST", "/api/v1/scans", body).status, 400) << body;
  }
  const std::string actor = Me().substr(0, Me().find(' '));
  EXPECT_THAT(inventory_.begun,
              ::testing::ElementsAre("folders/20||" + actor, "folders/20|c|" + actor));
}

TEST_F(ChangeApi, WithoutASocketTheRefusalSaysSo) {
  auto lonely = ApiServer::Start({"127.0.0.1:0", ""}, Parts());
  ASSERT_THAT(lonely, testing::IsOk());
  EXPECT_EQ(testing::Fetch("POST", "http://" + (*lonely)->Address() + "/api/v1/reconcile").body,
            ErrorBody("PERMISSION_DENIED",
                      "changes are accepted over the UNIX socket and from signed-in users "
                      "(server.webConfigFile) only"));
}

TEST_F(ChangeApi, ABadBodyAsksForNothing) {
  const HttpResult result = OverSocket("POST", "/api/v1/suspend", R"({"name":["a"]})");
  EXPECT_EQ(result.status, 400);
  EXPECT_EQ(result.body,
            ErrorBody("INVALID_ARGUMENT",
                      R"(unknown member "name" in the request body; did you mean "names"?)"));
  EXPECT_TRUE(control_.TakeCalls().empty());
}

TEST_F(ChangeApi, TheControllersErrorsHaveMatchingStatuses) {
  struct Case {
    Code code;
    int status;
  };
  const std::vector<Case> cases = {
      {Code::kInvalidArgument, 400},    {Code::kNotFound, 404},    {Code::kPermissionDenied, 403},
      {Code::kFailedPrecondition, 400}, {Code::kAborted, 409},     {Code::kAlreadyExists, 409},
      {Code::kResourceExhausted, 429},  {Code::kUnavailable, 503}, {Code::kUnauthenticated, 401},
      {Code::kDeadlineExceeded, 504},   {Code::kCancelled, 503},   {Code::kUnimplemented, 501},
      {Code::kInternal, 500},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(ToString(c.code)));
    control_.SetResult(Fail(c.code, "why"));
    const HttpResult result = OverSocket("POST", "/api/v1/reconcile");
    EXPECT_EQ(result.status, c.status);
    EXPECT_EQ(result.body, ErrorBody(std::string(ToString(c.code)), "why"));
  }
}

TEST_F(ChangeApi, IsWrittenToTheLog) {
  EXPECT_EQ(OverSocket("POST", "/api/v1/suspend", R"({"names":["a"]})").status, 200);
  EXPECT_EQ(OverTcp("POST", "/api/v1/suspend").status, 403);
  server_.reset();
  ASSERT_EQ(log_.size(), 2U);
  EXPECT_THAT(log_[0], ::testing::HasSubstr("change requested path=/api/v1/suspend actor="));
  EXPECT_THAT(log_[1], ::testing::HasSubstr("change refused path=/api/v1/suspend peer="));
}

TEST_F(ChangeApi, APlanOfAnUploadedDirectoryIsForThoseWhoMayChange) {
  const std::string body =
      R"({"files":[{"path":"a.yaml","text":"x"}],"names":["m"],"unread":[{"path":"b","why":"is odd"}]})";
  EXPECT_EQ(OverSocket("POST", "/api/v1/plan", body).status, 200);
  EXPECT_THAT(control_.TakeCalls(), ::testing::ElementsAre("plan of a.yaml=x !b [m]"));
  EXPECT_EQ(OverTcp("POST", "/api/v1/plan", body).status, 403);
  EXPECT_EQ(OverSocket("POST", "/api/v1/plan", "{}").status, 400);
  EXPECT_TRUE(control_.TakeCalls().empty());
}

TEST_F(ChangeApi, APlanMayHaveALargerBodyThanOtherRequests) {
  const auto upload = [](std::size_t size) {
    return GetText({{}, {{"a.yaml", std::string(size, 'x')}}, {}});
  };
  constexpr std::size_t kMiB = std::size_t{1} << 20U;
  EXPECT_EQ(OverSocket("POST", "/api/v1/plan", upload(2 * kMiB)).status, 200);
  EXPECT_EQ(OverSocket("POST", "/api/v1/suspend", upload(2 * kMiB)).status, 413);
  testing::HttpConnection connection(dir_ / "bindery.sock");
  connection.Send("POST /api/v1/plan HTTP/1.1\r\nHost: t\r\nContent-Length: " +
                  std::to_string(kMostPlanBytes + 1) + "\r\n\r\n");
  const HttpResult refused = connection.Read();
  EXPECT_EQ(refused.status, 413);
  EXPECT_THAT(refused.body, ::testing::HasSubstr("at most 16777216 bytes"));
}

TEST(NameActor, AUserWithoutANameIsItsNumber) {
  httpd::Peer peer;
  peer.is_unix = true;
  peer.uid = 4'000'000'000U;
  EXPECT_EQ(NameActor(peer), "uid 4000000000");
  peer.uid = 0;
  EXPECT_EQ(NameActor(peer), "user root (uid 0)");
}

}  // namespace
}  // namespace bindery::server
