// Who is told of events: the real daemon, and a receiver that is a server of this test.

#include <openssl/hmac.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "core/text/base64.h"
#include "core/text/time_text.h"
#include "integration/manifests.h"
#include "integration/world.h"
#include "support/http_impostor.h"

namespace bindery::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Request = HttpImpostor::Request;

/// base64 of 24 bytes; a secret that would be found wherever it was written down.
constexpr const char* kKey = "SECRETSECRETSECRETSECRETSECRETSE";
constexpr const char* kPath = "/hook/SECRET-path";

std::string FindManifest(const std::string& team) {
  return "apiVersion: cloudnative:networksecurity/v1\n"
         "kind: AuthorizationPolicyIamBinding\n"
         "metadata: {name: viewers, labels: {team: " +
         team + "}}\nspec: {name: " + kPayments +
         ", role: roles/viewer, members: [\"user:ana@example.com\"]}\n";
}

/// By the rules of Standard Webhooks, as a receiver would.
bool IsSignedWith(const Request& request, const std::string& key) {
  const std::string content = request.headers.at("webhook-id") + "." +
                              request.headers.at("webhook-timestamp") + "." + request.body;
  const std::string bytes = DecodeBase64(key).value();
  std::array<unsigned char, EVP_MAX_MD_SIZE> mac{};
  unsigned int size = 0;
  ::HMAC(::EVP_sha256(), bytes.data(), static_cast<int>(bytes.size()),
         reinterpret_cast<const unsigned char*>(content.data()), content.size(), mac.data(), &size);
  const std::string wanted =
      "v1," + EncodeBase64({reinterpret_cast<const char*>(mac.data()), size});
  return request.headers.at("webhook-signature") == wanted;
}

/// Whether the receiver that docs/notifications.md shows takes the request for bindery's.
bool IsSignedAsDocumented(const Request& request, const std::string& secret, const TempDir& dir) {
  std::ifstream in(BINDERY_SOURCE "/docs/notifications.md");
  std::ostringstream page;
  page << in.rdbuf();
  const std::string text = page.str();
  const std::size_t begin = text.find("```python\n") + 10;
  const Json headers = request.headers;
  dir.Write("headers.json", headers.dump());
  dir.Write("body", request.body);
  dir.Write("verify.py", text.substr(begin, text.find("```", begin) - begin) +
                             "\nimport json, sys\n"
                             "here, secret = sys.argv[1:]\n"
                             "headers = json.load(open(here + '/headers.json'))\n"
                             "body = open(here + '/body', 'rb').read()\n"
                             "sys.exit(0 if is_from_bindery(headers, body, secret) else 1)\n");
  const std::string command =
      "python3 " + (dir / "verify.py") + " " + dir.path().string() + " " + secret;
  return std::system(command.c_str()) == 0;
}

class Notifications : public ::testing::Test {
 protected:
  Notifications() : world_(kSeed) {
    world_.WriteSecret("url", receiver_.Url(kPath) + "\n");
    world_.WriteSecret("key", std::string("whsec_") + kKey + "\n");
    world_.dir().Write("manifests/a.yaml", FindManifest("payments"));
  }

  /// A daemon with the first pass behind it, so that what follows is what happens.
  void Settle() {
    world_.Configure("");
    world_.StartDaemon();
    world_.Eventually("in sync", [&] { return world_.IsReady("viewers"); });
    world_.Kill(SIGTERM);
  }

  /// A webhook called ops with these further keys.
  void StartWith(const std::string& keys) {
    Tell(keys);
    world_.StartDaemon();
    world_.Eventually("ready", [&] { return world_.IsReady("viewers"); });
  }
  void Tell(const std::string& keys) {
    world_.Configure("notifications: {source: /bindery/test, webhooks: {ops: {urlFile: url" + keys +
                     "}}}\n");
  }

  /// Somebody grants access by hand; the next look finds it.
  void Drift(const std::string& member = "allUsers") {
    world_.SetPolicy(kPayments, Holders("roles/owner", {member}));
    EXPECT_EQ(world_.Run({"reconcile", "viewers"}).exit_code, 0);
  }

  [[nodiscard]] Json MakeBody(std::size_t number) const {
    return ParseJson(receiver_.Requests().at(number).body).value_or(Json::object());
  }

  /// The value of a series of this webhook, as text.
  [[nodiscard]] std::string Metric(const std::string& series) const {
    const std::string text = world_.Ask("GET", "/metrics").body;
    const std::size_t at = text.find("\n" + series + " ");
    if (at == std::string::npos) return "none";
    const std::size_t begin = at + series.size() + 2;
    return text.substr(begin, text.find('\n', begin) - begin);
  }

  HttpImpostor receiver_;
  World world_;
};

TEST_F(Notifications, DriftByHandIsToldAsASignedCloudEvent) {
  receiver_.When("POST", kPath).Reply(204);
  Settle();
  StartWith(
      ", secretFile: key, filter: {reasons: [Drift*], types: [Warning], minSeverity: high, labels: "
      "{team: payments}}");
  Drift();
  ASSERT_TRUE(receiver_.WaitForRequests(1));
  const Request request = receiver_.Requests().at(0);
  EXPECT_EQ(request.headers.at("content-type"), "application/cloudevents+json");
  EXPECT_TRUE(IsSignedWith(request, kKey));
  EXPECT_TRUE(IsSignedAsDocumented(request, std::string("whsec_") + kKey, world_.dir()));
  EXPECT_FALSE(IsSignedAsDocumented(request, "whsec_" + std::string(32, 'A'), world_.dir()));

  const Json event = MakeBody(0);
  EXPECT_EQ(event.at("specversion"), "1.0");
  EXPECT_EQ(event.at("id"), request.headers.at("webhook-id"));
  EXPECT_EQ(event.at("source"), "/bindery/test");
  EXPECT_EQ(event.at("type"), "io.bindery.DriftFound");
  EXPECT_EQ(event.at("subject"), kPayments);
  EXPECT_TRUE(ParseRfc3339(event.at("time").get<std::string>()));
  EXPECT_EQ(event.at("datacontenttype"), "application/json");
  const Json& data = event.at("data");
  EXPECT_EQ(data.at("severity"), "critical");
  EXPECT_EQ(data.at("resources").at(0).at("labels").at("team"), "payments");
  EXPECT_EQ(data.at("resources").at(0).at("source").at("file"), "a.yaml");

  const Json events = world_.RunJson({"events"}).at("events");
  const auto same = std::ranges::find_if(
      events, [&](const Json& other) { return other.at("id") == data.at("id"); });
  ASSERT_NE(same, events.end());
  for (const auto& [name, value] : same->items()) EXPECT_EQ(data.at(name), value) << name;
  world_.Eventually("counted", [&] {
    return Metric(R"(bindery_notifications_total{outcome="delivered",webhook="ops"})") == "1";
  });
  EXPECT_EQ(Metric(R"(bindery_notifications_failing{webhook="ops"})"), "0");
}

TEST_F(Notifications, WhatIsRefusedIsToldAgainUntilItIsAccepted) {
  receiver_.When("POST", kPath).Reply(503).Times(2);
  receiver_.When("POST", kPath).Reply(200);
  Settle();
  StartWith(", secretFile: key, filter: {reasons: [DriftFound]}");
  Drift();
  ASSERT_TRUE(receiver_.WaitForRequests(3));
  const auto requests = receiver_.Requests();
  for (const Request& request : requests) {
    EXPECT_EQ(request.body, requests.at(0).body);
    EXPECT_EQ(request.headers.at("webhook-id"), requests.at(0).headers.at("webhook-id"));
    EXPECT_TRUE(IsSignedWith(request, kKey));
  }
  world_.Eventually("it is over", [&] {
    return Metric(R"(bindery_notifications_failing{webhook="ops"})") == "0" &&
           Metric(R"(bindery_notifications_pending{webhook="ops"})") == "0";
  });
  EXPECT_EQ(Metric(R"(bindery_notifications_total{outcome="failed",webhook="ops"})"), "2");
  EXPECT_THAT(world_.DaemonLog(), HasSubstr("HTTP 503"));
  EXPECT_THAT(world_.DaemonLog(), HasSubstr("notifications are accepted again"));
}

TEST_F(Notifications, WhatWasNotAcceptedOutlivesAKill) {
  receiver_.When("POST", kPath).Hold().Times(1);
  receiver_.When("POST", kPath).Reply(200);
  Settle();
  StartWith(", filter: {reasons: [DriftFound]}");
  Drift();
  ASSERT_TRUE(receiver_.WaitForRequests(1));
  world_.Kill(SIGKILL);
  EXPECT_EQ(world_.RunJson({"notify", "status"}).at("webhooks").at(0).at("pending"), 1)
      << "that it does not want what else happened";
  world_.StartDaemon();
  ASSERT_TRUE(receiver_.WaitForRequests(2));
  const auto requests = receiver_.Requests();
  EXPECT_EQ(requests.at(0).body, requests.at(1).body);
  EXPECT_EQ(requests.at(0).headers.at("webhook-id"), requests.at(1).headers.at("webhook-id"));

  world_.Eventually("on record", [&] {
    const Json webhook = world_.RunJson({"notify", "status"}).at("webhooks").at(0);
    return !webhook.at("deliveredAt").is_null();
  });
  world_.Kill(SIGTERM);
  world_.StartDaemon();
  Drift("user:bob@example.com");
  ASSERT_TRUE(receiver_.WaitForRequests(3));
  EXPECT_NE(MakeBody(2).at("id"), MakeBody(1).at("id")) << "what was accepted is not told again";
}

TEST_F(Notifications, ASlowReceiverHoldsUpNeitherAPassNorTheEnd) {
  receiver_.When("POST", kPath).Hold();
  Settle();
  StartWith(", timeout: 2m");
  Drift();
  ASSERT_TRUE(receiver_.WaitForRequests(1));
  Drift("user:bob@example.com");
  EXPECT_EQ(world_.Members(kPayments, "roles/owner"), std::vector<std::string>{});
  const auto began = std::chrono::steady_clock::now();
  EXPECT_EQ(world_.Kill(SIGTERM), 0);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(30));
}

TEST_F(Notifications, SlackIsToldInItsOwnForm) {
  receiver_.When("POST", kPath).Reply(200, "ok");
  Settle();
  StartWith(", format: slack, filter: {reasons: [DriftFound]}");
  Drift();
  ASSERT_TRUE(receiver_.WaitForRequests(1));
  EXPECT_EQ(receiver_.Requests().at(0).headers.at("content-type"), "application/json");
  const Json message = MakeBody(0);
  EXPECT_THAT(message.at("text").get<std::string>(), HasSubstr("*DriftFound* (critical)"));
  EXPECT_THAT(message.at("text").get<std::string>(), HasSubstr(kPayments));
  EXPECT_EQ(message.at("blocks").at(0).at("type"), "section");
}

TEST_F(Notifications, OnlyWhatAWebhookWantsIsTold) {
  receiver_.When("POST", kPath).Reply(200);
  receiver_.When("POST", "/other").Reply(200);
  Settle();
  world_.Configure(
      "notifications: {webhooks: {ops: {urlFile: url, filter: {reasons: [\"*\", \"!Drift*\", "
      "\"!Policy*\", \"!Check*\"], "
      "types: [Normal], resources: [viewers]}}, other: {url: \"" +
      receiver_.Url("/other") + "\", filter: {labels: {team: storefront}}}}}\n");
  world_.StartDaemon();
  world_.Eventually("ready", [&] { return world_.IsReady("viewers"); });
  Drift();
  EXPECT_EQ(world_.Run({"suspend", "viewers"}).exit_code, 0);
  ASSERT_TRUE(receiver_.WaitForRequests(1));
  EXPECT_EQ(MakeBody(0).at("type"), "io.bindery.Suspended") << "and nothing of what was before";
  world_.dir().Write("manifests/a.yaml", FindManifest("storefront"));
  world_.Eventually("the other is told, once the label is there", [&] {
    for (const Request& request : receiver_.Requests()) {
      if (request.target == "/other") return true;
    }
    return false;
  });
}

TEST_F(Notifications, WhatIsTooMuchAtOnceIsToldTogether) {
  receiver_.When("POST", kPath).Reply(200);
  for (const char* role : {"roles/editor", "roles/owner", "roles/browser"}) {
    const std::string name = std::string(role).substr(6);
    world_.dir().Write("manifests/" + name + ".yaml",
                       Binding(name, role, "[user:ana@example.com]"));
  }
  StartWith(", rateLimit: {perMinute: 1, burst: 1}");
  ASSERT_TRUE(receiver_.WaitForRequests(1));
  const Json event = MakeBody(0);
  EXPECT_EQ(event.at("type"), "io.bindery.Summary");
  EXPECT_EQ(event.at("data").at("count"), event.at("data").at("events").size());
  EXPECT_GE(event.at("data").at("count"), 4);
  EXPECT_EQ(receiver_.Requests().size(), 1U);
}

TEST_F(Notifications, OnePassTellsBeforeItEnds) {
  receiver_.When("POST", kPath).Reply(200);
  Tell(", filter: {reasons: [DriftFound]}");
  EXPECT_EQ(world_.Run({"run", "--once"}).exit_code, 0);
  ASSERT_EQ(receiver_.Requests().size(), 1U);
  EXPECT_EQ(MakeBody(0).at("type"), "io.bindery.DriftFound");
}

TEST_F(Notifications, AReloadTakesWebhooksAllOrNothing) {
  receiver_.When("POST", kPath).Reply(200);
  world_.StartDaemon();
  world_.Eventually("ready", [&] { return world_.IsReady("viewers"); });
  const auto reload = [&](const std::string& keys, const std::string& said) {
    Tell(keys);
    world_.Signal(SIGHUP);
    world_.Eventually(said, [&] { return world_.DaemonLog().find(said) != std::string::npos; });
  };
  reload(", secretFile: absent", "the configuration cannot be used");
  EXPECT_THAT(world_.DaemonLog(), HasSubstr("notifications.webhooks.ops: secretFile"));
  Drift();
  EXPECT_THAT(receiver_.Requests(), IsEmpty());
  reload(", filter: {reasons: [DriftFound]}", "configuration reloaded");
  Drift("user:bob@example.com");
  ASSERT_TRUE(receiver_.WaitForRequests(1));
  EXPECT_THAT(MakeBody(0).dump(), HasSubstr("DriftFound"));
}

TEST_F(Notifications, ATestMessageSaysWhetherMessagesArrive) {
  receiver_.When("POST", kPath).Reply(200).Times(1);
  receiver_.When("POST", kPath).Reply(401);
  Tell(", secretFile: key");
  const Json report = world_.RunJson({"notify", "test"});
  EXPECT_EQ(report.at("webhooks").at(0).at("accepted"), true);
  EXPECT_EQ(report.at("webhooks").at(0).at("signed"), true);
  EXPECT_EQ(report.at("webhooks").at(0).at("destination"), receiver_.Url());
  EXPECT_EQ(MakeBody(0).at("type"), "io.bindery.Test");
  EXPECT_TRUE(IsSignedWith(receiver_.Requests().at(0), kKey));

  const Outcome refused = world_.Run({"notify", "test", "ops"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.out, HasSubstr("HTTP 401"));
  const Outcome unknown = world_.Run({"notify", "test", "nobody"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("names no webhook \"nobody\""));
}

TEST_F(Notifications, CheckLooksAtTheFiles) {
  const auto found = [&](const std::string& configuration) {
    world_.Configure(configuration);
    return world_.Run({"check"}).out;
  };
  const std::string ops = "notifications: {webhooks: {ops: {urlFile: url";
  EXPECT_THAT(found(ops + "}}}\n"), ::testing::ContainsRegex("webhook +ops +ok"));
  EXPECT_THAT(found(ops + ", caFile: absent.pem}}}\n"),
              ::testing::ContainsRegex("webhook +ops +failed +.*caFile: .*absent.pem"));
  const std::string tracing = "tracing: {endpoint: \"https://collector.example\", headersFile: ";
  EXPECT_THAT(found(tracing + "absent}\n"),
              ::testing::ContainsRegex("tracing +.*failed +.*tracing.headersFile: .*absent"));
  world_.WriteSecret("headers", "api-key: SECRET\n");
  EXPECT_THAT(found(tracing + "headers}\n"), ::testing::ContainsRegex("tracing +.*ok "));
}

TEST_F(Notifications, AUrlIsShownNowhere) {
  world_.Configure("notifications: {webhooks: {ops: {url: \"" + receiver_.Url(kPath) + "\"}}}\n");
  const Outcome shown = world_.Run({"config", "show"});
  EXPECT_THAT(shown.out, HasSubstr("notifications.webhooks.ops.url"));
  EXPECT_THAT(shown.out, Not(HasSubstr("hook/")));
  // Nobody listens on port 1.
  world_.Configure("notifications: {webhooks: {ops: {url: \"http://127.0.0.1:1/SECRET-path\"}}}\n");
  const Outcome away = world_.Run({"notify", "test"});
  EXPECT_EQ(away.exit_code, 2);
  EXPECT_THAT(away.out, HasSubstr("127.0.0.1:1"));
}

}  // namespace
}  // namespace bindery::testing
