// What bindery check says of the listener: who is let in, and what is open.

#include "app/check/listener_preflight.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temp_dir.h"

namespace bindery::app {
namespace {

using ::testing::HasSubstr;

struct Case {
  std::string host;
  std::string web;  ///< Empty: no web configuration.
  bool insecure;
  report::CheckState state;
  std::string said;
};

TEST(ListenerPreflight, SaysWhoIsLetInAndWhatIsOpen) {
  const std::string users =
      "basic_auth_users: {ana: $2y$10$mDwo.lAisC94iLAyP81MCesa29IzH37oigHC/42V2pdJlUprsJPze}\n";
  const std::string oidc =
      "sign_in: {external_url: https://b.example.com, oidc: {issuer: https://id.example.com, "
      "client_id: b}}\nroles: {viewer: [\"group:a\", \"group:b\"], approver: [\"group:c\"]}\n";
  const std::vector<Case> cases = {
      {"127.0.0.1", "", false, report::CheckState::kOk, "everybody on this machine reads"},
      {"10.0.0.1", "", true, report::CheckState::kWarning,
       "everybody who reaches the address reads"},
      {"10.0.0.1", "", false, report::CheckState::kFailed, "without a name"},
      {"127.0.0.1", users, false, report::CheckState::kOk, "1 user; no roles: who is known may do"},
      {"10.0.0.1", users, false, report::CheckState::kWarning, "plain HTTP"},
      {"10.0.0.1", oidc, false, report::CheckState::kOk,
       "sign-in at https://id.example.com; 2 viewers; 1 approver"},
      {"10.0.0.1", oidc + "anonymous: [metrics]\n", false, report::CheckState::kOk,
       "everybody reads /metrics"},
      {"10.0.0.1", oidc + "anonymous: [read]\n", false, report::CheckState::kWarning,
       "everybody reads everything"},
      {"127.0.0.1", "roles: [", false, report::CheckState::kFailed, "web.yml:1"},
  };
  for (const Case& c : cases) {
    const testing::TempDir dir;
    config::ServerConfig server;
    server.listen = {c.host, 9817};
    server.insecure = c.insecure;
    if (!c.web.empty()) {
      dir.Write("web.yml", c.web);
      server.web_config = dir / "web.yml";
    }
    const report::PreflightCheck check = PreflightOfListener(server);
    EXPECT_EQ(check.state, c.state) << c.said << ": " << check.message;
    EXPECT_THAT(check.message, HasSubstr(c.said));
    EXPECT_EQ(check.action.empty(), c.state == report::CheckState::kOk);
  }
}

}  // namespace
}  // namespace bindery::app
