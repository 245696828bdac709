#include "cloud/service_probe.h"

#include "core/text/time_text.h"
#include "support/http_impostor.h"
#include "support/matchers.h"

namespace bindery::cloud {
namespace {

using namespace std::chrono_literals;
using testing::FailsWith;
using testing::HttpImpostor;
using testing::IsOk;

TEST(ServiceProbe, AnyAnswerShowsThatTheServiceIsThereAndWhatTimeItHas) {
  HttpImpostor server;
  server.When("GET", "/base/")
      .Reply(404, "<html>", {{"Date", "Sat, 21 Nov 2026 05:00:00 GMT"}})
      .Times(1);
  server.When("GET", "/base/").Reply(200, "", {{"Date", "yesterday"}});
  CurlTransport transport({"bindery/test"});
  const auto probe = ProbeService(transport, "backupdr", server.Url() + "/base", 5s);
  ASSERT_THAT(probe, IsOk());
  EXPECT_EQ(probe->status, 404);
  EXPECT_EQ(probe->date, ParseRfc3339("2026-11-21T05:00:00Z"));
  EXPECT_EQ(server.Requests().at(0).headers.count("authorization"), 0U);
  EXPECT_EQ(ProbeService(transport, "backupdr", server.Url() + "/base", 5s)->date, std::nullopt);
}

TEST(ServiceProbe, NoAnswerIsUnavailable) {
  std::string gone;
  {
    HttpImpostor server;
    gone = server.Url();
  }
  CurlTransport transport({"bindery/test"});
  EXPECT_THAT(ProbeService(transport, "backupdr", gone, 5s),
              FailsWith(Code::kUnavailable, ::testing::HasSubstr("no answer from")));
}

}  // namespace
}  // namespace bindery::cloud
