#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

#include "emulator_fixture.h"

namespace bindery::emulator {
namespace {

class PersistenceTest : public EmulatorTest {};

TEST_F(PersistenceTest, StateOutlivesAStopAndIsNotSeededAgain) {
  const Json written = Write(Json{{"bindings", {Binding("roles/x", {"user:a@example.com"})}}});
  Run(std::string(kSeed) + "restrictionPolicies: [{id: 'slo:1', bindings: []}]\n");
  EXPECT_EQ(Read(), written);
  Run(R"(
authorizationPolicies:
  - name: projects/acme/locations/global/authorizationPolicies/payments
    policy: {bindings: [{role: roles/other, members: [allUsers]}]}
  - name: projects/acme/locations/global/authorizationPolicies/second
    policy: {bindings: [{role: roles/other, members: [allUsers]}]}
)");
  EXPECT_EQ(Read(), written) << "what is there is left alone";
  const Json second = Read("projects/acme/locations/global/authorizationPolicies/second");
  EXPECT_EQ(second.at("bindings").at(0).at("role"), "roles/other") << "what is new is added";
  Call("GET", "/v1/" + std::string(kServerName), 200);
}

TEST_F(PersistenceTest, ADeletedPolicyIsNotSeededAgain) {
  const std::string seed =
      "restrictionPolicies: [{id: 'slo:1', bindings: [{relation: editor, principals: ['org:1']}]}]";
  Run(seed);
  const std::string path = "/api/v2/restriction_policy/slo:1";
  EXPECT_EQ(Call("GET", path, 200).at("data").at("attributes").at("bindings").size(), 1U);
  Call("DELETE", path, 204);
  Run(seed);
  EXPECT_TRUE(Call("GET", path, 200).at("data").at("attributes").at("bindings").empty());
}

TEST_F(PersistenceTest, EtagsGoOnUpwardsAfterARestart) {
  const Json policy = {{"bindings", {Binding("roles/x", {"user:a@example.com"})}}};
  std::string last;
  for (int i = 0; i < 3; ++i) {
    const std::string etag = StringMember(Write(policy), "etag");
    EXPECT_LT(last, etag);
    last = etag;
    Run(kSeed);
  }
}

TEST_F(PersistenceTest, ReplacingTheSeedForgetsTheRest) {
  Write(Json{{"bindings", {Binding("roles/x", {"user:a@example.com"})}}});
  Call("PUT", "/_emulator/seed", 200, R"(managementServers:
  - projects/new/locations/eu/managementServers/m
)");
  Call("GET", "/v1/" + std::string(kPolicyName) + ":getIamPolicy", 404);
  Run("");
  Call("GET", "/v1/projects/new/locations/eu/managementServers/m:getIamPolicy", 200);
  Call("GET", "/v1/" + std::string(kPolicyName), 404);
}

/// In a child process: writes a policy, tells its etag and dies at once. Never returns.
[[noreturn]] void WriteAndDie(const std::function<std::string()>& write, int tell) {
  try {
    const std::string etag = write();
    if (::write(tell, etag.data(), etag.size()) > 0) ::raise(SIGKILL);
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): the parent reads nothing.
  }
  ::_exit(1);
}

TEST_F(PersistenceTest, AnAnsweredWriteSurvivesAKill) {
  emulator_.reset();
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto write = [this] {
      Run(kSeed);
      return StringMember(Write(Json{{"bindings", {Binding("roles/x", {"user:a@example.com"})}}}),
                          "etag");
    };
    WriteAndDie(write, ends[1]);
  }
  ::close(ends[1]);
  char etag[64];
  const ssize_t size = ::read(ends[0], etag, sizeof(etag));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  ASSERT_GT(size, 0);
  Run(kSeed);
  EXPECT_EQ(StringMember(Read(), "etag"), std::string(etag, static_cast<std::size_t>(size)));
}

TEST_F(PersistenceTest, ADamagedStoreIsRefused) {
  emulator_.reset();
  dir_.Write("bad.db", "this is no database, only a text that is long enough to be read as one");
  Options options;
  options.listen = "127.0.0.1:0";
  options.store = dir_ / "bad.db";
  EXPECT_THAT(Emulator::Start(options),
              testing::FailsWith(Code::kInternal, ::testing::HasSubstr("damaged")));
}

}  // namespace
}  // namespace bindery::emulator
