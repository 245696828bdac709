// Who changed it: audit logs dropped into the watched folder, by the real program.

#include <filesystem>

#include "core/access/grant.h"
#include "core/text/time_text.h"
#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kEve = "user:eve@example.com";

/// What Cloud Logging exports of a call that added or removed one member of roles/viewer.
Json GoogleLine(const std::string& actor, const std::string& action, const std::string& member) {
  const std::string now = FormatRfc3339(std::chrono::system_clock::now());
  return {
      {"insertId", "1a2b3c" + actor.substr(0, 4)},
      {"logName", "projects/acme/logs/cloudaudit.googleapis.com%2Factivity"},
      {"protoPayload",
       {{"@type", "type.googleapis.com/google.cloud.audit.AuditLog"},
        {"authenticationInfo", {{"principalEmail", actor}}},
        {"methodName", "google.iam.v1.IAMPolicy.SetIamPolicy"},
        {"requestMetadata",
         {{"callerIp", "203.0.113.7"}, {"callerSuppliedUserAgent", "google-cloud-sdk gcloud/501"}}},
        {"resourceName", kPayments},
        {"serviceData",
         {{"@type", "type.googleapis.com/google.iam.v1.logging.AuditData"},
          {"policyDelta",
           {{"bindingDeltas",
             Json::array({{{"action", action}, {"role", "roles/viewer"}, {"member", member}}})}}}}},
        {"serviceName", "networksecurity.googleapis.com"},
        {"status", Json::object()}}},
      {"timestamp", now}};
}

/// What Datadog's audit trail tells of a restriction policy that was changed.
Json DatadogLine(const std::string& actor) {
  return {
      {"id", "AwAAAZ-dashboard"},
      {"type", "audit"},
      {"attributes",
       {{"timestamp", FormatRfc3339(std::chrono::system_clock::now())},
        {"attributes",
         {{"evt", {{"name", "Access Management"}, {"actor", {{"type", "USER"}}}}},
          {"action", "modified"},
          {"asset", {{"type", "restriction_policy"}, {"id", "dashboard:abc-def-ghi"}}},
          {"usr", {{"email", actor}}},
          {"http",
           {{"method", "POST"},
            {"status_code", 200},
            {"url_details", {{"path", "/api/v2/restriction_policy/dashboard:abc-def-ghi"}}}}}}}}}};
}

/// A daemon that only reports, so that differences stay, with a folder of audit logs.
class Attributed : public ::testing::Test {
 protected:
  explicit Attributed(const std::string& feed = "attribution: {directory: logs, interval: 1s}\n")
      : world_(kSeed, "reconcile: {mode: observe, interval: 1s, jitter: 0}\n" + feed) {
    std::filesystem::create_directories(world_.dir() / "logs/2026/11/21");
    world_.dir().Write("manifests/a.yaml",
                       Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
  }

  /// The target is read as declared, then somebody else adds eve.
  void AddEve() {
    world_.SetPolicy(kPayments, Holders("roles/viewer", {"user:ana@example.com"}));
    world_.StartDaemon();
    world_.Eventually("all is as declared", [this] { return world_.IsReady("viewers"); });
    world_.SetPolicy(kPayments, Holders("roles/viewer", {"user:ana@example.com", kEve}));
  }

  void Log(const std::string& file, const Json& line) const {
    world_.dir().Write("logs/" + file, line.dump() + "\n");
  }

  /// The newest difference about a principal, as `bindery drift` has it; null while there is none.
  [[nodiscard]] Json MakeItem(const std::string& principal) const {
    const Json report = world_.RunJson({"drift"});
    for (const Json& item : report.at("items")) {
      if (!item.at("grant").is_object()) continue;
      if (GrantFromJson(item.at("grant")).principal == principal) return item;
    }
    return nullptr;
  }

  [[nodiscard]] std::string NameActor(const std::string& principal) const {
    const Json item = MakeItem(principal);
    const Json* attribution = FindMember(item, "attribution");
    return attribution == nullptr ? "" : StringMember(*attribution, "actor");
  }

  World world_;
};

/// Entries whose names of targets are completed by their labels.
TEST(AttributedByLabels, OfCloudRunAndCloudDnsToo) {
  const char* const web = "run.googleapis.com/v2/projects/acme/locations/eu/services/web";
  const char* const zone = "dns.googleapis.com/dns/v1/projects/acme/managedZones/demo";
  const std::string ana = ", members: [\"user:ana@example.com\"]}";
  World world(
      "iamPolicies:\n"
      "  //run.googleapis.com/projects/acme/locations/eu/services/web: {bindings: [{role: "
      "roles/run.invoker" +
          ana +
          "]}\n"
          "  //dns.googleapis.com/projects/acme/managedZones/demo: {bindings: [{role: "
          "roles/dns.reader" +
          ana + "]}\n",
      "reconcile: {mode: observe, interval: 1s, jitter: 0}\n"
      "attribution: {directory: logs, interval: 1s}\n");
  std::filesystem::create_directories(world.dir() / "logs");
  std::string config = world.dir().Read("bindery.yaml");
  config.insert(config.find("run: \""), "dns: \"" + world.CloudUrl() + "/dns.googleapis.com\", ");
  world.dir().Write("bindery.yaml", config);
  world.dir().Write(
      "manifests/a.yaml",
      "apiVersion: cloudnative:run/v2\nkind: ServiceIamBinding\nmetadata: {name: web}\n"
      "spec: {name: projects/acme/locations/eu/services/web, role: roles/run.invoker" +
          ana +
          "\n---\napiVersion: cloudnative:dns/v1\nkind: ManagedZoneIamBinding\n"
          "metadata: {name: zone}\n"
          "spec: {name: projects/acme/managedZones/demo, role: roles/dns.reader" +
          ana + "\n");
  world.StartDaemon();
  world.Eventually("read", [&] { return world.IsReady("web") && world.IsReady("zone"); });
  const auto grant = [&](const std::string& path, const std::string& role) {
    const Json body = {{"policy", {{"bindings", Holders(role, {kAna, kEve})}}}};
    ASSERT_EQ(world.Cloud("POST", "/" + path + ":setIamPolicy", body.dump()).status, 200);
  };
  grant(web, "roles/run.invoker");
  grant(zone, "roles/dns.reader");
  const auto log = [&](const std::string& file, const char* service, const char* method,
                       const char* name, const char* role, const Json& labels) {
    Json line = GoogleLine("mallory@example.com", "ADD", kEve);
    line["resource"] = {{"labels", labels}};
    Json& call = line["protoPayload"];
    call["serviceName"] = service;
    call["methodName"] = method;
    call["resourceName"] = name;
    call["serviceData"]["policyDelta"]["bindingDeltas"][0]["role"] = role;
    world.dir().Write("logs/" + file, line.dump() + "\n");
  };
  log("run.json", "run.googleapis.com", "google.cloud.run.v1.Services.SetIamPolicy",
      "namespaces/acme/services/web", "roles/run.invoker",
      {{"project_id", "acme"}, {"location", "eu"}, {"service_name", "web"}});
  log("dns.json", "dns.googleapis.com", "dns.managedZones.setiampolicy", "managedZones/demo",
      "roles/dns.reader", {{"project_id", "acme"}, {"zone_name", "demo"}});
  world.Eventually("mallory is named for both", [&] {
    int named = 0;
    const Json report = world.RunJson({"drift"});
    for (const Json& item : report.at("items")) {
      const Json* attribution = FindMember(item, "attribution");
      named += attribution != nullptr && attribution->at("actor") == "mallory@example.com" ? 1 : 0;
    }
    return named == 2;
  });
}

TEST_F(Attributed, ADifferenceNamesWhoMadeIt) {
  AddEve();
  Log("2026/11/21/00:00:00_00:59:59_S0.json", GoogleLine("mallory@example.com", "ADD", kEve));
  world_.Eventually("mallory is named",
                    [this] { return NameActor(kEve) == "mallory@example.com"; });
  const Json attribution = MakeItem(kEve).at("attribution");
  EXPECT_EQ(attribution.at("how"), "exact");
  EXPECT_EQ(attribution.at("method"), "google.iam.v1.IAMPolicy.SetIamPolicy");
  EXPECT_EQ(attribution.at("entry"), "1a2b3cmall");
  EXPECT_EQ(attribution.at("source"), "2026/11/21/00:00:00_00:59:59_S0.json:1");
  EXPECT_TRUE(ParseRfc3339(StringMember(attribution, "time")));

  EXPECT_THAT(world_.Run({"drift", "--all"}).out, HasSubstr("mallory@example.com"));
  EXPECT_THAT(world_.Run({"drift", "-o", "csv"}).out, HasSubstr(",mallory@example.com,"));
  EXPECT_THAT(world_.Run({"drift", "-o", "html"}).out, HasSubstr("mallory@example.com"));
  EXPECT_THAT(world_.Run({"drift", "-o", "markdown"}).out, HasSubstr("mallory@example.com"));
  EXPECT_THAT(world_.Run({"explain", "viewers"}).out, HasSubstr("mallory@example.com"));
  for (const char* page : {"/drift", "/resources/viewers",
                           "/targets/AuthorizationPolicyIamBinding/"
                           "projects/acme/locations/global/authorizationPolicies/payments"}) {
    std::string body = world_.Ask("GET", page).body;
    // Where a long name may break.
    constexpr std::string_view kBreak = "<wbr>";
    for (std::size_t at = body.find(kBreak); at != body.npos; at = body.find(kBreak, at)) {
      body.erase(at, kBreak.size());
    }
    EXPECT_THAT(body, HasSubstr("mallory@example.com")) << page;
  }
  EXPECT_THAT(world_.Ask("GET", "/metrics").body,
              HasSubstr("bindery_audit_entries_total{result=\"kept\"} 1"));
}

TEST_F(Attributed, AnEntryThatComesLateNamesWhatWasFoundBefore) {
  AddEve();
  world_.Eventually("it is found", [this] { return MakeItem(kEve).is_object(); });
  EXPECT_EQ(NameActor(kEve), "unknown");
  const Json line = GoogleLine("mallory@example.com", "ADD", kEve);
  world_.SetPolicy(kPayments, Holders("roles/viewer", {"user:ana@example.com"}));
  world_.Eventually("it is over", [this] { return MakeItem(kEve).at("state") == "corrected"; });
  Log("late.jsonl", line);
  world_.Eventually("also then", [this] { return NameActor(kEve) == "mallory@example.com"; });
}

TEST_F(Attributed, AnEntryAboutAnotherGrantNamesNobody) {
  AddEve();
  Log("a.json", GoogleLine("mallory@example.com", "ADD", "user:bob@example.com"));
  world_.Eventually("the entry is read", [this] {
    return world_.Ask("GET", "/metrics")
               .body.find("bindery_audit_entries_total{result=\"kept\"} 1") != std::string::npos;
  });
  world_.Eventually("the difference is found", [this] { return MakeItem(kEve).is_object(); });
  EXPECT_EQ(NameActor(kEve), "unknown");
}

TEST_F(Attributed, OurOwnRepairIsNobodysDrift) {
  AddEve();
  world_.Eventually("it is found", [this] { return MakeItem(kEve).is_object(); });
  Json ours = GoogleLine("bindery@acme.iam.gserviceaccount.com", "ADD", "user:bob@example.com");
  ours["protoPayload"].erase("serviceData");
  ours["protoPayload"]["requestMetadata"]["callerSuppliedUserAgent"] = "bindery/0.1.0,gzip(gfe)";
  world_.Kill(SIGTERM);
  world_.Configure("attribution: {directory: logs, interval: 1s}\n");
  world_.StartDaemon();
  world_.Eventually("it is repaired", [this] { return MakeItem(kEve).at("state") == "corrected"; });
  ours["timestamp"] = FormatRfc3339(std::chrono::system_clock::now());
  Log("a.json", ours);
  world_.Eventually("the entry is read", [this] {
    return world_.Ask("GET", "/metrics")
               .body.find("bindery_audit_entries_total{result=\"kept\"} 1") != std::string::npos;
  });
  EXPECT_EQ(NameActor(kEve), "unknown");
}

TEST_F(Attributed, ADashboardsRestrictionPolicyToo) {
  world_.dir().Write("manifests/d.yaml",
                     "apiVersion: monitoring\nkind: RestrictionPolicy\nmetadata: {name: board}\n"
                     "spec:\n  resourceId: dashboard:abc-def-ghi\n"
                     "  bindings: [{relation: editor, principals: [\"team:sre\"]}]\n");
  const auto set = [this](const Json& principals) {
    const Json body = {
        {"data",
         {{"id", "dashboard:abc-def-ghi"},
          {"type", "restriction_policy"},
          {"attributes",
           {{"bindings", Json::array({{{"relation", "editor"}, {"principals", principals}}})}}}}}};
    EXPECT_EQ(world_.Cloud("POST", "/api/v2/restriction_policy/dashboard:abc-def-ghi", body.dump())
                  .status,
              200);
  };
  set({"team:sre"});
  world_.StartDaemon();
  world_.Eventually("all is as declared", [this] { return world_.IsReady("board"); });
  set({"team:sre", "team:dev"});
  Log("page.json", {{"data", Json::array({DatadogLine("mallory@example.com")})}});
  world_.Eventually("it is named",
                    [this] { return NameActor("team:dev") == "mallory@example.com"; });
  EXPECT_EQ(MakeItem("team:dev").at("attribution").at("how"), "policy");
}

TEST_F(Attributed, OneFullPassReadsThemToo) {
  world_.SetPolicy(kPayments, Holders("roles/viewer", {"user:ana@example.com", kEve}));
  Log("a.json", GoogleLine("mallory@example.com", "ADD", kEve));
  EXPECT_EQ(world_.Run({"run", "--once"}).exit_code, 1);
  EXPECT_EQ(NameActor(kEve), "mallory@example.com");
}

TEST_F(Attributed, ALineThatIsNoneIsSaidOnce) {
  AddEve();
  world_.dir().Write(
      "logs/a.json",
      "no JSON\n" + GoogleLine("mallory@example.com", "ADD", kEve).dump() + "\n{\"half\": ");
  world_.Eventually("the rest is read",
                    [this] { return NameActor(kEve) == "mallory@example.com"; });
  EXPECT_THAT(world_.DaemonLog(), HasSubstr("a.json:1"));
  EXPECT_THAT(world_.DaemonLog(), Not(HasSubstr("a.json:3")));
}

class NotAttributed : public Attributed {
 protected:
  NotAttributed() : Attributed("") {}
};

TEST_F(NotAttributed, WithoutAFolderNothingIsSaidOfIt) {
  AddEve();
  world_.Eventually("it is found", [this] { return MakeItem(kEve).is_object(); });
  EXPECT_EQ(FindMember(MakeItem(kEve), "attribution"), nullptr);
}

}  // namespace
}  // namespace bindery::testing
